// A session over a camera with very many tracks and versions of zones, which are made up as they are read. It runs in
// a worker whose memory would not hold them all, and posts how many of its track's detections came.
import { parentPort, workerData } from "node:worker_threads";
import type { Segment } from "../../../../projections/replay/session.ts";
import type { CameraLogEvent, Typed } from "../../../../schemas/events.ts";
import type { FetchedMessages } from "../../../../services/common/kafka/read/fetch-log.ts";
import { createLog } from "../../../../services/common/log.ts";
import { createHistoryBudget } from "../../../../services/recorded/history-budget.ts";
import { type ReadDeps, storedSegments } from "../../../../services/recorded/read-segment.ts";
import { stepsOf } from "../../../../services/recorded/steps.ts";
import { liveSettings } from "../../../support/running/live-settings.ts";
import { detection } from "../../../support/scenes/detection.ts";
import { zone } from "../../../support/scenes/zone.ts";

const TRACKS = 10_000;
const VERSIONS = 20_000;
const PORTION = 250;
const T0 = Date.UTC(2026, 0, 1);
/** No id may be longer. */
const idOf = (n: number): string => `${n}`.padStart(200, "0");
const ASKED = idOf(TRACKS - 1);
const timeOf = (n: number): number => T0 + n * 30;
const dataSourceId = "cam";
/** A ring of 1,001 vertices, so that a track takes much memory. */
const RING = [...Array.from({ length: 250 }, () => [0, 0, 10, 0, 10, 10, 0, 10]).flat(), 0, 0];

/** Three messages for each track, which is gone before the next one comes. */
function cameraLog(offset: number): CameraLogEvent {
  const trackId = idOf(Math.floor(offset / 3));
  const at = timeOf(Math.floor(offset / 3));
  const ids = { trackId, dataSourceId };
  const unsaid = { endTime: null, modelId: null, properties: null, metadata: null, detections: [] };
  if (offset % 3 === 0) return { type: "TrackCreated", event: { ...ids, ...unsaid, tag: "person", startTime: at } };
  if (offset % 3 === 1) {
    const detections = [detection({ trackId, timestamp: at, polygon: { rings: [[...RING]], crs: null } })];
    return { type: "DetectionsRecorded", event: { dataSourceId, detections } };
  }
  return { type: "TrackExpired", event: { ...ids, endTime: at, reason: "expired", readUpTo: null } };
}

const zones = (offset: number): Typed => {
  const name = `${offset}`.padStart(8_000, "x");
  const moved = zone({ zoneId: "z", dataSourceId, name, createdAt: T0, updatedAt: T0 });
  const of = { zoneId: "z", dataSourceId, movedTo: null, refusal: null, partition: 0, offset };
  return { type: "ZoneVersion", event: { ...of, zone: moved } };
};

const ends: Readonly<Record<string, number>> = { "camera-log": 3 * TRACKS, zones: VERSIONS };

function fetched(topic: string, offset: number): FetchedMessages {
  const count = Math.min(PORTION, (ends[topic] ?? 0) - offset);
  const messages = Array.from({ length: count }, (_, i) => ({
    ...{
      key: null,
      attributes: 0,
      headers: {},
      offset: String(offset + i),
      value: Buffer.from(`${topic} ${offset + i}`),
    },
    timestamp: String(topic === "zones" ? T0 - 1 : timeOf((offset + i) / 3)),
  }));
  return { messages, next: offset + count };
}

const unused = () => {
  throw new Error("not used here");
};

/** A detection of each track. */
function createHistory(): ReadDeps["history"] {
  let next = 0;
  const rows = (text: string) => {
    if (text.includes("headers from before")) return [];
    if (text.includes("offsets of detections")) return [{ first: "0", last: String(3 * TRACKS) }];
    const isHeaders = text.includes("headers of tracks");
    const begin = isHeaders ? Math.max(0, next - 2 * PORTION) : next;
    const end = isHeaders ? next : Math.min(TRACKS, next + PORTION);
    next = end;
    return Array.from({ length: end - begin }, (_, i) => (isHeaders ? headerOf(begin + i) : rowOf(begin + i)));
  };
  return { query: async ({ query }) => ({ json: async () => rows(query) }) as never };
}

const headerOf = (n: number) => ({
  ...{ track_id: idOf(n), data_source_id: dataSourceId, tag: "person" },
  ...{ start: String(timeOf(n)), ended: String(timeOf(n)), last: String(timeOf(n)) },
});

const rowOf = (n: number) => ({
  ...{ data_source_id: dataSourceId, track_id: idOf(n), timestamp_ms: timeOf(n), recorded_at_ms: timeOf(n) },
  ...{ rings: [[...RING]], polygon_crs: null, longitude: null, latitude: null, altitude: null, metadata: null },
  ...{ position_crs: null, direction: null, partition: 0, offset: String(3 * n + 1), item: 0 },
  held: String(TRACKS),
});

const segment: Segment = {
  ...{
    partition: 0,
    asked: { kind: "tracks", tracks: [{ dataSourceId, trackId: ASKED }] },
    dataSourceIds: [dataSourceId],
    log: workerData,
    begin: 0,
    end: 3 * TRACKS,
  },
  ...{ beginAt: T0, lastAt: timeOf(TRACKS - 1), recorded: [], eventFrom: T0, eventTo: timeOf(TRACKS - 1) },
};

const deps: ReadDeps = {
  fetcher: { fetch: async ({ topic }, offset) => fetched(topic, offset) },
  codec: {
    encode: unused,
    loadSchemas: async () => undefined,
    decode: (value) => {
      const [topic = "", offset = ""] = String(value).split(" ");
      return { ok: true, ...(topic === "zones" ? zones(Number(offset)) : cameraLog(Number(offset))) };
    },
  },
  ...{ topic: "camera-log", logId: "log", highs: [3 * TRACKS], log: createLog("test", "silent") },
  bounds: { maxFutureMs: 300_000, maxDetectionVertices: 1_001, maxZoneVertices: 256, maxDataSourceVertices: 256 },
  zones: { topic: "zones", partition: 0, begin: 0, end: VERSIONS },
  ...{
    history: createHistory(),
    historyBudget: createHistoryBudget(16 * 1024 * 1024),
    trackTtlMs: liveSettings.trackTtlMs,
    forgetAfterMs: liveSettings.forgetAfterMs,
    warmUpMs: 0,
  },
  throttle: async () => {},
  settings: { ...liveSettings, rememberedTracks: 50_000 },
  signal: new AbortController().signal,
};

let detections = 0;
for await (const { detectedAt } of stepsOf([segment], { ...deps, prepare: storedSegments(deps), plannedAt: 0 }))
  if (detectedAt !== null) detections += 1;
parentPort?.postMessage(detections);
