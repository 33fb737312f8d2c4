// A replay session as Redis has it: the request, the segments of the log that it needs, and its progress.
import type { Zone } from "../../schemas/events.ts";
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import type { AskedSignals } from "./asked.ts";
import type { ReplaySelection, ReplaySettings, ReplayZones } from "./selection.ts";
import { parsePlan, parseSpec, storedPlan, storedSpec } from "./stored-session.ts";

export type ReplayState = "running" | "paused" | "finished" | "failed";

/** The request for a session, which never changes. */
export interface ReplaySpec {
  readonly id: string;
  readonly selection: ReplaySelection;
  readonly zones: ReplayZones;
  readonly settings: ReplaySettings;
  readonly mode: "auto" | "manual";
  /** Null when the session does not wait between signals. */
  readonly speed: number | null;
  /**
   * Its key is the session's version, so that no two sessions have signals with the same ids. Its address is empty when
   * the session has no receiver.
   */
  readonly subscription: SubscriptionSet;
}

/** How callers want the session to go on. They may change it until the session ends. */
export interface Steering {
  /** True when the session waits for steps: in the mode manual, and while it is paused. */
  readonly isHeld: boolean;
  /** Number of steps that callers have requested. It counts while the session is held. */
  readonly granted: number;
  /** Null when the session does not wait between signals. */
  readonly speed: number | null;
}

/** A time in which tracks were recorded, as broker times in ms. */
export interface RecordedSpan {
  readonly from: number;
  /** Time of the last detection. */
  readonly to: number;
}

/** A segment of one partition. No two of them overlap, so each message is read once. */
export interface Segment {
  readonly partition: number;
  /** The signals of the segment that the session asks for. */
  readonly asked: AskedSignals;
  /** The data sources of the asked tracks. All their tracks are folded. */
  readonly dataSourceIds: readonly string[];
  /** The segment is read from the history when the log no longer has it. */
  readonly log: "topic" | "history";
  /** Offsets. The end is exclusive: it is at most the end of the log when the session began. */
  readonly begin: number;
  readonly end: number;
  /** Broker times, ms: that of the beginning, and that of the last asked detection or message. */
  readonly beginAt: number;
  readonly lastAt: number;
  /**
   * Times in which the tracks were recorded, in order. Tracks of one item were recorded together, those of different
   * items were not.
   */
  readonly recorded: readonly RecordedSpan[];
  /** Event times of the first and last asked detection, ms. */
  readonly eventFrom: number;
  readonly eventTo: number;
}

export interface ReplayProgress {
  /** Signals that were sent or given up. The session resumes after them. */
  readonly signals: number;
  readonly sent: number;
  readonly deliveries: number;
  readonly errors: number;
  readonly lastError: string | null;
  /** Number of detections of the asked tracks. */
  readonly steps: number;
  /** The share that is done, from 0 to 1. */
  readonly share: number;
  readonly position: { readonly partition: number; readonly offset: number; readonly timestamp: number | null } | null;
}

export const noProgress: ReplayProgress = {
  signals: 0,
  sent: 0,
  deliveries: 0,
  errors: 0,
  lastError: null,
  steps: 0,
  share: 0,
  position: null,
};

/** Fields of the hash, all of them texts. `owner` and `until` belong to the process that runs the session. */
export type ReplayFields = Readonly<Record<string, string>>;

/** A session as the process that runs it needs it. */
export interface ReplaySession {
  readonly spec: ReplaySpec;
  readonly steering: Steering;
  /** Undefined until the plan is made. */
  readonly plan: readonly Segment[] | undefined;
  readonly progress: ReplayProgress;
  readonly createdAt: number;
}

type ShownSelection = Exclude<ReplaySelection, { readonly kind: "tracks" }>;

/** A zone of the request, as callers see it: its boundary may be long. */
export type ShownZone = Pick<Zone, "zoneId" | "dataSourceId" | "name">;

/**
 * The part of the spec that callers see. A few kB at most: the filters of a subscription may be a hundred times as
 * long.
 */
export interface ReplayOutline extends Pick<ReplaySpec, "id" | "mode" | "speed"> {
  readonly trackIds: readonly string[];
  /** Null for a session of tracks. Undefined in sessions of earlier versions. */
  readonly selection?: ShownSelection | null;
  readonly zones?: "then" | "now" | readonly ShownZone[];
  readonly settings?: ReplaySettings;
  readonly processingMode: SubscriptionSet["mode"];
  readonly signalType: "track_state" | "zone_state";
  /** Empty when the session has no receiver. */
  readonly webhookUrl: string;
}

