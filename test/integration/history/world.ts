// A small random history: events in log order, and the answers that a reader must get, computed from the list of events
// by the simplest means.

import type {
  DetectionRecord,
  IntersectionRecord,
  TrackRecord,
  TrackRef,
} from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import type {
  CameraLogEvent,
  Detection,
  GeoPosition,
  TrackProperties,
  ZoneIntersectionChanged,
} from "../../../schemas/events.ts";

export interface LogEntry {
  readonly partition: number;
  readonly offset: number;
  readonly recordedAt: number;
  readonly message: CameraLogEvent;
}

export interface World {
  readonly log: readonly LogEntry[];
  readonly changes: readonly { readonly event: ZoneIntersectionChanged; readonly recordedAt: number }[];
  readonly tracks: readonly TrackRecord[];
  readonly detections: readonly DetectionRecord[];
  readonly intersections: readonly IntersectionRecord[];
}

export type Random = () => number;

/** Mulberry32. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const START = Date.parse("2026-01-01T00:00:00.000Z");
export const sources = ["ds-a", "ds-b", "ds-c"];
export const zones = ["zone-1", "zone-2", "zone-3"];
export const tags = ["person", "Person", "car", "50%_off"];

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const chance = (random: Random, share: number): boolean => random() < share;

export const time = (random: Random): number => START + Math.floor(random() * 600) * 100;

function position(random: Random): GeoPosition {
  return {
    longitude: Math.round(random() * 100) / 1_000,
    latitude: Math.round(random() * 100) / 1_000,
    altitude: chance(random, 0.5) ? 12.5 : null,
    crs: null,
  };
}

function detection(random: Random, trackId: string): Detection {
  const x = Math.floor(random() * 1_000);
  const rings = [[x, 0, x + 10, 0, x + 10, 20.5, x, 20.5, x, 0]];
  return {
    trackId,
    timestamp: time(random),
    polygon: chance(random, 0.8) ? { rings, crs: chance(random, 0.2) ? '{"type":"name"}' : null } : null,
    position: chance(random, 0.6) ? position(random) : null,
    direction: chance(random, 0.5) ? Math.floor(random() * 360) : null,
    metadata: chance(random, 0.3) ? JSON.stringify({ "it's": 'a\\b\n\n"c"', n: Math.floor(random() * 5) }) : null,
  };
}

function properties(random: Random): TrackProperties {
  const property = () => ({ type: pick(random, ["plate", "color"]), value: pick(random, ["red", "blue", "AB-1"]) });
  return {
    identifier: chance(random, 0.6) ? property() : null,
    attributes: chance(random, 0.7) ? [property(), property()] : null,
  };
}

function detectionsOf(random: Random, trackId: string): Detection[] {
  return Array.from({ length: Math.floor(random() * 5) }, () => detection(random, trackId));
}

function event(random: Random, offset: number, dataSourceId: string, trackId: string): CameraLogEvent {
  const roll = random();
  if (roll < 0.15) {
    const endTime = chance(random, 0.2) ? time(random) : null;
    const modelId = chance(random, 0.5) ? pick(random, ["m1", "m2"]) : null;
    const metadata = chance(random, 0.5) ? '{"a":[1,{"b":"x"}]}' : null;
    const header = { trackId, dataSourceId, tag: pick(random, tags), startTime: time(random), endTime, modelId };
    const own = chance(random, 0.6) ? properties(random) : null;
    return {
      type: "TrackCreated",
      event: { ...header, properties: own, metadata, detections: detectionsOf(random, trackId) },
    };
  }
  if (roll < 0.3) {
    const cleared = (["endTime", "properties", "metadata"] as const).filter(() => chance(random, 0.2));
    const set = (field: "endTime" | "properties" | "metadata") => !cleared.includes(field) && chance(random, 0.4);
    return {
      type: "TrackUpdated",
      event: {
        trackId,
        dataSourceId,
        tag: chance(random, 0.3) ? pick(random, tags) : null,
        startTime: chance(random, 0.3) ? time(random) : null,
        endTime: set("endTime") ? time(random) : null,
        properties: set("properties") ? properties(random) : null,
        metadata: set("metadata") ? '{"updated":true}' : null,
        cleared,
        detections: detectionsOf(random, trackId),
      },
    };
  }
  if (roll < 0.4) {
    const readUpTo = chance(random, 0.3) ? null : offset - Math.floor(random() * 40);
    return {
      type: "TrackExpired",
      event: { trackId, dataSourceId, endTime: time(random), reason: "expired", readUpTo },
    };
  }
  return { type: "DetectionsRecorded", event: { dataSourceId, detections: detectionsOf(random, trackId) } };
}

/** All sources have a track of every fourth number with the same id. */
const trackIdOf = (source: number, number: number): string =>
  number % 4 === 3 ? `track-${number}` : `track-${source}-${number}`;

