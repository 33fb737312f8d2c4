// Cameras that write frames to the camera-log at a given pace, open loop, as the API does.
import type { DetectionsRecorded } from "../../../schemas/events.ts";
import { headersOf } from "../../../schemas/headers.ts";
import { derivedId } from "../../../schemas/identity.ts";
import { topicName } from "../../../schemas/topics.ts";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { box, cameraId, createBenchPublisher, log, zones } from "../camera-log.ts";

export interface SentFrame {
  readonly partition: number;
  readonly offset: number;
  /** performance.now() */
  readonly acknowledgedAt: number;
}

export interface Pace {
  readonly detectionsPerSecond: number;
  readonly seconds: number;
}

export type Sender = Awaited<ReturnType<typeof createSender>>;

const CAMERAS = 20;
/** The boxes move at about 100 px/s, whatever the pace is. */
const TICK_MS = 40;

/** Draws the zones of the cameras. */
export async function createSender(env: Readonly<Record<string, string>>, perFrame: number) {
  const topic = topicName(env["TRACKLOG_NAMESPACE"] ?? "", "camera-log");
  const codec = await createCodec(loadConfig(registryEnv, env));
  const publisher = createBenchPublisher(createKafka("tracklog-bench", loadConfig(kafkaEnv, env), log), topic);
  const message = (type: "ZoneCreated" | "DetectionsRecorded", key: string, value: Buffer) => {
    const headers = headersOf({ id: derivedId(type, key), type, source: "tracklog/bench", timeMs: Date.now() });
    return { topic, key, value, headers };
  };
  const cameras = Array.from({ length: CAMERAS }, (_, camera) => createCamera(camera, perFrame));
  const cameraIds = new Set(cameras.map(({ dataSourceId }) => dataSourceId));
  const drawn = zones().filter(({ dataSourceId }) => cameraIds.has(dataSourceId));
  await publisher.start();
  await publisher.publish(
    drawn.map((zone) => message("ZoneCreated", zone.dataSourceId, codec.encode("ZoneCreated", { zone }))),
  );

  async function sendFrame(number: number, onSent: (sent: SentFrame) => void): Promise<void> {
    const camera = cameras[number % CAMERAS];
    if (camera === undefined) return;
    const event = frameOf(camera);
    const value = codec.encode("DetectionsRecorded", event);
    const [sent] = await publisher.publish([message("DetectionsRecorded", event.dataSourceId, value)]);
    if (sent !== undefined) onSent({ ...sent, acknowledgedAt: performance.now() });
  }

  return {
    stop: () => publisher.stop(),
    /** Resolves with the number of detections. */
    async send({ detectionsPerSecond, seconds }: Pace, onSent: (sent: SentFrame) => void): Promise<number> {
      const framesPerMs = detectionsPerSecond / perFrame / 1_000;
      const frames = Math.round(framesPerMs * seconds * 1_000);
      const startedAt = performance.now();
      const sending: Promise<void>[] = [];
      while (sending.length < frames) {
        const due = Math.min(frames, (performance.now() - startedAt) * framesPerMs);
        while (sending.length < due) sending.push(sendFrame(sending.length, onSent));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await Promise.all(sending);
      return frames * perFrame;
    },
  };
}

interface Camera {
  readonly dataSourceId: string;
  readonly tracks: readonly { readonly trackId: string; readonly number: number }[];
}

const createCamera = (camera: number, tracks: number): Camera => ({
  dataSourceId: cameraId(camera),
  tracks: Array.from({ length: tracks }, (_, i) => ({
    trackId: derivedId("bench-paced-track", `${camera}`, `${i}`),
    number: camera * tracks + i,
  })),
});

function frameOf({ dataSourceId, tracks }: Camera): DetectionsRecorded {
  const timestamp = Date.now();
  const tick = Math.round(timestamp / TICK_MS) % 1e6;
  const rest = { position: null, direction: null, metadata: null };
  const detections = tracks.map(({ trackId, number }) => {
    return { trackId, timestamp, polygon: { rings: [box(number, tick)], crs: null }, ...rest };
  });
  return { dataSourceId, detections };
}
