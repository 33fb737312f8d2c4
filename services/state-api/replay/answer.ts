import type { ReplaySession } from "../../../projections/replay/session.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { ReplayAnswer } from "../../../schemas/rest/replay.ts";

/** A session as callers see it. */
export function answerOf({ spec, plan, progress, granted, ...session }: ReplaySession): ReplayAnswer {
  const { subscription, mode } = spec;
  const { position } = progress;
  return {
    id: spec.id,
    state: session.state,
    reason: session.reason,
    track_ids: [...spec.trackIds],
    mode,
    speed: spec.speed ?? "max",
    processing_mode: subscription.mode,
    signal_type: subscription.signalType === "zone_state" ? "zone_state" : "track_state",
    webhook_url: subscription.webhookUrl,
    log: plan === undefined ? null : plan.some(({ log }) => log === "history") ? "history" : "topic",
    progress: progress.share,
    position: position && {
      partition: position.partition,
      offset: position.offset,
      timestamp: position.timestamp === null ? null : isoTime(position.timestamp),
    },
    steps: progress.steps,
    steps_asked: mode === "manual" ? granted : null,
    signals_sent: progress.sent,
    deliveries: progress.deliveries,
    errors: progress.errors,
    last_error: progress.lastError,
    created_at: isoTime(session.createdAt),
    ended_at: session.endedAt === null ? null : isoTime(session.endedAt),
  };
}
