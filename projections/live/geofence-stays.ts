// A track's stays in geofences. The rules are those of zones, except that only positions count: a position is inside or
// outside, without a percentage and without hysteresis.
import type { GeofencesAdvanced, IntersectionMessageState } from "../../schemas/events.ts";
import { geofenceIntersectionId } from "../../schemas/identity.ts";
import { markTrack } from "./create-state.ts";
import { isKnown } from "./known.ts";
import { addOutput } from "./outputs.ts";
import type { Fold, GeofenceStay, PartitionState, Track } from "./state.ts";

// Every call reuses this list. A fold never pauses while it tests a position, and each thread has a list of its own.
const around: string[] = [];

/**
 * Called when the track's newest detection has a position. Merges two lists that are sorted by geofence id: the track's
 * stays, and the geofences that contain the position.
 */
export function checkGeofences(fold: Fold, track: Track): void {
  const { state, settings } = fold;
  state.geofences ??= settings.geofences.at(state.geofencesUpTo);
  const found = state.geofences.find(track.longitude, track.latitude, around, fold);
  const { stays } = track;
  if (found === 0 && stays.length === 0) return;
  let at = 0;
  for (let i = 0; i < found; i++) {
    const id = around[i] ?? "";
    at = leaveUpTo(fold, track, at, id);
    const stay = stays[at];
    if (stay?.geofenceId === id) remain(fold, track, stay);
    else stays.splice(at, 0, begin(fold, track, id));
    at++;
  }
  leaveUpTo(fold, track, at, undefined);
}

/**
 * Called when the track's newest detection has no position. Open stays continue, and a stay that an expiry ended too
 * early is resumed.
 */
export function resumeStays(fold: Fold, track: Track): void {
  for (const stay of track.stays) if (isKnown(stay.endedAt)) resume(fold, track, stay);
}

/**
 * Ends the stays of a track that has ended at `closeAt`. They remain on the track, because a later detection may show
 * that the track continued.
 */
export function endStays(fold: Fold, track: Track, closeAt: number): void {
  for (const stay of track.stays) {
    const endTime = Math.max(closeAt, stay.lastInside);
    if (stay.endedAt === endTime) continue;
    stay.endedAt = endTime;
    emit(fold, track, stay, "END", endTime);
  }
}

/** Removes the stays of a track that begins a new stretch or is forgotten. */
export function dropStays(state: PartitionState, track: Track): void {
  for (const stay of track.stays) unlink(state, track, stay);
  track.stays = [];
}

/** Adds the track to the index of tracks by geofence. */
export function link(
  { inGeofences }: PartitionState,
  track: Track,
  { geofenceId }: Pick<GeofenceStay, "geofenceId">,
): void {
  const tracks = inGeofences.get(geofenceId);
  if (tracks === undefined) inGeofences.set(geofenceId, new Set([track]));
  else tracks.add(track);
}

/**
 * Applies the geofences as of `upTo`. A stay ends at the track's last detection when the geofence is gone or its new
 * area does not contain the track's last position.
 */
export function advanceGeofences(fold: Fold, event: GeofencesAdvanced): void {
  const { state, settings } = fold;
  const { geofences } = settings;
  const { upTo } = event;
  if (upTo <= state.geofencesUpTo) return;
  const changed = geofences.changedBetween(state.geofencesUpTo, upTo);
  state.geofencesUpTo = upTo;
  state.geofences = null;
  for (const id of changed) {
    const tracks = [...(state.inGeofences.get(id) ?? [])].sort(byTrack);
    for (const track of tracks) {
      if (!geofences.isIn(id, upTo, track.longitude, track.latitude)) cut(fold, track, id);
    }
  }
}

/** Sorts by ids, so that every fold of the log has its outputs in the same order. */
const byTrack = (a: Track, b: Track): number =>
  order(a.trackId, b.trackId) || order(a.source.dataSourceId, b.source.dataSourceId);

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function cut(fold: Fold, track: Track, id: string): void {
  const at = track.stays.findIndex(({ geofenceId }) => geofenceId === id);
  const stay = track.stays[at];
  if (stay === undefined) return;
  track.stays.splice(at, 1);
  unlink(fold.state, track, stay);
  markTrack(fold.state, track);
  if (!isKnown(stay.endedAt)) emit(fold, track, stay, "END", Math.max(track.lastSeen, stay.lastInside));
}

function begin(fold: Fold, track: Track, geofenceId: string): GeofenceStay {
  const { trackId, lastSeen } = track;
  const stay: GeofenceStay = {
    geofenceId,
    id: geofenceIntersectionId(track.source.dataSourceId, trackId, geofenceId, lastSeen),
    startTime: lastSeen,
    lastInside: lastSeen,
    emittedAt: lastSeen,
    endedAt: Number.NaN,
  };
  link(fold.state, track, stay);
  emit(fold, track, stay, "START", null);
  return stay;
}

function remain(fold: Fold, track: Track, stay: GeofenceStay): void {
  stay.lastInside = track.lastSeen;
  if (isKnown(stay.endedAt)) resume(fold, track, stay);
  else if (track.lastSeen - stay.emittedAt >= fold.settings.updateIntervalMs) update(fold, track, stay);
}

/** Withdraws the END that was published when the track ended, because the track continues. */
function resume(fold: Fold, track: Track, stay: GeofenceStay): void {
  stay.endedAt = Number.NaN;
  update(fold, track, stay);
}

function update(fold: Fold, track: Track, stay: GeofenceStay): void {
  stay.emittedAt = track.lastSeen;
  emit(fold, track, stay, "UPDATE", null);
}

/**
 * Ends the stays from index `from` whose geofence ids are below `id` (all when it is undefined): the position is
 * outside those geofences.
 */
function leaveUpTo(fold: Fold, track: Track, from: number, id: string | undefined): number {
  const { stays } = track;
  for (let stay = stays[from]; stay !== undefined && (id === undefined || stay.geofenceId < id); stay = stays[from]) {
    stays.splice(from, 1);
    unlink(fold.state, track, stay);
    if (isKnown(stay.endedAt)) resume(fold, track, stay);
    emit(fold, track, stay, "END", track.lastSeen);
  }
  return from;
}

function unlink({ inGeofences }: PartitionState, track: Track, { geofenceId }: GeofenceStay): void {
  const tracks = inGeofences.get(geofenceId);
  tracks?.delete(track);
  if (tracks?.size === 0) inGeofences.delete(geofenceId);
}

function emit(
  fold: Fold,
  track: Track,
  stay: GeofenceStay,
  state: IntersectionMessageState,
  endTime: number | null,
): void {
  addOutput(fold.out, "geofence-intersections", {
    intersectionId: stay.id,
    geofenceId: stay.geofenceId,
    trackId: track.trackId,
    dataSourceId: track.source.dataSourceId,
    tag: track.tag,
    state,
    startTime: stay.startTime,
    endTime,
    lastInside: stay.lastInside,
    cause: { partition: fold.state.partition, offset: fold.offset, index: fold.outputs++ },
  });
}
