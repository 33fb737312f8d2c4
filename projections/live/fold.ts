// Folds one message of the camera-log into the state of its partition.

import type { Detection, TrackCreated, TrackExpired, TrackUpdated } from "../../schemas/events.ts";
import { patchOf } from "../track/patch.ts";
import { markTrack, sourceOf } from "./create-state.ts";
import { isForgettable, sweep } from "./forget.ts";
import { advanceGeofences } from "./geofence-stays.ts";
import { dropHeldEnd, foldEnd, holdDetection, holdEnd, releaseDue, releaseUntil } from "./hold.ts";
import { zonesBefore } from "./intersections.ts";
import { isKnown } from "./known.ts";
import { endFrame } from "./listener.ts";
import { observe } from "./observe.ts";
import type { Outputs } from "./outputs.ts";
import { settleReadEnd } from "./owed-ends.ts";
import { createFoldPace, finish, type Steps } from "./pace.ts";
import { endSilentTracks, mayHaveSilentTracks } from "./silent-tracks.ts";
import type { Fold, PartitionState, Source, Track } from "./state.ts";
import { clearEnd, expireTrack, trackOf } from "./track-life.ts";
import type { LiveSettings, RecordedEvent } from "./types.ts";
import { applyZoneDeletion, applyZoneUpdate, drawZone } from "./zone-changes.ts";

/** Folds one message into `state` and appends its results to `out`. Messages must come in the order of the log. */
export function apply(state: PartitionState, recorded: RecordedEvent, settings: LiveSettings, out: Outputs): void {
  finish(applyInSteps(state, recorded, settings, out));
}

/**
 * Folds one message with pauses in between, because it may contain a thousand large polygons. The caller must not read
 * the state before the last step is done: until then it contains only a part of the message.
 */
export function* applyInSteps(
  state: PartitionState,
  recorded: RecordedEvent,
  settings: LiveSettings,
  out: Outputs,
): Steps {
  const { message } = recorded;
  const fold = createFold(state, recorded, settings, out);
  yield* advanceClock(fold);
  if ("dataSourceId" in message.event) fold.listener = settings.listener?.of(fold, message.event.dataSourceId);
  switch (message.type) {
    case "DetectionsRecorded":
      yield* foldReport(fold, touchSource(fold, message.event), message.event.detections, undefined);
      break;
    case "TrackCreated":
      yield* foldTrack(fold, message.event, applyCreation);
      break;
    case "TrackUpdated":
      yield* foldTrack(fold, message.event, (track, event) => update(fold, track, event));
      break;
    case "TrackExpired":
      yield* foldExpiry(fold, message.event);
      break;
    case "ZoneCreated":
      drawZone(fold, message.event);
      break;
    case "ZoneUpdated":
      yield* applyZoneUpdate(fold, message.event);
      break;
    case "ZoneDeleted":
      yield* applyZoneDeletion(fold, message.event);
      break;
    case "GeofencesAdvanced":
      advanceGeofences(fold, message.event);
      break;
    default:
      message satisfies never;
  }
  yield* endFrame(fold.listener);
}

/**
 * Advances the clock of the log by a message whose data source the caller does not fold. The fold of the partition's
 * other messages depends on the broker times of all messages.
 */
export function applyTime(
  state: PartitionState,
  recorded: Pick<RecordedEvent, "offset" | "recordedAt">,
  settings: LiveSettings,
  out: Outputs,
): void {
  finish(advanceClock(createFold(state, recorded, settings, out)));
}

function createFold(
  state: PartitionState,
  { offset, recordedAt }: Pick<RecordedEvent, "offset" | "recordedAt">,
  settings: LiveSettings,
  out: Outputs,
): Fold {
  return {
    state,
    offset,
    recordedAt,
    settings,
    out,
    outputs: 0,
    folded: 0,
    workSincePause: 0,
    listener: undefined,
    raised: undefined,
  };
}

/**
 * Advances the log's own clock to this message. This ends silent tracks, and frees forgotten ones, of any data source.
 */
function* advanceClock(fold: Fold): Steps {
  const { state, offset, recordedAt, settings } = fold;
  state.offset = offset;
  state.recordedAt = recordedAt;
  if (!isKnown(state.geofencesUpTo)) state.geofencesUpTo = settings.geofences.recordedBy(recordedAt);
  sweep(state, recordedAt, settings);
  if (mayHaveSilentTracks(fold)) yield* endSilentTracks(fold);
}

