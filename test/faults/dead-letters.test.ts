// What cannot be read, or makes no sense, written straight to the camera-log among what can and does.
import { expect, test } from "vitest";
import type { Codec } from "../../schemas/codec.ts";
import type { DeadLetter, Detection } from "../../schemas/events.ts";
import { topicName } from "../../schemas/topics.ts";
import { expectUndisturbed } from "../support/final-state.ts";
import type { Inspector } from "../support/final-state-inspector.ts";
import { quickSettings, TTL_MS } from "../support/final-state-settings.ts";
import { startLoad } from "../support/load.ts";
import { until } from "../support/processes.ts";
import { useStack } from "../support/stack.ts";
import { inspect, startSystem } from "../support/system.ts";

interface Bad {
  readonly value: Buffer | null;
  readonly reason: RegExp;
}

test("bad messages go to the dead letters with position and reason, and everything else goes on", async () => {
  const system = await startSystem(await quickSettings(useStack().env.KAFKA_BROKERS));
  const inspector = await inspect(system);
  const load = await startLoad(system.client, { seed: 51, pauseMs: 5, cameras: 2, seconds: 40 });
  const topic = topicName(system.namespace, "camera-log");
  const producer = inspector.kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();

  const sent: Pick<DeadLetter, "partition" | "offset">[] = [];
  const reasons: RegExp[] = [];
  for (const { dataSourceId, camera } of load.stage) {
    const trackId = camera.tracks[0]?.trackId ?? "";
    for (const { value, reason } of badMessages(inspector.codec, dataSourceId, trackId)) {
      const goal = load.counts().accepted + 5;
      await until(() => load.counts().accepted >= goal);
      const [at] = await producer.send({ topic, acks: -1, messages: [{ key: dataSourceId, value }] });
      sent.push({ partition: at?.partition ?? -1, offset: Number(at?.baseOffset) });
      reasons.push(reason);
    }
  }
  await producer.disconnect();
  load.hurry();
  await load.done;
  await expectUndisturbed(system, load.stage, TTL_MS);

  const letters = await deadLetters(inspector);
  const inOrder = sent.map(({ partition, offset }) =>
    letters.find((letter) => letter.partition === partition && letter.offset === offset),
  );
  expect(inOrder.map((letter) => letter?.reason)).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
  expect(letters.length).toBe(sent.length);
  expect(new Set(letters.map((letter) => letter.topic))).toEqual(new Set([topic]));
});

async function deadLetters({ read, codec }: Inspector): Promise<DeadLetter[]> {
  return (await read("dead-letters")).flatMap(({ message }) => {
    const decoded = codec.decode(message.value);
    return decoded.ok && decoded.type === "DeadLetter" ? [decoded.event] : [];
  });
}

const BOX = [0, 0, 10, 0, 10, 10, 0, 10, 0, 0];
const YEAR_10000_MS = 253_402_300_800_000;

/** Detections of a real track that would change everything if they were believed. */
function badMessages(codec: Codec, dataSourceId: string, trackId: string): Bad[] {
  const detection = (changes: Partial<Detection>): Buffer => {
    const timestamp = Date.parse("2026-01-01T00:00:30.000Z");
    const plain = { trackId, timestamp, polygon: ring(BOX), position: null, direction: null, metadata: null };
    return codec.encode("DetectionsRecorded", { dataSourceId, detections: [{ ...plain, ...changes }] });
  };
  const good = detection({});
  const unknownSchema = Buffer.from(good);
  unknownSchema.writeUInt32BE(2_000_000_000, 1);
  const place = { longitude: 181, latitude: 0, altitude: null, crs: null };
  return [
    { value: Buffer.from("not Avro at all"), reason: /wire format/ },
    { value: null, reason: /wire format/ },
    { value: unknownSchema, reason: /unknown schema id 2000000000/ },
    { value: good.subarray(0, good.length - 3), reason: /not a DetectionsRecorded/ },
    { value: codec.encode("ZoneVersion", stray(dataSourceId)), reason: /ZoneVersion does not belong here/ },
    { value: detection({ timestamp: Date.now() + 600_000 }), reason: /timestamp: too far in the future/ },
    { value: detection({ timestamp: YEAR_10000_MS }), reason: /timestamp: outside the calendar/ },
    { value: detection({ polygon: ring([0, 0, Number.NaN, 0, 10, 10, 0, 10, 0, 0]) }), reason: /not a finite number/ },
    { value: detection({ polygon: ring(BOX.slice(0, 8)) }), reason: /not closed/ },
    { value: detection({ position: place }), reason: /longitude/ },
    { value: detection({ trackId: "" }), reason: /trackId/ },
    { value: detection({ metadata: JSON.stringify("x".repeat(1024 * 1024)) }), reason: /metadata: more than/ },
  ];
}

const ring = (points: readonly number[]) => ({ rings: [[...points]], crs: null });

const stray = (dataSourceId: string) => ({ zoneId: "stray", dataSourceId, zone: null, partition: 0, offset: 0 });
