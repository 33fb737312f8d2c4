// The settings of the fold that --set replaces.
import type { ReplaySettings } from "../../../projections/replay/selection.ts";

/** NAME=VALUE */
export type SettingsGiven = readonly string[];

interface Replaceable {
  readonly member: keyof ReplaySettings;
  readonly form: RegExp;
  /** The value is above this number. */
  readonly above: number;
  readonly wants: string;
  /** The value of 1 in the unit of the member. */
  readonly factor: number;
}

const WHOLE = /^\d{1,12}$/;
const milliseconds = { form: WHOLE, above: -1, wants: "a whole number of milliseconds", factor: 1 };

/** The names of the first three are those of the variables of every process that folds. */
const replaceable: Readonly<Record<string, Replaceable>> = {
  TRACK_TTL: { member: "trackTtlMs", form: /^\d{1,9}(\.\d+)?$/, above: 0, wants: "seconds above 0", factor: 1_000 },
  REORDER_MS: { member: "reorderMs", ...milliseconds },
  INTERSECTION_UPDATE_MS: { member: "updateIntervalMs", ...milliseconds },
  EXIT_DELAY_MS: { member: "exitDelayMs", ...milliseconds },
  ENTER_DETECTIONS: { member: "enterDetections", form: WHOLE, above: 0, wants: "a whole number above 0", factor: 1 },
};

/** Throws with a sentence about the first fault. */
export function replacedSettings(given: SettingsGiven): ReplaySettings {
  const settings: { -readonly [Name in keyof ReplaySettings]: ReplaySettings[Name] } = {};
  for (const each of given) {
    const [, name = each, value = ""] = /^([^=]*)=(.*)$/s.exec(each) ?? [];
    const setting = Object.hasOwn(replaceable, name) ? replaceable[name] : undefined;
    if (setting === undefined) throw new Error(`--set takes NAME=VALUE, with ${Object.keys(replaceable).join(", ")}`);
    if (settings[setting.member] !== undefined) throw new Error(`--set ${name} is given twice`);
    settings[setting.member] = numberIn(name, value, setting);
  }
  return settings;
}

function numberIn(name: string, text: string, { form, above, wants, factor }: Replaceable): number {
  if (!form.test(text) || Number(text) <= above) throw new Error(`--set ${name} needs ${wants}`);
  return Number(text) * factor;
}