function* foldTrack<E extends TrackCreated | TrackUpdated>(
  fold: Fold,
  event: E,
  changeHeader: (track: Track, event: E) => void,
): Steps {
  const source = touchSource(fold, event);
  const track = trackOf(fold, source, event.trackId);
  const { tag } = track;
  const before = yield* zonesBefore(fold, track);
  changeHeader(track, event);
  markTrack(fold.state, track);
  if (track.tag !== tag && fold.listener !== undefined) yield* fold.listener.tagged(track, before, tag);
  const end = event.endTime === null ? undefined : { trackId: event.trackId, endTime: event.endTime };
  yield* foldReport(fold, source, event.detections, end);
}

/** The first creation in the log counts: a repeated one must not undo an update in between. */
function applyCreation(track: Track, event: TrackCreated): void {
  if (track.tag === "") track.tag = event.tag;
  if (!isKnown(track.startTime)) track.startTime = event.startTime;
}

function update(fold: Fold, track: Track, event: TrackUpdated): void {
  const { tag, startTime, endTime } = patchOf(event);
  track.tag = tag ?? track.tag;
  track.startTime = startTime ?? track.startTime;
  // When the update sets an end, foldReport folds it after the detections of the update.
  if (endTime !== null) return;
  dropHeldEnd(track.source, event.trackId);
  clearEnd(fold, track);
}

/** Folds what a camera reports in one message: detections, then perhaps the end of a track. */
function* foldReport(
  fold: Fold,
  source: Source,
  detections: readonly Detection[],
  end: { readonly trackId: string; readonly endTime: number } | undefined,
): Steps {
  source.clock = detections.at(-1)?.timestamp ?? source.clock;
  if (fold.settings.reorderMs > 0) {
    for (const detection of detections) holdDetection(fold, source, detection);
    if (end !== undefined) holdEnd(fold, source, end.trackId, end.endTime, Math.max(end.endTime, newest(detections)));
  } else {
    yield* observeAll(fold, source, detections);
    if (end !== undefined) yield* foldEnd(fold, source, end.trackId, end.endTime);
  }
  // Detections may be held although `reorderMs` is 0 now, because it may have been above 0 when this state was written.
  if (source.held.length > 0) yield* releaseDue(fold, source);
}

function* observeAll(fold: Fold, source: Source, detections: readonly Detection[]): Steps {
  const isRestDue = createFoldPace(fold);
  for (const detection of detections) {
    const listenerSteps = observe(fold, source, detection);
    if (listenerSteps !== undefined) yield* listenerSteps;
    if (isRestDue(detection)) yield;
  }
}

/** Folds an expiry that the state machine wrote itself. Newer messages in the log may have refuted it by now. */
function* foldExpiry(fold: Fold, { trackId, dataSourceId, endTime }: TrackExpired): Steps {
  const source = fold.state.sources.get(dataSourceId);
  if (source === undefined) return;
  // A newer expiry may be on its way already: its end stays pending, so that it is not written again.
  if (source.pendingEnds.get(trackId) === endTime) source.pendingEnds.delete(trackId);
  if (source.held.length > 0) {
    fold.state.dirtySources.add(source);
    yield* releaseUntil(fold, source, endTime);
  }
  const track = source.tracks.get(trackId);
  if (track === undefined) return;
  settleReadEnd(fold.state, track, endTime);
  if (track.phase !== "live" || track.lastSeen > endTime) return;
  if (source.held.some((held) => held.trackId === trackId && held.detection !== null)) return;
  yield* expireTrack(fold, track);
}

/**
 * Returns the data source, after recording that it sent a message. A data source that was silent for too long starts
 * without a clock.
 */
function touchSource(fold: Fold, event: { readonly dataSourceId: string }): Source {
  const { state, recordedAt } = fold;
  const source = sourceOf(state, event.dataSourceId);
  if (isForgettable(source, recordedAt, fold.settings)) source.clock = Number.NaN;
  source.recordedAt = recordedAt;
  state.quietSince = Math.min(state.quietSince, recordedAt);
  state.dirtySources.add(source);
  return source;
}

const newest = (detections: readonly Detection[]): number =>
  detections.reduce((latest, detection) => Math.max(latest, detection.timestamp), Number.NEGATIVE_INFINITY);