/** A session as callers see it. It remains after the end, when the spec and the plan are deleted. */
export interface ReplayStatus {
  readonly outline: ReplayOutline;
  readonly version: string;
  readonly state: ReplayState;
  readonly reason: string | null;
  readonly steering: Steering;
  /** Null until there is a plan. */
  readonly log: Segment["log"] | null;
  readonly progress: ReplayProgress;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

export const newSession = (spec: ReplaySpec, nowMs: number): ReplayFields => ({
  spec: storedSpec(spec),
  outline: JSON.stringify(outlineOf(spec)),
  version: spec.subscription.key,
  state: spec.mode === "auto" ? "running" : "paused",
  mode: spec.mode,
  granted: "0",
  createdAt: String(nowMs),
});

export const outlineOf = ({ id, selection, zones, settings, mode, speed, subscription }: ReplaySpec): ReplayOutline => {
  const signalType = subscription.signalType === "zone_state" ? "zone_state" : "track_state";
  return {
    id,
    trackIds: selection.kind === "tracks" ? selection.trackIds : [],
    selection: shownSelection(selection),
    zones: typeof zones === "string" ? zones : zones.map(shownZone),
    settings,
    mode,
    speed,
    processingMode: subscription.mode,
    signalType,
    webhookUrl: subscription.webhookUrl,
  };
};

/** Sites may have very many data sources, which are not shown. */
function shownSelection(selection: ReplaySelection): ShownSelection | null {
  if (selection.kind === "tracks") return null;
  return selection.kind === "range" && selection.siteIds !== undefined
    ? { ...selection, dataSourceIds: [] }
    : selection;
}

const shownZone = ({ zoneId, dataSourceId, name }: Zone): ShownZone => ({ zoneId, dataSourceId, name });

export const plannedFields = (plan: readonly Segment[], spec: ReplaySpec): ReplayFields => ({
  plan: storedPlan(plan, spec),
  log: plan.some(({ log }) => log === "history") ? "history" : "topic",
});

export function parseSession(fields: ReplayFields): ReplaySession {
  const { plan, progress, createdAt } = fields;
  const spec = parseSpec(fields["spec"] ?? "");
  return {
    spec,
    steering: parseSteering(fields, spec.speed),
    plan: plan === undefined ? undefined : parsePlan(plan),
    progress: parseProgress(progress),
    createdAt: Number(createdAt),
  };
}

export const steeringFields = ["mode", "held", "granted", "speed"] as const;

/** @param asked the speed of the request, which counts until a caller changes it. */
export function parseSteering({ mode, held, granted = "0", speed }: ReplayFields, asked: number | null): Steering {
  const changed = speed === "max" ? null : Number(speed);
  return {
    isHeld: mode === "manual" || held !== undefined,
    granted: Number(granted),
    speed: speed === undefined ? asked : changed,
  };
}

/** The fields of a status. Sessions created before the outline existed have none, so `spec` must be read as well. */
export const statusFields: readonly string[] = [
  "outline",
  "version",
  "state",
  "reason",
  ...steeringFields,
  "log",
  "progress",
  "createdAt",
  "endedAt",
];

export function parseStatus(fields: ReplayFields): ReplayStatus {
  const { spec = "", version = "", state, reason = null } = fields;
  const { log, progress, createdAt, endedAt } = fields;
  const outline: ReplayOutline =
    fields["outline"] === undefined ? outlineOf(parseSpec(spec)) : JSON.parse(fields["outline"]);
  const mode = fields["mode"] === "manual" ? "manual" : "auto";
  const steering = parseSteering(fields, outline.speed);
  return {
    outline: { ...outline, mode, speed: steering.speed },
    version,
    state: state as ReplayState,
    reason,
    steering,
    log: log === undefined ? null : (log as Segment["log"]),
    progress: parseProgress(progress),
    createdAt: Number(createdAt),
    endedAt: endedAt === undefined ? null : Number(endedAt),
  };
}

const parseProgress = (text: string | undefined): ReplayProgress =>
  text === undefined ? noProgress : JSON.parse(text);
