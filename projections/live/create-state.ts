// Creates fresh state, and has the small operations on it that every part of the fold shares.
import { createMotion } from "./motion.ts";
import type { ExitPosition, PartitionState, Source, Track } from "./state.ts";
import { createTrackList } from "./track-list.ts";

export function createPartition(partition: number): PartitionState {
  const sources = new Map<string, Source>();
  return {
    partition,
    sources,
    tracks: new Map(),
    live: createTrackList(),
    resting: createTrackList(),
    zones: new Map(),
    geofencesUpTo: -1,
    geofences: null,
    inGeofences: new Map(),
    owing: new Set(),
    endsOfForgotten: [],
    offset: -1,
    recordedAt: Number.NEGATIVE_INFINITY,
    quietSince: Number.POSITIVE_INFINITY,
    sourceCursor: sources.values(),
    signalsFrom: 0,
    dirtyTracks: [],
    emptiedFields: new Set(),
    dirtySources: new Set(),
    dirtyZones: new Set(),
    dirtyPast: new Map(),
  };
}

export function sourceOf(state: PartitionState, dataSourceId: string): Source {
  const known = state.sources.get(dataSourceId);
  if (known !== undefined) return known;
  const source: Source = {
    dataSourceId,
    clock: Number.NaN,
    recordedAt: Number.NaN,
    tracks: new Map(),
    zones: new Map(),
    zoneVertices: 0,
    index: null,
    held: [],
    pendingEnds: new Map(),
    slot: null,
  };
  state.sources.set(dataSourceId, source);
  return source;
}

export function createLiveTrack(trackId: string, source: Source): Track {
  return {
    trackId,
    source,
    twins: null,
    twinAt: 0,
    tag: "",
    startTime: Number.NaN,
    endTime: Number.NaN,
    trackEnd: Number.NaN,
    phase: "header",
    firstSeen: Number.NaN,
    lastSeen: Number.NaN,
    recordedAt: Number.NaN,
    detections: 0,
    x: Number.NaN,
    y: Number.NaN,
    longitude: Number.NaN,
    latitude: Number.NaN,
    rings: null,
    boxAt: Number.NaN,
    geoAt: Number.NaN,
    motion: createMotion(),
    geoMotion: null,
    intersections: [],
    stays: [],
    history: [],
    sequence: [],
    past: { history: 0, sequence: 0 },
    slot: null,
    seenOffset: -1,
    seenIndex: 0,
    endOwedAt: Number.NaN,
    writtenEnd: Number.NaN,
    restRecordedAt: Number.NaN,
    restOffset: -1,
    restIndex: 0,
    previous: null,
    next: null,
    dirty: false,
  };
}

export function markTrack(state: PartitionState, track: Track): void {
  if (track.dirty) return;
  track.dirty = true;
  state.dirtyTracks.push(track);
}

export function positionOf(track: Track): ExitPosition {
  return { x: track.x, y: track.y, longitude: track.longitude, latitude: track.latitude, rings: track.rings };
}