export function createWorld(seed: number, events = 400, tracksPerSource = 8): World {
  const random = seeded(seed);
  const next = new Map<number, number>();
  const log = Array.from({ length: events }, (): LogEntry => {
    const source = Math.floor(random() * sources.length);
    const partition = source % 2;
    const offset = next.get(partition) ?? 5;
    next.set(partition, offset + 1 + Math.floor(random() * 2));
    const trackId = trackIdOf(source, Math.floor(random() * tracksPerSource));
    const message = event(random, offset, sources[source] ?? "", trackId);
    return { partition, offset, recordedAt: START + 3_600_000 + offset * 10, message };
  });
  return worldOf(log, intersectionChanges(random, tracksPerSource, log));
}

/** `log` in log order per partition. */
export function worldOf(log: World["log"], changes: World["changes"]): World {
  const detections = expectedDetections(log);
  return {
    log,
    changes,
    detections,
    tracks: expectedTracks(log, detections),
    intersections: expectedIntersections(changes),
  };
}

/** Recorded with a tag that some event gave the track: live state may have forgotten the one that counts. */
function tagThen(random: Random, trackId: string, log: readonly LogEntry[]): string {
  const tagsOf = ({ message: { type, event } }: LogEntry) =>
    (type === "TrackCreated" || type === "TrackUpdated") && event.trackId === trackId ? [event.tag ?? ""] : [];
  return pick(random, ["", ...log.flatMap(tagsOf)]);
}

function intersectionChanges(random: Random, tracksPerSource: number, log: readonly LogEntry[]): World["changes"] {
  return Array.from({ length: 120 }, (_, i) => {
    const source = Math.floor(random() * sources.length);
    const trackId = trackIdOf(source, Math.floor(random() * tracksPerSource));
    const dataSourceId = sources[source] ?? "";
    const ofSource = log.filter(
      ({ message: { event } }) => "dataSourceId" in event && event.dataSourceId === dataSourceId,
    );
    const zoneId = pick(random, zones);
    const startTime = START + Math.floor(random() * 4) * 15_000;
    const lastInside = startTime + Math.floor(random() * 100) * 100;
    const state = pick(random, ["START", "UPDATE", "END"] as const);
    return {
      recordedAt: START + 3_600_000,
      event: {
        intersectionId: `${trackId}/${dataSourceId}/${zoneId}/${startTime}`,
        zoneId,
        trackId,
        dataSourceId,
        tag: tagThen(random, trackId, ofSource),
        state,
        startTime,
        endTime: state === "END" ? lastInside + 100 : null,
        lastInside,
        cause: { partition: source % 2, offset: 10 + Math.floor(i / 3), index: i % 3 },
      },
    };
  });
}

function expectedDetections(log: readonly LogEntry[]): DetectionRecord[] {
  const first = new Map<string, DetectionRecord>();
  for (const { message, recordedAt } of log) {
    if (!("detections" in message.event)) continue;
    const { dataSourceId, detections } = message.event;
    for (const seen of detections) {
      const key = `${dataSourceId}/${seen.trackId}@${seen.timestamp}`;
      if (!first.has(key)) first.set(key, { ...seen, dataSourceId, recordedAt });
    }
  }
  return [...first.values()];
}

function expectedTracks(log: readonly LogEntry[], detections: readonly DetectionRecord[]): TrackRecord[] {
  const refs = new Map(log.flatMap(({ message }) => refsIn(message)).map((ref) => [trackKeyOf(ref), ref]));
  return [...refs.values()].map((ref) => expectedTrack(ref, log, detections));
}

function refsIn({ event }: CameraLogEvent): TrackRef[] {
  if (!("dataSourceId" in event)) return [];
  const { dataSourceId } = event;
  const seen = "detections" in event ? event.detections.map(({ trackId }) => ({ trackId, dataSourceId })) : [];
  return "trackId" in event ? [{ trackId: event.trackId, dataSourceId }, ...seen] : seen;
}

