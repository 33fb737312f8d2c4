// A replay session as Redis has it: what was asked for, the stretches of the log that it needs, and how far it has come.
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";

export type ReplayState = "running" | "paused" | "finished" | "failed";

/** Never changes. */
export interface ReplaySpec {
  readonly id: string;
  readonly trackIds: readonly string[];
  readonly mode: "auto" | "manual";
  /** null = no waiting. */
  readonly speed: number | null;
  /** Its key is the session's version, so that no two sessions have signals with the same ids. */
  readonly subscription: SubscriptionSet;
}

/** Broker times, ms. */
export interface Recorded {
  readonly from: number;
  /** Of the last detection. */
  readonly to: number;
}

/** A stretch of one partition. No two of them overlap, so each message is read once. */
export interface Segment {
  readonly partition: number;
  readonly trackIds: readonly string[];
  /** Those of the tracks. All of their tracks are folded. */
  readonly dataSourceIds: readonly string[];
  /** history: the log does not have it any more. */
  readonly log: "topic" | "history";
  /** Offsets, the end exclusive: where the log ended when the session began. */
  readonly begin: number;
  readonly end: number;
  /** Broker times, ms: where it begins, and that of the tracks' last detection. */
  readonly beginAt: number;
  readonly lastAt: number;
  /** When its tracks were there, in order: those of one item were recorded at the same time, those of others were not. */
  readonly recorded: readonly Recorded[];
  /** Event times of the tracks' first and last detection, ms. */
  readonly eventFrom: number;
  readonly eventTo: number;
}

export interface ReplayProgress {
  /** Signals that are done with: sent, or given up. The session goes on behind them. */
  readonly signals: number;
  readonly sent: number;
  readonly deliveries: number;
  readonly errors: number;
  readonly lastError: string | null;
  /** Detections of the asked tracks. */
  readonly steps: number;
  /** 0 to 1. */
  readonly share: number;
  readonly position: { readonly partition: number; readonly offset: number; readonly timestamp: number | null } | null;
}

export const noProgress: ReplayProgress = {
  ...{ signals: 0, sent: 0, deliveries: 0, errors: 0, lastError: null, steps: 0, share: 0, position: null },
};

/** Fields of the hash, all of them texts. `owner` and `until` are those of the process that runs it. */
export type ReplayFields = Readonly<Record<string, string>>;

/** A session as the process that runs it needs it. */
export interface ReplaySession {
  readonly spec: ReplaySpec;
  /** Steps that were asked for. */
  readonly granted: number;
  /** undefined = not made yet. */
  readonly plan: readonly Segment[] | undefined;
  readonly progress: ReplayProgress;
}

/** The part of the spec that callers see. A few kB at most: the filters of a subscription may be a hundred times as long. */
export interface ReplayOutline extends Pick<ReplaySpec, "id" | "trackIds" | "mode" | "speed"> {
  readonly processingMode: SubscriptionSet["mode"];
  readonly signalType: "track_state" | "zone_state";
  readonly webhookUrl: string;
}

/** A session as callers see it, also after its end: the spec and the plan are gone then. */
export interface ReplayStatus {
  readonly outline: ReplayOutline;
  readonly version: string;
  readonly state: ReplayState;
  readonly reason: string | null;
  readonly granted: number;
  /** null = not known before there is a plan. */
  readonly log: Segment["log"] | null;
  readonly progress: ReplayProgress;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

export const newSession = (spec: ReplaySpec, nowMs: number): ReplayFields => ({
  spec: JSON.stringify(spec),
  outline: JSON.stringify(outlineOf(spec)),
  version: spec.subscription.key,
  state: spec.mode === "auto" ? "running" : "paused",
  mode: spec.mode,
  granted: "0",
  createdAt: String(nowMs),
});

export const outlineOf = ({ id, trackIds, mode, speed, subscription }: ReplaySpec): ReplayOutline => {
  const signalType = subscription.signalType === "zone_state" ? "zone_state" : "track_state";
  return {
    id,
    trackIds,
    mode,
    speed,
    processingMode: subscription.mode,
    signalType,
    webhookUrl: subscription.webhookUrl,
  };
};

export const plannedFields = (plan: readonly Segment[]): ReplayFields => ({
  plan: JSON.stringify(plan),
  log: plan.some(({ log }) => log === "history") ? "history" : "topic",
});

export function parseSession({ spec = "", granted = "0", plan, progress }: ReplayFields): ReplaySession {
  return {
    spec: JSON.parse(spec),
    granted: Number(granted),
    plan: plan === undefined ? undefined : parsePlan(plan),
    progress: parseProgress(progress),
  };
}

/** @returns undefined for a plan from the time before stretches were joined: it is made anew. */
function parsePlan(text: string): readonly Segment[] | undefined {
  const segments: readonly Partial<Segment>[] = JSON.parse(text);
  return segments.every(isWhole) ? segments : undefined;
}

const isWhole = (segment: Partial<Segment>): segment is Segment => segment.recorded !== undefined;

/** The fields of a status. A session that was made before there were outlines has none: `spec` is needed as well. */
export const statusFields: readonly string[] = [
  "outline",
  "version",
  "state",
  "reason",
  "granted",
  "log",
  "progress",
  "createdAt",
  "endedAt",
];

export function parseStatus(fields: ReplayFields): ReplayStatus {
  const { outline, spec = "", version = "", state, reason = null, granted = "0" } = fields;
  const { log, progress, createdAt, endedAt } = fields;
  return {
    outline: outline === undefined ? outlineOf(JSON.parse(spec)) : JSON.parse(outline),
    version,
    state: state as ReplayState,
    reason,
    granted: Number(granted),
    log: log === undefined ? null : (log as Segment["log"]),
    progress: parseProgress(progress),
    createdAt: Number(createdAt),
    endedAt: endedAt === undefined ? null : Number(endedAt),
  };
}

const parseProgress = (text: string | undefined): ReplayProgress =>
  text === undefined ? noProgress : JSON.parse(text);
