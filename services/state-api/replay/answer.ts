import type { ReplayStatus } from "../../../projections/replay/session.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { ReplayAnswer } from "../../../schemas/rest/replay.ts";

/** Returns the session in the form that callers see. */
export function sessionAnswer({ outline, progress, granted, ...session }: ReplayStatus): ReplayAnswer {
  const { mode } = outline;
  const { position } = progress;
  return {
    id: outline.id,
    state: session.state,
    reason: session.reason,
    track_ids: [...outline.trackIds],
    mode,
    speed: outline.speed ?? "max",
    processing_mode: outline.processingMode,
    signal_type: outline.signalType,
    webhook_url: outline.webhookUrl,
    log: session.log,
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
