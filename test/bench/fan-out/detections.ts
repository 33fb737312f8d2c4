// The detections that both sides deliver: finished objects for the baseline, events in the camera-log for ours.
import { headersOf } from "../../../schemas/headers.ts";
import { derivedId } from "../../../schemas/identity.ts";
import { topicName } from "../../../schemas/topics.ts";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import type { PreparedSystem } from "../../support/running/launch-system.ts";
import { createBenchPublisher, log } from "../camera-log.ts";
import { cameraOf, KINDS } from "./subscriptions.ts";

export interface BenchDetection {
  readonly id: string;
  readonly timestamp: string;
  readonly globalTrackId: string;
  readonly deviceId: string;
  readonly direction: number;
  readonly polygon: { readonly type: "Polygon"; readonly coordinates: number[][][] };
  readonly position: { readonly type: "Point"; readonly coordinates: number[] };
  readonly metadata: object;
  readonly createdAt: string;
}

const TRACKS = 100;

export type Send = (first: number, count: number) => Promise<unknown>;

const START = Date.UTC(2026, 0, 1);

/** Number n belongs to camera n % 10. */
function detection(n: number) {
  const camera = cameraOf(n % KINDS);
  const trackId = derivedId("bench-track", String(n % TRACKS));
  const [x, y] = [(n * 7) % 1_800, (n * 3) % 900];
  const ring = [x, y, x + 42.5, y, x + 42.5, y + 118.25, x, y + 118.25, x, y];
  return { camera, trackId, ring, timestamp: START + n * 10, position: [4 + x / 1e6, 52 + y / 1e6] as const };
}

export function detectionObjects(first: number, count: number): BenchDetection[] {
  return Array.from({ length: count }, (_, i) => {
    const { camera, trackId, ring, timestamp, position } = detection(first + i);
    const points = Array.from({ length: 5 }, (_, p) => ring.slice(2 * p, 2 * p + 2));
    return {
      id: derivedId(trackId, String(timestamp)),
      timestamp: new Date(timestamp).toISOString(),
      globalTrackId: trackId,
      deviceId: camera,
      direction: 90,
      polygon: { type: "Polygon", coordinates: [points] },
      position: { type: "Point", coordinates: [...position] },
      metadata: { confidence: 0.87 },
      createdAt: new Date(timestamp).toISOString(),
    };
  });
}

/** An event per detection into the camera-log. */
export async function createLogSender({ env, namespace }: PreparedSystem) {
  const topic = topicName(namespace, "camera-log");
  const kafka = createKafka("tracklog-bench", loadConfig(kafkaEnv, env), log);
  const codec = await createCodec(loadConfig(registryEnv, env));
  const publisher = createBenchPublisher(kafka, topic);
  await publisher.start();

  function message(n: number) {
    const { camera, trackId, ring, timestamp, position } = detection(n);
    const [longitude, latitude] = position;
    const recorded = {
      trackId,
      timestamp,
      polygon: { rings: [ring], crs: null },
      position: { longitude, latitude, altitude: null, crs: null },
      direction: 90,
      metadata: '{"confidence":0.87}',
    };
    const type = "DetectionsRecorded";
    return {
      topic,
      key: camera,
      value: codec.encode(type, { dataSourceId: camera, detections: [recorded] }),
      headers: headersOf({ id: derivedId(type, String(n)), type, source: "tracklog/bench", timeMs: Date.now() }),
    };
  }

  const send: Send = (first, count) => publisher.publish(Array.from({ length: count }, (_, i) => message(first + i)));
  return { send, stop: () => publisher.stop() };
}
