// Folds an event of the camera-log into the messages for subscribers of `tracks` and `detectionActivity`. The fold uses
// no clock and no I/O: the caller first looks up the tracks that the memory does not know (`tracksToFind`).
import type {
  CameraLogEvent,
  Detection,
  DetectionsRecorded,
  TrackCreated,
  TrackExpired,
  TrackUpdated,
} from "../../schemas/events.ts";
import { readCameraLog } from "../../schemas/read-message.ts";
import { countOf, createSeen } from "../filters/seen-positions.ts";
import type { TrackRef } from "../history/queries/records.ts";
import { trackKeyOf } from "../history/queries/track-refs.ts";
import type { ShownTrack } from "../track/header.ts";
import { patchOf, setFieldsOf } from "../track/patch.ts";
import type { DetectionMessage } from "./detection-activity.ts";
import type { CreatedTrack, FeedFoldDeps, LogPlace, TopicFold, TracksToFind } from "./kind.ts";
import {
  endOf,
  hasHeader,
  lastDetectionOf,
  type RememberedTrack,
  shownTrackOf,
  standInFor,
} from "./remembered-track.ts";
import { createTrackMemory, type TrackMemory } from "./track-memory.ts";
import type { TrackMessage } from "./tracks.ts";

export type CameraLogMessage = TrackMessage | DetectionMessage;

export function createCameraLogFold(deps: FeedFoldDeps): TopicFold<CameraLogEvent> {
  const { codec, bounds } = deps;
  const memory = createTrackMemory(deps);
  return {
    read({ value, timestamp }, partition) {
      const read = readCameraLog(codec, { value, recordedAt: Number(timestamp), partition, bounds });
      return read.ok ? read.message : undefined;
    },
    fold: (event, place) => foldCameraLog(memory, event, place),
    tracks: { memory, toFind: (events) => tracksToFind(memory, events) },
  };
}

interface Step extends LogPlace {
  readonly memory: TrackMemory;
  readonly out: CameraLogMessage[];
}

export function foldCameraLog(memory: TrackMemory, message: CameraLogEvent, place: LogPlace): CameraLogMessage[] {
  const step: Step = { memory, ...place, out: [] };
  switch (message.type) {
    case "TrackCreated":
      create(step, message.event);
      break;
    case "TrackUpdated":
      update(step, message.event);
      break;
    case "TrackExpired":
      expire(step, message.event);
      break;
    case "DetectionsRecorded":
      record(step, message.event);
      break;
    case "ZoneCreated":
    case "ZoneUpdated":
    case "ZoneDeleted":
    case "GeofencesAdvanced":
      break;
    default:
      message satisfies never;
  }
  return step.out;
}

/**
 * Returns the tracks that these events name and that are known neither to the memory nor from an earlier one of the
 * events.
 */
export function tracksToFind(memory: TrackMemory, messages: readonly (CameraLogEvent | undefined)[]): TracksToFind {
  const introduced = new Set<string>();
  const created: CreatedTrack[] = [];
  const missing = new Map<string, TrackRef>();
  const want = ({ dataSourceId, trackId }: TrackRef) => {
    const ref = { dataSourceId, trackId };
    const key = trackKeyOf(ref);
    if (!introduced.has(key) && !missing.has(key) && !hasHeader(memory.peek(ref))) missing.set(key, ref);
  };
  const introduce = ({ dataSourceId, trackId }: TrackRef, at: number) => {
    const ref = { dataSourceId, trackId };
    const key = trackKeyOf(ref);
    const isUnknown = !introduced.has(key) && !missing.has(key) && memory.peek(ref) === undefined;
    if (isUnknown) created.push({ ...ref, at });
    introduced.add(key);
  };
  for (const [at, message] of messages.entries()) {
    if (message === undefined) continue;
    const { type, event } = message;
    if (type === "TrackCreated") introduce(event, at);
    else if (type === "TrackUpdated" || type === "TrackExpired") want(event);
    else if (type === "DetectionsRecorded") {
      const { dataSourceId } = event;
      for (const { trackId } of event.detections) want({ dataSourceId, trackId });
    }
  }
  return { headers: [...missing.values()], created };
}

function create(step: Step, event: TrackCreated): void {
  const known = step.memory.get(event);
  if (known?.started) {
    repeat(step, event, known);
    return;
  }
  const track = { ...(known ?? standInFor(event)), ...headerOf(event, known), started: true };
  // Without its header, an end from a look-up does not belong to an earlier creation.
  if (!track.found) track.foundEnd = null;
  // The history knew no such track either, so it has no earlier positions and detections.
  if (known === undefined) Object.assign(track, { seen: createSeen([]), isWhole: true });
  track.seen.since ??= step.offset;
  step.memory.set(track);
  takeDetections(step, track, event.detections);
  reportTrack(step, 0, "START", track);
  if (event.endTime !== null && track.endSetAt === null) track.explicitEnd = track.foundEnd ?? event.endTime;
  if (endOf(track) !== null) reportTrack(step, 1, "END", track);
}

