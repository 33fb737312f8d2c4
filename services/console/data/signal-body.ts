// Forms about signals as bodies of the REST interface. A field has the name of its member; an empty one is left out.
import type { ChoiceKind } from "../questions/choice-kinds.ts";

export type SignalType = "track_state" | "zone_state" | "activity_chronicle";

type Body = Record<string, unknown>;

/** A filter of signals. `lines` is a text with a value on each line. */
export interface SignalFilter {
  readonly name: string;
  readonly label: string;
  readonly from: ChoiceKind | "lines";
  readonly of: readonly SignalType[];
}

const EVERY: readonly SignalType[] = ["track_state", "zone_state", "activity_chronicle"];
const LIVE: readonly SignalType[] = ["track_state", "zone_state"];
const CHRONICLES: readonly SignalType[] = ["activity_chronicle"];

export const SIGNAL_FILTERS: readonly SignalFilter[] = [
  { name: "datasource_ids", label: "Cameras", from: "cameras", of: EVERY },
  { name: "zone_ids", label: "Zones", from: "zones", of: ["zone_state"] },
  { name: "tags", label: "Tags", from: "tags", of: LIVE },
  { name: "site_ids", label: "Sites", from: "sites", of: EVERY },
  { name: "producer_ids", label: "Producers", from: "producers", of: CHRONICLES },
  { name: "labels", label: "Labels", from: "lines", of: CHRONICLES },
  { name: "statuses", label: "Statuses", from: "lines", of: CHRONICLES },
  { name: "priorities", label: "Priorities", from: "lines", of: CHRONICLES },
  { name: "locations", label: "Locations", from: "lines", of: CHRONICLES },
  { name: "tag_ids", label: "Tags", from: "tagIds", of: CHRONICLES },
  { name: "point_of_interest_ids", label: "Points of interest", from: "places", of: CHRONICLES },
  { name: "chronicle_ids", label: "Activities", from: "activities", of: CHRONICLES },
];

const OF_BATCHES = ["batch_interval", "pixel_proximity_threshold", "geo_proximity_threshold_m"];

/** Members that subscriptions and replays have in common. */
function signalMembers(form: FormData, mode: string, signalType: SignalType): Body {
  const body: Body = { signal_type: signalType };
  const filters = Object.fromEntries(
    SIGNAL_FILTERS.filter(({ of }) => of.includes(signalType)).flatMap(({ name, from }) => {
      const values = from === "lines" ? linesOf(textOf(form, name)) : form.getAll(name).map(String);
      return values.length === 0 ? [] : [[name, values]];
    }),
  );
  if (Object.keys(filters).length > 0) body["filters"] = filters;
  for (const name of ["workflow_name", "workflow_id", "webhook_secret"]) {
    if (textOf(form, name) !== "") body[name] = textOf(form, name);
  }
  if (mode === "batch") Object.assign(body, numbersOf(form, OF_BATCHES));
  if (mode === "streaming" && signalType === "zone_state") {
    if (textOf(form, "zone_emit_mode") !== "") body["zone_emit_mode"] = textOf(form, "zone_emit_mode");
    if (body["zone_emit_mode"] === "composition") Object.assign(body, numbersOf(form, ["heartbeat_seconds"]));
  }
  return body;
}

/** @param own the token of the console, for subscriptions on its behalf. */
export function subscriptionBody(form: FormData, own: { readonly id: string; readonly value: string }): Body {
  const mode = textOf(form, "mode");
  const signalType = signalTypeOf(form);
  const isOwn = textOf(form, "token") !== "other";
  return {
    workflow_name: "",
    webhook_url: textOf(form, "webhook_url"),
    ...signalMembers(form, mode, signalType),
    mode,
    credentials: {
      x_token_id: isOwn ? own.id : textOf(form, "x_token_id"),
      x_token_value: isOwn ? own.value : textOf(form, "x_token_value"),
    },
    ...(signalType === "activity_chronicle" ? { trigger_on: form.getAll("trigger_on").map(String) } : {}),
  };
}

/** A replay is of tracks, of a time of cameras, or of offsets of the log. */
export type ReplayPart = "range" | "track_ids" | "offsets";

export function replayBody(form: FormData): Body {
  const processing = textOf(form, "processing_mode") || "streaming";
  const mode = textOf(form, "mode");
  const speed = textOf(form, "speed");
  // Without a receiver the form has no such field.
  const url = textOf(form, "webhook_url");
  return {
    ...partOf(form),
    ...(url === "" ? {} : { webhook_url: url }),
    ...signalMembers(form, processing, signalTypeOf(form)),
    mode,
    processing_mode: processing,
    zones: textOf(form, "zones") || "then",
    ...(mode === "manual" || speed === "" ? {} : { speed: speed === "max" ? speed : Number(speed) }),
    settings: numbersOf(form, ["track_ttl", "reorder_ms", "intersection_update_ms", "exit_delay", "enter_detections"]),
  };
}

function partOf(form: FormData): Body {
  const part = textOf(form, "part") as ReplayPart;
  switch (part) {
    case "track_ids":
      return { track_ids: linesOf(textOf(form, "track_ids")) };
    case "offsets":
      return { offsets: [numbersOf(form, ["partition", "from_offset", "to_offset"])].map(spanOfOffsets) };
    case "range": {
      const { from, to } = { from: timeOf(form, "from"), to: timeOf(form, "to") };
      return { range: { data_source_ids: form.getAll("data_source_ids").map(String), from, to } };
    }
    default:
      return part satisfies never;
  }
}

const spanOfOffsets = ({ partition, from_offset: from, to_offset: to }: Body) => ({ partition, from, to });

/** The time of a field in the zone of the browser, and the exact one for which it was filled in. */
export const filledTime = (local: string, ms: number): string => `${local} ${ms}`;

/**
 * The time of a field as ISO 8601. One that was not edited is exactly the one that it was filled in for: the field has
 * no milliseconds, and an hour that the clock shows twice is two times. `<name>_filled` has `filledTime`.
 * @returns an empty text for what is no time.
 */
export function timeOf(form: FormData, name: string): string {
  const [local = "", exact = ""] = textOf(form, `${name}_filled`).split(" ");
  const read = Date.parse(textOf(form, name));
  const ms = read === Date.parse(local) ? Number(exact) : read;
  return Number.isFinite(ms) ? new Date(ms).toISOString() : "";
}

const signalTypeOf = (form: FormData): SignalType => (textOf(form, "signal_type") || "track_state") as SignalType;

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();

const linesOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

function numbersOf(form: FormData, names: readonly string[]): Body {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = textOf(form, name);
      return text === "" ? [] : [[name, Number(text)]];
    }),
  );
}
