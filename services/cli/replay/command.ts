// The command line of npm run replay.
import { parseArgs } from "node:util";
import type { ReplaySettings } from "../../../projections/replay/selection.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { SubscriptionShape } from "../../../schemas/rest/subscriptions.ts";
import { webhookSecret } from "../../../schemas/rest/subscriptions.ts";
import { type AskedSelection, isSelected, parseSelection, selectionOptions } from "./asked-selection.ts";
import { replacedSettings, type SettingsGiven } from "./settings.ts";
import { hasSignalOptions, type SignalOptions, shapesOf } from "./signals.ts";

const USAGE = `npm run replay -- SELECTION [RULES] [SIGNALS] [--out FILE [--force]] [--to URL] [--compare then|FILE]
SELECTION, one of these; with --file STRETCH.avro, which npm run log has exported, all of it or one of these
  --data-source NAME --from TIME --to TIME   signals of this event time, without its end; repeat it for more data sources
  --partition P --offsets A..B               signals of these messages of the camera-log, without B; repeat the pair
  --tracks ID,ID                             signals of these tracks
RULES
  --zones FILE|then|now                      a GeoJSON file; the zones as they were (the default); the present ones
  --set NAME=VALUE                           TRACK_TTL, REORDER_MS, INTERSECTION_UPDATE_MS, EXIT_DELAY_MS, ENTER_DETECTIONS
SIGNALS
  --signals track_state,zone_state           both by default
  --batch SECONDS                            track_state in the mode batch; --pixels N and --metres N are its thresholds
  --tag TAG, --zone ID, --site ID            filters; repeat them for more values
  --emit-mode all|composition                of zone_state; --heartbeat SECONDS belongs to composition
OUTPUT, at least one of
  --out FILE                                 one signal a line as JSON; --force overwrites the file
  --to URL                                   POSTs as a session does; --secret whsec_... signs, --speed N keeps the pace
  --compare FILE                             an earlier output
  --compare then [--subscription ID]         the signals that were sent, of all active subscriptions or of these
The exit code is 0, or 1 when --compare finds differences, or 2 after an error.`;

export type AskedZones = "then" | "now" | { readonly file: string };

export interface AskedReceiver {
  readonly url: string;
  /** Undefined when deliveries are not signed. */
  readonly secret: string | undefined;
  /** Factor of the recorded pace. Null when nothing is waited for. */
  readonly speed: number | null;
}

export type AskedComparison =
  | { readonly with: "file"; readonly path: string }
  /** Without ids, all active subscriptions are compared. */
  | { readonly with: "then"; readonly subscriptionIds: readonly string[] };

export interface ReplayCommand {
  /** A stretch file that takes the place of the stores. */
  readonly file: string | undefined;
  /** Undefined for the whole file. */
  readonly selection: AskedSelection | undefined;
  readonly zones: AskedZones;
  readonly settings: ReplaySettings;
  /** Empty when the recorded subscriptions take their place. */
  readonly signals: readonly SubscriptionShape[];
  readonly out: { readonly path: string; readonly force: boolean } | undefined;
  readonly receiver: AskedReceiver | undefined;
  readonly comparison: AskedComparison | undefined;
}

/** Throws with one sentence about the fault, and the usage. */
export function parseReplayCommand(args: readonly string[]): ReplayCommand {
  try {
    return commandOf(readOptions(args));
  } catch (error) {
    // After its first sentence parseArgs gives advice about dashes.
    const [sentence] = messageOf(error).split(/\.(?:\s|$)|\n/);
    throw new Error(`${sentence}.\n${USAGE}`, { cause: error });
  }
}

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true, default: [] as string[] } as const;

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...selectionOptions,
      to: texts,
      file: text,
      zones: text,
      set: texts,
      signals: text,
      batch: text,
      pixels: text,
      metres: text,
      tag: texts,
      zone: texts,
      site: texts,
      "emit-mode": text,
      heartbeat: text,
      out: text,
      force: { type: "boolean", default: false },
      secret: text,
      speed: text,
      compare: text,
      subscription: texts,
    },
  });
  return values;
}

type Options = ReturnType<typeof readOptions>;

function commandOf(options: Options): ReplayCommand {
  const { url, until } = splitTo(options.to);
  const signalOptions: SignalOptions = options;
  const comparison = comparisonOf(options);
  const receiver = receiverOf(options, url);
  const out = outOf(options);
  if (comparison === undefined && receiver === undefined && out === undefined) {
    throw new Error("Say where the signals go: --out, --to URL or --compare");
  }
  const isThen = comparison?.with === "then";
  if (options.file === "") throw new Error("--file needs a file");
  if (options.file !== undefined && isThen)
    throw new Error("A file has no signals of then: --compare takes a FILE here");
  if (isThen && receiver !== undefined) throw new Error("--compare then does not go with --to URL");
  if (isThen && hasSignalOptions(signalOptions)) {
    throw new Error("--compare then takes the signals of the recorded subscriptions, and no others");
  }
  const given: SettingsGiven = options.set;
  return {
    file: options.file,
    selection: isSelected(options, until) || options.file === undefined ? parseSelection(options, until) : undefined,
    zones: zonesOf(options.zones),
    settings: replacedSettings(given),
    signals: isThen ? [] : shapesOf(signalOptions),
    out,
    receiver,
    comparison,
  };
}

/** `--to` is the end of the time when it is one, and the receiver when it is an address. */
function splitTo(given: readonly string[]): { readonly url: string | undefined; readonly until: string | undefined } {
  const [url, ...urls] = given.filter((each) => /^https?:/i.test(each));
  const [until, ...times] = given.filter((each) => !/^https?:/i.test(each));
  if (urls.length > 0 || times.length > 0) throw new Error("--to takes one time and one URL");
  return { url, until };
}

function zonesOf(given = "then"): AskedZones {
  if (given === "") throw new Error("--zones needs a file, then or now");
  return given === "then" || given === "now" ? given : { file: given };
}

function outOf({ out, force }: Options): ReplayCommand["out"] {
  if (out === "") throw new Error("--out needs a file");
  if (out === undefined && force) throw new Error("--force goes with --out");
  return out === undefined ? undefined : { path: out, force };
}

function receiverOf({ secret, speed }: Options, url: string | undefined): AskedReceiver | undefined {
  if (url === undefined) {
    if (secret !== undefined || speed !== undefined) throw new Error("--secret and --speed go with --to URL");
    return undefined;
  }
  if (!webhookSecret.safeParse(secret).success) throw new Error("--secret needs whsec_ and 24 to 64 bytes in base64");
  return { url, secret, speed: speedOf(speed) };
}

function speedOf(given = "max"): number | null {
  if (given === "max") return null;
  const speed = /^\d+(\.\d+)?$/.test(given) ? Number(given) : 0;
  if (speed < 0.1 || speed > 1_000) throw new Error("--speed needs max, or a number from 0.1 to 1000");
  return speed;
}

function comparisonOf({ compare, subscription }: Options): AskedComparison | undefined {
  if (compare === "") throw new Error("--compare needs then, or a file");
  if (compare !== "then" && subscription.length > 0) throw new Error("--subscription goes with --compare then");
  if (subscription.includes("")) throw new Error("--subscription needs an id");
  if (compare === undefined) return undefined;
  return compare === "then"
    ? { with: "then", subscriptionIds: [...new Set(subscription)] }
    : { with: "file", path: compare };
}