/** Follows the rule of the history: the first creation counts, and any update outweighs every creation. */
function headerOf(event: TrackCreated, known: RememberedTrack | undefined) {
  const { modelId, tag, startTime, properties, metadata } = event;
  if (known === undefined) return { modelId, tag, startTime, properties, metadata };
  const { found, setFields } = known;
  if (found) return {};
  return {
    modelId,
    tag: setFields.has("tag") ? known.tag : tag,
    startTime: setFields.has("startTime") ? known.startTime : startTime,
    properties: setFields.has("properties") ? known.properties : properties,
    metadata: setFields.has("metadata") ? known.metadata : metadata,
  };
}

/** Folds a repeated creation: its header does not count, but its new detections and its end do. */
function repeat(step: Step, event: TrackCreated, track: RememberedTrack): void {
  track.seen.since ??= step.offset;
  if (takeDetections(step, track, event.detections)) reportTrack(step, 0, "UPDATE", track);
  if (event.endTime === null || track.endSetAt !== null || track.explicitEnd !== null) return;
  const wasOpen = endOf(track) === null;
  track.explicitEnd = event.endTime;
  if (wasOpen) reportTrack(step, 1, "END", track);
}

function update(step: Step, event: TrackUpdated): void {
  const track = known(step, event, event.startTime ?? event.endTime ?? step.recordedAt);
  const fresh = takeDetections(step, track, event.detections);
  const wasOpen = endOf(track) === null;
  const changed = applyUpdate(step, event, track);
  if (changed) step.memory.set(track);
  // A repeated mutation gives no message. A header from a look-up may already contain this very update, so an unchanged
  // header does not prove that the update is a repetition.
  if (track.started && !changed && !fresh) return;
  reportTrack(step, 0, wasOpen && endOf(track) !== null ? "END" : "UPDATE", track);
}

function applyUpdate({ offset }: Step, event: TrackUpdated, track: RememberedTrack): boolean {
  const before = JSON.stringify(shownTrackOf(track));
  const { endTime, ...patch } = patchOf(event);
  Object.assign(track, patch);
  for (const field of setFieldsOf(patch)) track.setFields.add(field);
  if (endTime !== undefined) {
    track.endSetAt = offset;
    track.explicitEnd = endTime;
    track.expiredEnd = null;
    track.foundEnd = null;
  }
  return JSON.stringify(shownTrackOf(track)) !== before;
}

function expire(step: Step, event: TrackExpired): void {
  const { endTime, readUpTo } = event;
  const track = known(step, event, endTime);
  const unread = track.endSetAt !== null && readUpTo !== null && track.endSetAt >= readUpTo;
  if (unread || lastDetectionOf(track) > endTime) return;
  const before = endOf(track);
  if (before === endTime) return;
  track.expiredEnd = endTime;
  reportTrack(step, 0, before === null ? "END" : "UPDATE", track);
}

function record(step: Step, { dataSourceId, detections }: DetectionsRecorded): void {
  const places = new Map<string, number[]>();
  for (const [i, { trackId }] of detections.entries()) {
    const of = places.get(trackId);
    if (of === undefined) places.set(trackId, [i]);
    else of.push(i);
  }
  let index = 0;
  for (const [trackId, indexes] of places) {
    const first = detections[indexes[0] ?? 0];
    const track = known(step, { trackId, dataSourceId }, first?.timestamp ?? step.recordedAt);
    if (takeDetections(step, track, detections, indexes)) reportTrack(step, index, "UPDATE", track);
    index++;
  }
  // The loop ran by track, but messages must be in the order of the event, because a client that resumes skips the
  // first few.
  step.out.sort((a, b) => a.index - b.index);
}

/** Returns the track, or a stand-in when it is unknown, because its header may still arrive. */
function known({ memory, offset }: Step, ref: TrackRef, startTime: number): RememberedTrack {
  let track = memory.get(ref);
  if (track === undefined) {
    track = standInFor({ ...ref, startTime });
    memory.set(track);
  }
  track.seen.since ??= offset;
  return track;
}

/**
 * Records the detections (those at `indexes`, else all) and reports each new one.
 * @returns true when some are new.
 */
function takeDetections(
  step: Step,
  track: RememberedTrack,
  detections: readonly Detection[],
  indexes: Iterable<number> = detections.keys(),
): boolean {
  const fresh: [index: number, detection: Detection][] = [];
  for (const index of indexes) {
    const detection = detections[index];
    if (detection === undefined) continue;
    if (step.memory.note(track, detection) === "new") fresh.push([index, detection]);
  }
  if (fresh.length === 0) return false;
  const shown = shownTrackOf(track);
  for (const [index, detection] of fresh) step.out.push(activity(step, index, shown, detection));
  return true;
}

function activity({ recordedAt }: Step, index: number, track: ShownTrack, detection: Detection): DetectionMessage {
  const { dataSourceId } = track;
  return {
    kind: "detectionActivity",
    index,
    dataSourceId,
    track,
    detection: { ...detection, dataSourceId, recordedAt },
  };
}

function reportTrack({ out }: Step, index: number, state: TrackMessage["state"], track: RememberedTrack): void {
  const { seen, dataSourceId } = track;
  out.push({
    kind: "tracks",
    index,
    dataSourceId,
    state,
    track: shownTrackOf(track),
    seen: { seen, count: countOf(seen) },
  });
}