function expectedTrack(ref: TrackRef, log: readonly LogEntry[], detections: readonly DetectionRecord[]): TrackRecord {
  const isMine = (other: TrackRef) => trackKeyOf(other) === trackKeyOf(ref);
  const mine = log.filter(({ message }) => refsIn(message).some(isMine));
  const created = mine.flatMap(({ message }) => (message.type === "TrackCreated" ? [message.event] : [])).at(0);
  const times = detections.filter(isMine).map(({ timestamp }) => timestamp);
  const last = times.length === 0 ? null : Math.max(...times);
  const first = times.length === 0 ? null : Math.min(...times);

  let { tag, properties: own, metadata } = created ?? { tag: "", properties: null, metadata: null };
  let startTime = created?.startTime ?? null;
  let explicit: number | null = null;
  // The end in a creation counts only while no other event has set or cleared the end.
  const firstWithEnd = mine.flatMap(({ message }) =>
    message.type === "TrackCreated" && message.event.endTime !== null ? [message.event.endTime] : [],
  );
  explicit = firstWithEnd[0] ?? null;
  let expiry: number | null = null;
  for (const { message } of mine.toSorted(byKnowledge)) {
    if (message.type === "TrackExpired") expiry = message.event.endTime;
    if (message.type !== "TrackUpdated") continue;
    const { event: update } = message;
    tag = update.tag ?? tag;
    startTime = update.startTime ?? startTime;
    if (update.endTime !== null || update.cleared.includes("endTime")) {
      explicit = update.endTime;
      expiry = null;
    }
    if (update.properties !== null || update.cleared.includes("properties")) own = update.properties;
    if (update.metadata !== null || update.cleared.includes("metadata")) metadata = update.metadata;
  }
  const refuted = expiry !== null && last !== null && last > expiry;
  return {
    trackId: ref.trackId,
    dataSourceId: ref.dataSourceId,
    tag,
    startTime: startTime ?? first ?? Math.min(...mine.map(({ recordedAt }) => recordedAt)),
    endTime: expiry !== null && !refuted ? expiry : explicit,
    modelId: created?.modelId ?? null,
    properties: own,
    metadata,
    firstDetectionAt: first,
    lastDetectionAt: last,
  };
}

/** The track that the id alone means: docs/decisions/0033. */
export function seenLastOf(tracks: readonly TrackRecord[], id: string): TrackRecord | undefined {
  const seen = ({ lastDetectionAt }: TrackRecord) => lastDetectionAt ?? Number.NEGATIVE_INFINITY;
  const later = (a: TrackRecord, b: TrackRecord) =>
    seen(a) === seen(b) ? (a.dataSourceId < b.dataSourceId ? -1 : 1) : seen(b) - seen(a);
  return tracks.filter(({ trackId }) => trackId === id).toSorted(later)[0];
}

/** The tracks whose id no other source uses. */
export const withOwnIds = ({ tracks }: Pick<World, "tracks">): TrackRecord[] =>
  tracks.filter(({ trackId }) => tracks.filter((each) => each.trackId === trackId).length === 1);

/** An expiry ranks before the first message that its author had not read; other events rank by their own offset. */
function byKnowledge(a: LogEntry, b: LogEntry): number {
  return knownUpTo(a) - knownUpTo(b) || endOf(a) - endOf(b);
}

const knownUpTo = ({ message, offset }: LogEntry): number =>
  message.type === "TrackExpired" ? Math.min(message.event.readUpTo ?? offset, offset) - 0.5 : offset;

const endOf = ({ message }: LogEntry): number => (message.type === "TrackExpired" ? message.event.endTime : 0);

/** With the tags that their tracks have now: those that filters and summaries go by. */
export function taggedNow({ intersections, tracks }: Pick<World, "intersections" | "tracks">): IntersectionRecord[] {
  const tagOf = new Map(tracks.map((track) => [trackKeyOf(track), track.tag]));
  return intersections.map((record) => ({ ...record, tag: tagOf.get(trackKeyOf(record)) ?? record.tag }));
}

/** With the tags that they were recorded with. */
function expectedIntersections(changes: World["changes"]): IntersectionRecord[] {
  const latest = new Map<string, ZoneIntersectionChanged>();
  for (const { event: change } of changes) {
    const known = latest.get(change.intersectionId);
    const later =
      known === undefined ||
      change.cause.offset > known.cause.offset ||
      (change.cause.offset === known.cause.offset && change.cause.index >= known.cause.index);
    if (later) latest.set(change.intersectionId, change);
  }
  return [...latest.values()].map(({ state: _state, cause: _cause, ...record }) => record);
}
