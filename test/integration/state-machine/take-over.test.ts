import { expect, test } from "vitest";
import { createGeofences } from "../../../projections/live/partition.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { perOutput } from "../../../schemas/outputs.ts";
import { topicIds } from "../../../services/common/kafka/log-id.ts";
import { createLiveStore } from "../../../services/state-machine/store/live-store.ts";
import { createTakeOver } from "../../../services/state-machine/take-over/take-over.ts";
import { createZoneVersions } from "../../../services/state-machine/take-over/zone-versions.ts";
import { until } from "../../support/running/processes.ts";
import { drawn, PATIENT, seen, startsOf } from "./events.ts";
import { createInstallation, type Installation } from "./installation.ts";

/** A machine has seen one track enter a zone, stopped, and Redis has lost it. */
async function interrupted(): Promise<Installation> {
  const installation = await createInstallation();
  const { record, redis, keys, startMachine } = installation;
  await record([drawn("door"), seen("first")]);
  const machine = startMachine(PATIENT);
  await until(async () => (await redis.hget(keys.position, "next")) === "2");
  await machine.stop();
  await redis.unlink(Object.values(keys));
  return installation;
}

test("a rebuild begins with what was not processed yet, even if that is older than it looks back", async () => {
  const installation = await interrupted();
  await installation.record([seen("second")]);

  installation.startMachine(PATIENT);
  await until(async () => (await installation.redis.hget(installation.keys.position, "next")) === "3");

  expect(await startsOf(installation)).toEqual(["first", "second"]);
});

test("what retention took before it was processed is on record", async () => {
  const { record, drop, startMachine, redis, keys } = await interrupted();
  await record([seen("second"), seen("third"), seen("fourth")]);
  await drop("camera-log", 4);

  startMachine(PATIENT);
  await until(async () => (await redis.hget(keys.position, "next")) === "5");

  expect(await redis.hmget(keys.position, "missedFrom", "missedTo")).toEqual(["2", "4"]);
});

test("tracks that Redis has lost while nobody worked are rebuilt from the log, and no output comes twice", async () => {
  const installation = await createInstallation();
  const { record, redis, keys, startMachine } = installation;
  await record([drawn("door"), seen("first")]);
  const machine = startMachine(PATIENT);
  await until(async () => (await redis.hget(keys.position, "next")) === "2");
  await machine.stop();
  await redis.unlink(keys.tracks);

  startMachine({ TRACK_TTL: "3600" });
  await until(async () => (await redis.hlen(keys.tracks)) === 1);
  await record([seen("first", "second")]);
  await until(async () => (await redis.hget(keys.position, "next")) === "3");

  expect(await startsOf(installation)).toEqual(["first", "second"]);
});

test("tracks that Redis loses while their owner works are written again, without traffic", async () => {
  const { record, redis, keys, startMachine } = await createInstallation();
  await record([drawn("door"), seen("first")]);
  startMachine(PATIENT);
  await until(async () => (await redis.hget(keys.position, "next")) === "2");
  const owner = await redis.hget(keys.position, "owner");

  await redis.unlink(keys.tracks);

  await until(async () => (await redis.hlen(keys.tracks)) === 1);
  expect(await redis.hget(keys.position, "owner")).toBe(owner);
});

/** The reading of zone versions, and how many it has decoded. */
async function createReading({ kafka, codec, log, namespace, topic }: Installation) {
  let decoded = 0;
  const decode: Codec["decode"] = (value) => {
    decoded += 1;
    return codec.decode(value);
  };
  const versions = createZoneVersions({
    ...{ kafka, log, groupPrefix: `${namespace}.read`, topic: topic("zones") },
    codec: { ...codec, decode },
  });
  return { ...versions, timesDecoded: () => decoded };
}

const LOG_OF = (high: number) => [{ partition: 0, low: 0, high }];

async function idOfLog({ kafka, topic }: Installation): Promise<string> {
  const ids = await topicIds(kafka, [topic("camera-log")]);
  return ids.get(topic("camera-log")) ?? "";
}

test("a takeover reads only the zone versions that have come since the one before, and keeps the place of the newest", async () => {
  const installation = await createInstallation();
  const { record, startMachine, redis, keys } = installation;
  await record([drawn("door"), drawn("gate")]);
  startMachine(PATIENT);
  await until(async () => (await redis.hget(keys.position, "next")) === "2");
  const logId = await idOfLog(installation);
  const reading = await createReading(installation);
  await reading.catchUp("zones", logId);
  expect(reading.timesDecoded()).toBe(2);

  await record([drawn("wall")]);
  await until(async () => (await redis.hget(keys.position, "next")) === "3");
  await reading.catchUp("zones", logId);

  expect(reading.timesDecoded()).toBe(3);
  expect([...(await reading.newest(LOG_OF(3)))]).toEqual([[0, 2]]);
  expect(reading.timesDecoded()).toBe(3);
  // The log has lost its last two messages.
  expect([...(await reading.newest(LOG_OF(1)))]).toEqual([[0, 0]]);
});

test("a rebuild reads the zones as they were where it begins, in one reading for all partitions", async () => {
  const installation = await createInstallation();
  const { record, startMachine, redis, keys } = installation;
  await record([drawn("door"), drawn("gate"), drawn("wall")]);
  startMachine(PATIENT);
  await until(async () => (await redis.hget(keys.position, "next")) === "3");
  const reading = await createReading(installation);
  await reading.catchUp("zones", await idOfLog(installation));
  const before = reading.timesDecoded();

  const others = [1, 2, 3].map((partition) => ({ partition, begin: 0, high: 0 }));
  const zones = await reading.at([{ partition: 0, begin: 2, high: 3 }, ...others]);

  expect(zones.get(0)?.map(({ zoneId }) => zoneId)).toEqual(["door", "gate"]);
  expect(zones.get(1)).toEqual([]);
  expect(reading.timesDecoded()).toBe(before + 3);
  await reading.at([]);
  expect(reading.timesDecoded()).toBe(before + 3);
});

test("a take-over that fails lets go, so that neither the next attempt nor anybody else waits for it", async () => {
  const { kafka, codec, log, namespace, topic, redis } = await createInstallation();
  const store = createLiveStore(redis, namespace, Date.now);
  const takeOver = createTakeOver({
    ...{ kafka, store, log, agreed: "", lookbackMs: 1_000, groupId: `${namespace}.take-over` },
    codec: { ...codec, loadSchemas: () => Promise.reject(new Error("the registry is away")) },
    settings: {
      ...{ trackTtlMs: 1, reorderMs: 0, updateIntervalMs: 1, forgetAfterMs: 1 },
      ...{ rememberedTracks: 1, maxSourceVertices: 1, geofences: createGeofences() },
      listener: undefined,
    },
    catalogEnd: async () => 0,
    topics: { cameraLog: topic("camera-log"), outputs: perOutput(topic) },
  });

  await expect(takeOver([0], Date.now(), new AbortController().signal)).rejects.toThrow("the registry is away");

  expect(await store.isFree(0)).toBe(true);
});
