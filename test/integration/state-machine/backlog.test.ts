import kafkajs, { type Message } from "kafkajs";
import { expect, test } from "vitest";
import { until } from "../../support/running/processes.ts";
import { detection } from "../../support/scenes/detection.ts";
import { drawn } from "./events.ts";
import { createInstallation, type Installation } from "./installation.ts";

const TRACKS = 12_000;
const REMEMBERED = 500;
/** 1 000 tracks a minute. */
const EVERY_MS = 60;

/** The broker takes the times of messages from their producer. */
async function letProducersSetTimes({ admin, topic }: Installation): Promise<void> {
  const configEntries = [{ name: "message.timestamp.type", value: "CreateTime" }];
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic("camera-log"), configEntries }];
  await admin.alterConfigs({ validateOnly: false, resources });
}

function sightings({ codec }: Installation, beganAt: number): Message[] {
  return Array.from({ length: TRACKS }, (_, i) => {
    const timestamp = beganAt + i * EVERY_MS;
    const detections = [detection({ trackId: `track-${i}`, timestamp })];
    const value = codec.encode("DetectionsRecorded", { dataSourceId: "cam", detections });
    return { key: "cam", value, timestamp: String(timestamp) };
  });
}

/** How often the log holds an expiry of each track. */
async function expiriesIn(installation: Installation): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { message } of await installation.read("camera-log")) {
    const decoded = installation.codec.decode(message.value);
    if (!decoded.ok || decoded.type !== "TrackExpired") continue;
    const { trackId } = decoded.event;
    counts.set(trackId, (counts.get(trackId) ?? 0) + 1);
  }
  return counts;
}

test("the tracks of a long backlog end while it is read, each once, also with a takeover in the middle", async () => {
  const installation = await createInstallation();
  const { record, write, startMachine, redis, keys } = installation;
  await letProducersSetTimes(installation);
  await record([drawn("door")]);
  await write("camera-log", sightings(installation, Date.now() - TRACKS * EVERY_MS - 3_600_000));
  const settings = { REMEMBERED_TRACKS: String(REMEMBERED) };
  const position = async () => Number(await redis.hget(keys.position, "next"));
  let mostStored = 0;
  const check = async () => {
    mostStored = Math.max(mostStored, await redis.hlen(keys.tracks));
  };

  const first = startMachine(settings);
  await until(async () => {
    await check();
    return (await position()) > TRACKS / 10;
  });
  await first.stop();
  startMachine(settings);
  await until(
    async () => {
      await check();
      return (await expiriesIn(installation)).size === TRACKS;
    },
    { timeoutMs: 100_000 },
  );

  expect(new Set((await expiriesIn(installation)).values())).toEqual(new Set([1]));
  expect(mostStored).toBeLessThan(TRACKS / 4);
}, 200_000);
