// The log that the benchmarks of state machine and projector read: 50 cameras, or another number, with 20 zones and 20
// live tracks each. A camera sends an event every 40 ms with a detection of every other of its tracks. Tracks walk
// through the zones and turn at the borders.

import type { DetectionsRecorded, Zone } from "../../schemas/events.ts";
import { headersOf } from "../../schemas/headers.ts";
import { derivedId } from "../../schemas/identity.ts";
import { kafkaEnv, loadConfig, registryEnv } from "../../services/common/config.ts";
import { createKafka } from "../../services/common/kafka/client.ts";
import { createPublisher, type OutMessage, type Publisher } from "../../services/common/kafka/write/publisher.ts";
import { createLog } from "../../services/common/log.ts";
import { createCodec } from "../../services/common/registry/codec.ts";

export const CAMERAS = 50;
const ZONES_PER_CAMERA = 20;
const TRACKS_PER_CAMERA = 20;
export const DETECTIONS_PER_EVENT = 10;

const START = Date.UTC(2026, 0, 1);
const EVENT_EVERY_MS = 40;
const [WIDTH, HEIGHT] = [1_920, 1_080];
const [BOX_WIDTH, BOX_HEIGHT] = [42.5, 118.25];
const SOURCE = "tracklog/bench";
const MIB = 1024 * 1024;

/** The events are older than the usual time to live, and no track may expire while they are folded. */
export const NO_EXPIRIES = { TRACK_TTL: "3600" };

export const log = createLog("bench", "warn");

export const cameraId = (camera: number): string => derivedId("bench-camera", String(camera));

/** Cameras, and what they send. */
export interface BenchCameras {
  /** A grid of 5 x 4 per camera; each zone is a hexagon of 160 x 100 pixels. */
  zones(): Zone[];
  /** The cameras' events in turn. */
  event(n: number): DetectionsRecorded;
}

export function createBenchCameras(cameras: number): BenchCameras {
  const trackIds = Array.from({ length: cameras * TRACKS_PER_CAMERA }, (_, n) => derivedId("bench-track", String(n)));
  const cameraIds = Array.from({ length: cameras }, (_, camera) => cameraId(camera));
  return {
    zones: () =>
      cameraIds.flatMap((dataSourceId) => Array.from({ length: ZONES_PER_CAMERA }, (_, n) => zone(dataSourceId, n))),

    event(n) {
      const camera = n % cameras;
      const tick = Math.floor(n / cameras);
      const timestamp = START + tick * EVENT_EVERY_MS;
      const detections = Array.from({ length: DETECTIONS_PER_EVENT }, (_, i) => {
        const track = camera * TRACKS_PER_CAMERA + 2 * i + (tick % 2);
        const ring = box(track, tick);
        return {
          trackId: trackIds[track] ?? "",
          timestamp,
          polygon: { rings: [ring], crs: null },
          position: null,
          direction: null,
          metadata: null,
        };
      });
      return { dataSourceId: cameraIds[camera] ?? "", detections };
    },
  };
}

const usual = createBenchCameras(CAMERAS);
export const { zones, event } = usual;

function zone(dataSourceId: string, n: number): Zone {
  const x = (n % 5) * (WIDTH / 5) + 100;
  const y = Math.floor(n / 5) * (HEIGHT / 4) + 80;
  const ring = [x, y + 50, x + 40, y, x + 120, y, x + 160, y + 50, x + 120, y + 100, x + 40, y + 100, x, y + 50];
  return {
    zoneId: derivedId("bench-zone", dataSourceId, String(n)),
    dataSourceId,
    name: `zone ${n}`,
    polygon: { rings: [ring], crs: null },
    active: true,
    createdAt: START,
    updatedAt: START,
    anchor: "area",
    enterDetections: 1,
    exitDelayMs: 0,
  };
}

/** About 100 px/s, each track with its own speed and path. */
export function box(track: number, tick: number): number[] {
  const left = bounce((track * 137.5 + tick * (2.5 + (track % 7) * 0.4)) % 1e9, WIDTH - BOX_WIDTH);
  const top = bounce((track * 61.25 + tick * (1.5 + (track % 5) * 0.3)) % 1e9, HEIGHT - BOX_HEIGHT);
  const [right, bottom] = [left + BOX_WIDTH, top + BOX_HEIGHT];
  return [left, top, right, top, right, bottom, left, bottom, left, top];
}

function bounce(way: number, length: number): number {
  const at = way % (2 * length);
  return at <= length ? at : 2 * length - at;
}

const PER_CALL = 500;
const CALLS_IN_FLIGHT = 4;

/** Zones first, then so many events; through the publisher, so the whole log is on the broker afterwards. */
export const fillCameraLog = (env: Readonly<Record<string, string>>, topic: string, events: number) =>
  writeCameraLog(env, topic, { cameras: usual, zones: usual.zones(), first: 0, events });

export interface LogPart {
  readonly cameras: BenchCameras;
  /** Drawn before the events. */
  readonly zones: readonly Zone[];
  /** Number of the first event. */
  readonly first: number;
  readonly events: number;
}

/** Writes a part of the log. */
export async function writeCameraLog(env: Readonly<Record<string, string>>, topic: string, part: LogPart) {
  const kafka = createKafka("tracklog-bench", loadConfig(kafkaEnv, env), log);
  const codec = await createCodec(loadConfig(registryEnv, env));
  const publisher = createBenchPublisher(kafka, topic);
  await publisher.start();
  const message = (type: "ZoneCreated" | "DetectionsRecorded", key: string, value: Buffer): OutMessage => ({
    topic,
    key,
    value,
    headers: headersOf({ id: derivedId(type, key), type, source: SOURCE, timeMs: START }),
  });
  const drawn = (zone: Zone) => message("ZoneCreated", zone.dataSourceId, codec.encode("ZoneCreated", { zone }));
  const sent = (n: number) => {
    const each = part.cameras.event(part.first + n);
    return message("DetectionsRecorded", each.dataSourceId, codec.encode("DetectionsRecorded", each));
  };
  const inFlight: Promise<unknown>[] = [];
  async function publish(messages: readonly OutMessage[]): Promise<void> {
    inFlight.push(publisher.publish(messages));
    if (inFlight.length >= CALLS_IN_FLIGHT) await inFlight.shift();
  }
  try {
    for (let first = 0; first < part.zones.length; first += PER_CALL) {
      await publish(part.zones.slice(first, first + PER_CALL).map(drawn));
    }
    // The cameras draw their zones before they send.
    await Promise.all(inFlight.splice(0));
    for (let first = 0; first < part.events; first += PER_CALL) {
      await publish(Array.from({ length: Math.min(PER_CALL, part.events - first) }, (_, i) => sent(first + i)));
    }
    await Promise.all(inFlight);
  } finally {
    await publisher.stop();
  }
}

/** With the API's settings. */
export function createBenchPublisher(kafka: ReturnType<typeof createKafka>, topic: string): Publisher {
  return createPublisher({
    kafka,
    topics: [topic],
    log,
    lingerMs: 0,
    maxBatchBytes: MIB,
    maxQueueBytes: 64 * MIB,
    timeoutMs: 30_000,
  });
}
