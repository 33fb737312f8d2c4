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

/** A stretch of one partition. Tracks that were not recorded at the same time have separate ones. */
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

export interface ReplaySession {
  readonly spec: ReplaySpec;
  readonly version: string;
  readonly state: ReplayState;
  readonly reason: string | null;
  /** Steps that were asked for. */
  readonly granted: number;
  /** undefined = not made yet. */
  readonly plan: readonly Segment[] | undefined;
  readonly progress: ReplayProgress;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

export const newSession = (spec: ReplaySpec, nowMs: number): ReplayFields => ({
  spec: JSON.stringify(spec),
  version: spec.subscription.key,
  state: spec.mode === "auto" ? "running" : "paused",
  mode: spec.mode,
  granted: "0",
  createdAt: String(nowMs),
});

export function parseSession(fields: ReplayFields): ReplaySession {
  const { spec = "", version = "", state, reason = null, granted = "0", plan, progress, createdAt, endedAt } = fields;
  return {
    spec: JSON.parse(spec),
    version,
    state: state as ReplayState,
    reason,
    granted: Number(granted),
    plan: plan === undefined ? undefined : JSON.parse(plan),
    progress: progress === undefined ? noProgress : JSON.parse(progress),
    createdAt: Number(createdAt),
    endedAt: endedAt === undefined ? null : Number(endedAt),
  };
}
