// The command line of npm run replay.
import { parseArgs } from "node:util";
import type { ReplaySettings } from "../../../projections/replay/selection.ts";
import { parseDateTime } from "../../../schemas/date-time.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { SubscriptionShape } from "../../../schemas/rest/subscriptions.ts";
import { webhookSecret } from "../../../schemas/rest/subscriptions.ts";
import { replacedSettings, type SettingsGiven } from "./settings.ts";
import { hasSignalOptions, type SignalOptions, shapesOf } from "./signals.ts";

const USAGE = `npm run replay -- SELECTION [RULES] [SIGNALS] [--out FILE [--force]] [--to URL] [--compare then|FILE]
SELECTION, one of
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

/** Event times in ms; data sources are named by their ids or their names. */
export type AskedSelection =
  | { readonly kind: "tracks"; readonly trackIds: readonly string[] }
  | { readonly kind: "range"; readonly dataSources: readonly string[]; readonly from: number; readonly to: number }
  | { readonly kind: "offsets"; readonly spans: readonly AskedOffsets[] };

interface AskedOffsets {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

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
  readonly selection: AskedSelection;
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
      "data-source": texts,
      from: text,
      to: texts,
      partition: texts,
      offsets: texts,
      tracks: texts,
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
  if (isThen && receiver !== undefined) throw new Error("--compare then does not go with --to URL");
  if (isThen && hasSignalOptions(signalOptions)) {
    throw new Error("--compare then takes the signals of the recorded subscriptions, and no others");
  }
  const given: SettingsGiven = options.set;
  return {
    selection: selectionOf(options, until),
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

function selectionOf(options: Options, until: string | undefined): AskedSelection {
  const { "data-source": dataSources, from, partition, offsets, tracks } = options;
  const isRange = dataSources.length > 0 || from !== undefined || until !== undefined;
  const isOffsets = partition.length > 0 || offsets.length > 0;
  if (Number(isRange) + Number(isOffsets) + Number(tracks.length > 0) !== 1) {
    throw new Error("Give one of --data-source, --partition and --tracks");
  }
  if (isRange) return rangeOf(dataSources, from, until);
  return isOffsets ? offsetsOf(partition, offsets) : { kind: "tracks", trackIds: idsIn(tracks) };
}

function rangeOf(dataSources: readonly string[], from: string | undefined, until: string | undefined): AskedSelection {
  if (dataSources.length === 0) throw new Error("Give --data-source with --from and --to");
  if (dataSources.includes("")) throw new Error("--data-source needs a name");
  const range = { from: timeOf("--from", from), to: timeOf("--to", until) };
  if (range.from >= range.to) throw new Error("--from must be before --to");
  return { kind: "range", dataSources: [...new Set(dataSources)], ...range };
}

function timeOf(option: string, given: string | undefined): number {
  const time = given === undefined ? undefined : parseDateTime(given);
  if (time === undefined) throw new Error(`${option} needs an ISO 8601 time with offset, such as 2026-01-01T00:00:00Z`);
  return time;
}

function offsetsOf(partitions: readonly string[], offsets: readonly string[]): AskedSelection {
  if (partitions.length !== offsets.length) throw new Error("Give --offsets with each --partition");
  const spans = partitions.map((partition, at) => {
    const [, first, end] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(offsets[at] ?? "") ?? [];
    if (!/^\d{1,9}$/.test(partition)) throw new Error("--partition needs the number of a partition");
    if (first === undefined || end === undefined) throw new Error("--offsets needs two numbers, such as 1200..1300");
    if (Number(first) >= Number(end)) throw new Error("--offsets A..B leaves B out, so A must be below B");
    return { partition: Number(partition), from: Number(first), to: Number(end) };
  });
  return { kind: "offsets", spans };
}

function idsIn(given: readonly string[]): readonly string[] {
  const ids = new Set(given.flatMap((each) => each.split(",")).map((id) => id.trim()));
  if (ids.has("")) throw new Error("--tracks needs ids, separated by commas");
  return [...ids];
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
