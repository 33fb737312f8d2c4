// Folds an event of the camera-log into the messages for subscribers of `tracks` and `detectionActivity`. No clock, no
// I/O: the caller first looks up the tracks that the memory does not know (`tracksToFind`).
import type {
  CameraLogEvent,
  Detection,
  DetectionsRecorded,
  TrackCreated,
  TrackExpired,
  TrackUpdated,
} from "../../schemas/events.ts";
import { readCameraLog } from "../../schemas/read-message.ts";
import type { TrackRef } from "../history/queries/records.ts";
import { trackKeyOf } from "../history/queries/track-refs.ts";
import type { ShownTrack } from "../track/header.ts";
import { patchOf, saidFields } from "../track/patch.ts";
import type { DetectionMessage } from "./detection-activity.ts";
import type { FoldDeps, Place, TopicFold } from "./kind.ts";
import { countOf, createSeen } from "./seen-positions.ts";
import {
  createTrackMemory,
  endOf,
  hasHeader,
  lastDetectionOf,
  noteDetection,
  type RememberedTrack,
  rememberedFrom,
  snapshot,
  type TrackMemory,
} from "./track-memory.ts";
import type { TrackMessage } from "./tracks.ts";

export type CameraLogMessage = TrackMessage | DetectionMessage;

export function createCameraLogFold(deps: FoldDeps): TopicFold<CameraLogEvent> {
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

interface Step extends Place {
  readonly memory: TrackMemory;
  readonly out: CameraLogMessage[];
}

export function foldCameraLog(memory: TrackMemory, message: CameraLogEvent, place: Place): CameraLogMessage[] {
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

/** Tracks that these events name, and whose header neither the memory nor an earlier event of them has. */
export function tracksToFind(memory: TrackMemory, messages: Iterable<CameraLogEvent>): TrackRef[] {
  const introduced = new Set<string>();
  const missing = new Map<string, TrackRef>();
  const want = ({ dataSourceId, trackId }: TrackRef) => {
    const ref = { dataSourceId, trackId };
    const key = trackKeyOf(ref);
    if (!introduced.has(key) && !missing.has(key) && !hasHeader(memory.peek(ref))) missing.set(key, ref);
  };
  for (const { type, event } of messages) {
    if (type === "TrackCreated") introduced.add(trackKeyOf(event));
    else if (type === "TrackUpdated" || type === "TrackExpired") want(event);
    else if (type === "DetectionsRecorded") {
      const { dataSourceId } = event;
      for (const { trackId } of event.detections) want({ dataSourceId, trackId });
    }
  }
  return [...missing.values()];
}

function create(step: Step, event: TrackCreated): void {
  const known = step.memory.get(event);
  if (known?.started) {
    repeat(step, event, known);
    return;
  }
  const track = { ...(known ?? standInFor(event)), ...headerOf(event, known), started: true, foundEnd: null };
  // A track that no event has named before has no earlier positions.
  if (known === undefined) track.seen = createSeen([]);
  track.seen.since ??= step.offset;
  step.memory.set(track);
  takeDetections(step, track, event.detections);
  tell(step, 0, "START", track);
  if (event.endTime !== null && track.endSaidAt === null) track.explicitEnd = event.endTime;
  if (endOf(track) !== null) tell(step, 1, "END", track);
}

/** Follows the rule of the history: the first creation counts, and any update outweighs every creation. */
function headerOf(event: TrackCreated, known: RememberedTrack | undefined) {
  const { modelId, tag, startTime, properties, metadata } = event;
  if (known === undefined) return { modelId, tag, startTime, properties, metadata };
  const { found, said } = known;
  if (found) return {};
  return {
    modelId,
    tag: said.has("tag") ? known.tag : tag,
    startTime: said.has("startTime") ? known.startTime : startTime,
    properties: said.has("properties") ? known.properties : properties,
    metadata: said.has("metadata") ? known.metadata : metadata,
  };
}

/** A repeated creation: its header no longer counts, but its new detections and its end do. */
function repeat(step: Step, event: TrackCreated, track: RememberedTrack): void {
  track.seen.since ??= step.offset;
  if (takeDetections(step, track, event.detections)) tell(step, 0, "UPDATE", track);
  if (event.endTime === null || track.endSaidAt !== null || track.explicitEnd !== null) return;
  const wasOpen = endOf(track) === null;
  track.explicitEnd = event.endTime;
  if (wasOpen) tell(step, 1, "END", track);
}

function update(step: Step, event: TrackUpdated): void {
  const track = known(step, event, event.startTime ?? event.endTime ?? step.recordedAt);
  const fresh = takeDetections(step, track, event.detections);
  const wasOpen = endOf(track) === null;
  const changed = lay(step, event, track);
  if (changed) step.memory.set(track);
  // A repeated mutation changes nothing. A header from a look-up may already hold this very update, so it proves
  // nothing.
  if (track.started && !changed && !fresh) return;
  tell(step, 0, wasOpen && endOf(track) !== null ? "END" : "UPDATE", track);
}

function lay({ offset }: Step, event: TrackUpdated, track: RememberedTrack): boolean {
  const before = JSON.stringify(snapshot(track));
  const { endTime, ...said } = patchOf(event);
  Object.assign(track, said);
  for (const field of saidFields(said)) track.said.add(field);
  if (endTime !== undefined) {
    track.endSaidAt = offset;
    track.explicitEnd = endTime;
    track.expiredEnd = null;
    track.foundEnd = null;
  }
  return JSON.stringify(snapshot(track)) !== before;
}

function expire(step: Step, event: TrackExpired): void {
  const { endTime, readUpTo } = event;
  const track = known(step, event, endTime);
  const unread = track.endSaidAt !== null && readUpTo !== null && track.endSaidAt >= readUpTo;
  if (unread || lastDetectionOf(track) > endTime) return;
  const before = endOf(track);
  if (before === endTime) return;
  track.expiredEnd = endTime;
  tell(step, 0, before === null ? "END" : "UPDATE", track);
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
    if (takeDetections(step, track, detections, indexes)) tell(step, index, "UPDATE", track);
    index++;
  }
  // The loop went by track; messages must be in the order of the event, because a client that resumes skips the first
  // few.
  step.out.sort((a, b) => a.index - b.index);
}

function standInFor({ trackId, dataSourceId, startTime }: TrackRef & Pick<TrackCreated, "startTime">) {
  const nothing = { tag: "", endTime: null, modelId: null, properties: null, metadata: null };
  return rememberedFrom({ trackId, dataSourceId, startTime, ...nothing });
}

/** The track, or a stand-in if it is unknown: its header may still come. */
function known({ memory, offset }: Step, ref: TrackRef, startTime: number): RememberedTrack {
  let track = memory.get(ref);
  if (track === undefined) {
    track = standInFor({ ...ref, startTime });
    memory.set(track);
  }
  track.seen.since ??= offset;
  return track;
}

/** Notes the detections (those at `indexes`, else all) and reports each new one; true = some are new. */
function takeDetections(
  step: Step,
  track: RememberedTrack,
  detections: readonly Detection[],
  indexes: Iterable<number> = detections.keys(),
): boolean {
  const told: [index: number, detection: Detection][] = [];
  for (const index of indexes) {
    const detection = detections[index];
    if (detection === undefined) continue;
    const noted = noteDetection(track, detection);
    // Also for a late detection: the history keeps it, so the track was there.
    if (noted !== "known" && detection.position !== null) step.memory.see(track, detection.position);
    if (noted === "new") told.push([index, detection]);
  }
  if (told.length === 0) return false;
  const shown = snapshot(track);
  for (const [index, detection] of told) step.out.push(activity(step, index, shown, detection));
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

function tell({ out }: Step, index: number, state: TrackMessage["state"], track: RememberedTrack): void {
  const { seen, dataSourceId } = track;
  out.push({
    kind: "tracks",
    index,
    dataSourceId,
    state,
    track: snapshot(track),
    seen: { seen, count: countOf(seen) },
  });
}
