import type { RangeSelection, ReplaySettings } from "../../../projections/replay/selection.ts";
import type { ReplayOutline, ReplayStatus, ShownZone } from "../../../projections/replay/session.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { ReplayAnswer } from "../../../schemas/rest/replay.ts";

/** Returns the session in the form that callers see. */
export function sessionAnswer({ outline, progress, steering, ...session }: ReplayStatus): ReplayAnswer {
  const { mode } = outline;
  const { position } = progress;
  return {
    id: outline.id,
    state: session.state,
    reason: session.reason,
    track_ids: [...outline.trackIds],
    ...shownChoice(outline),
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
    steps_asked: steering.isHeld ? Math.max(steering.granted, progress.steps) : null,
    signals: progress.signals,
    signals_sent: progress.sent,
    deliveries: progress.deliveries,
    errors: progress.errors,
    last_error: progress.lastError,
    created_at: isoTime(session.createdAt),
    ended_at: session.endedAt === null ? null : isoTime(session.endedAt),
  };
}

/** A session of an earlier version has none of these members, and replays tracks as they were recorded. */
function shownChoice({ selection, zones = "then", settings = {} }: ReplayOutline) {
  return {
    range: selection?.kind === "range" ? shownRange(selection) : null,
    offsets: selection?.kind === "offsets" ? [...selection.spans] : null,
    zones: typeof zones === "string" ? zones : zones.map(shownZone),
    settings: shownSettings(settings),
  };
}

const shownRange = ({ dataSourceIds, siteIds, from, to }: RangeSelection) => ({
  data_source_ids: siteIds === undefined ? [...dataSourceIds] : null,
  site_ids: siteIds === undefined ? null : [...siteIds],
  from: isoTime(from),
  to: isoTime(to),
});

const shownZone = ({ zoneId, name, dataSourceId }: ShownZone) => ({
  zone_id: zoneId,
  name,
  data_source_id: dataSourceId,
});

function shownSettings({ trackTtlMs, reorderMs, updateIntervalMs, exitDelayMs, enterDetections }: ReplaySettings) {
  return {
    ...(trackTtlMs === undefined ? {} : { track_ttl: trackTtlMs / 1_000 }),
    ...(reorderMs === undefined ? {} : { reorder_ms: reorderMs }),
    ...(updateIntervalMs === undefined ? {} : { intersection_update_ms: updateIntervalMs }),
    ...(exitDelayMs === undefined ? {} : { exit_delay: exitDelayMs / 1_000 }),
    ...(enterDetections === undefined ? {} : { enter_detections: enterDetections }),
  };
}
