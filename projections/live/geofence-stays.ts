// A track's stays in geofences. The rules are those of zones, but a position is in or out: there is no share, no hysteresis,
// and only positions matter.
import type { GeofencesAdvanced, MessageState } from "../../schemas/events.ts";
import { geofenceIntersectionId } from "../../schemas/identity.ts";
import { markTrack } from "./create-state.ts";
import { isKnown } from "./known.ts";
import type { Fold, PartitionState, Stay, Track } from "./state.ts";

// Scratch of this thread: a fold never rests within a detection.
const around: string[] = [];

/** The track's newest detection has a position. Walks the stays and the geofences around it side by side, by id. */
export function judgePosition(fold: Fold, track: Track): void {
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

/** The track's newest detection has no position: stays go on, and one that an expiry ended too early is resumed. */
export function resumeStays(fold: Fold, track: Track): void {
  for (const stay of track.stays) if (isKnown(stay.endedAt)) resume(fold, track, stay);
}

/** Ends the stays of a track that has ended; they stay on it. `closeAt`: the track's end by its own account. */
export function endStays(fold: Fold, track: Track, closeAt: number): void {
  for (const stay of track.stays) {
    const endTime = Math.max(closeAt, stay.lastInside);
    if (stay.endedAt === endTime) continue;
    stay.endedAt = endTime;
    emit(fold, track, stay, "END", endTime);
  }
}

/** The track begins anew, or is forgotten. */
export function dropStays(state: PartitionState, track: Track): void {
  for (const stay of track.stays) unlink(state, track, stay);
  track.stays = [];
}

/** A stay that was read back. */
export function link({ inGeofences }: PartitionState, track: Track, { geofenceId }: Pick<Stay, "geofenceId">): void {
  const tracks = inGeofences.get(geofenceId);
  if (tracks === undefined) inGeofences.set(geofenceId, new Set([track]));
  else tracks.add(track);
}

/** The last detection ends the stays in geofences that are gone, or whose last position is no longer inside. */
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

/** An order that does not depend on memory. */
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

function begin(fold: Fold, track: Track, geofenceId: string): Stay {
  const { trackId, lastSeen } = track;
  const stay: Stay = {
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

function remain(fold: Fold, track: Track, stay: Stay): void {
  stay.lastInside = track.lastSeen;
  if (isKnown(stay.endedAt)) resume(fold, track, stay);
  else if (track.lastSeen - stay.emittedAt >= fold.settings.updateIntervalMs) update(fold, track, stay);
}

/** Takes back the end that was published when the track expired. */
function resume(fold: Fold, track: Track, stay: Stay): void {
  stay.endedAt = Number.NaN;
  update(fold, track, stay);
}

function update(fold: Fold, track: Track, stay: Stay): void {
  stay.emittedAt = track.lastSeen;
  emit(fold, track, stay, "UPDATE", null);
}

/** The position is outside the geofences before the id, or all. Returns the place of the first stay not looked at. */
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

function unlink({ inGeofences }: PartitionState, track: Track, { geofenceId }: Stay): void {
  const tracks = inGeofences.get(geofenceId);
  tracks?.delete(track);
  if (tracks?.size === 0) inGeofences.delete(geofenceId);
}

function emit(fold: Fold, track: Track, stay: Stay, state: MessageState, endTime: number | null): void {
  fold.out.geofenceIntersections.push({
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
