// One message in a thousand that cannot be read, or makes no sense; and the command for dead letters.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { topicName } from "../../schemas/topics.ts";
import { survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { processEnv, until } from "../support/running/processes.ts";
import { useStack } from "../support/running/stack.ts";
import { FEW_INSERTS, inspect, type System, startSystem } from "../support/running/system.ts";
import { badMessages, deadLettersDiffer, type SentBad } from "./bad-messages.ts";
import { createTrack } from "./create-track.ts";

/** Short, so that a test can wait until a future timestamp has passed. */
const MAX_FUTURE_MS = 2_000;
const AHEAD_MS = 8_000;
const COMMAND = fileURLToPath(new URL("../../services/cli/dead-letters/main.ts", import.meta.url));

test("bad messages go to the dead letters with position and reason, everything else goes on, and one can be redriven", async () => {
  const settings = await quickSettings(useStack().env);
  const system = await startSystem({ ...FEW_INSERTS, ...settings, MAX_FUTURE_MS: String(MAX_FUTURE_MS) });
  const inspector = await inspect(system);
  const topic = topicName(system.namespace, "camera-log");
  const producer = inspector.kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const sent: SentBad[] = [];
  const send = async (key: string, value: Buffer | null, reason: RegExp): Promise<string> => {
    const [at] = await producer.send({ topic, acks: -1, messages: [{ key, value }] });
    const position = { partition: at?.partition ?? -1, offset: Number(at?.baseOffset) };
    sent.push({ ...position, reason });
    return `${topic}/${position.partition}/${position.offset}`;
  };

  await survive(system, { ttlMs: TTL_MS, seed: 51, pauseMs: 5, cameras: 2, seconds: 40 }, async ({ load }) => {
    for (const { dataSourceId, camera } of load.stage) {
      const trackId = camera.tracks[0]?.trackId ?? "";
      for (const { value, reason } of badMessages(inspector.codec, dataSourceId, trackId)) {
        const goal = load.counts().accepted + 5;
        await until(() => load.counts().accepted >= goal);
        await send(dataSourceId, value, reason);
      }
    }
  });
  expect(await deadLettersDiffer(inspector, sent)).toBeUndefined();

  const { dataSourceId, trackId } = await createTrack(system.client, "ahead", Date.now());
  const timestamp = Date.now() + AHEAD_MS;
  const detection = { trackId, timestamp, polygon: null, position: null, direction: null, metadata: null };
  const value = inspector.codec.encode("DetectionsRecorded", { dataSourceId, detections: [detection] });
  const ahead = await send(dataSourceId, value, /too far in the future/);
  await producer.disconnect();
  await until(async () => (await deadLettersDiffer(inspector, sent)) === undefined);

  const listed = (await deadLettersCommand(system, "list", "--json"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).id);
  expect(listed.sort()).toEqual(sent.map(({ partition, offset }) => `${topic}/${partition}/${offset}`).sort());
  expect(await deadLettersCommand(system, "show", ahead)).toContain("too far in the future");
  await until(() => Date.now() > timestamp);
  expect(await deadLettersCommand(system, "redrive", ahead)).toContain("1 redriven, 0 not");
  await until(async () => (await detectionsOf(system, dataSourceId)) === 1);
  expect(await deadLettersCommand(system, "list")).not.toContain(ahead);
});

async function deadLettersCommand({ env }: System, ...args: string[]): Promise<string> {
  const options = { env: { ...processEnv, ...env } };
  return (await promisify(execFile)(process.execPath, [COMMAND, ...args], options)).stdout;
}

async function detectionsOf({ client }: System, dataSourceId: string): Promise<number> {
  const { detections } = await client.ask<{ detections: { totalCount: number } }>(
    `query ($id: ID!) { detections(filter: { dataSourceId: { eq: $id }, time: { between: ["2026-01-01T00:00:00Z", "2100-01-01T00:00:00Z"] } }) { totalCount } }`,
    { id: dataSourceId },
  );
  return detections.totalCount;
}
