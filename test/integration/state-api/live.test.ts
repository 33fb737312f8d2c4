// Live state as the state machine's store has written it to Redis.
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import {
  apply,
  createPartition,
  noOutputs,
  type PartitionState,
  textsOf,
} from "../../../projections/live/partition.ts";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { perAligned } from "../../../schemas/outputs.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { redisEnv } from "../../../services/common/config.ts";
import { createPartitionOf } from "../../../services/common/kafka/partition-of.ts";
import { createRedis, type RedisPart } from "../../../services/common/redis/client.ts";
import { createReadLive } from "../../../services/state-api/live/read-live.ts";
import { createLiveStore, type LiveStore } from "../../../services/state-machine/store/live-store.ts";
import { liveSettings } from "../../support/running/live-settings.ts";
import { until } from "../../support/running/processes.ts";
import { detection } from "../../support/scenes/detection.ts";
import { zone } from "../../support/scenes/zone.ts";
import { createStateApi } from "./services.ts";

const NOW = Date.now();
const PARTITIONS = 3;
const partitionOf = createPartitionOf(new Map([["camera-log", PARTITIONS]]));

let api: Awaited<ReturnType<typeof createStateApi>>;
let redis: RedisPart;
let store: LiveStore;
const saved = new Map<number, { readonly state: PartitionState; next: number }>();

beforeAll(async () => {
  api = await createStateApi();
  redis = createRedis(api.installation.config(redisEnv), api.installation.log);
  await redis.start();
  store = createLiveStore(redis.client, api.installation.namespace, () => NOW + 5);
});
afterAll(async () => {
  await redis.stop();
  await api.stop();
});

/** Folds the messages and saves the whole state of the partition. */
async function fold(partition: number, ...messages: readonly CameraLogEvent[]): Promise<void> {
  const known = saved.get(partition) ?? { state: createPartition(partition), next: 0 };
  const expected = saved.has(partition) ? known.next : undefined;
  for (const message of messages) {
    apply(known.state, { offset: known.next++, recordedAt: NOW, message }, liveSettings, noOutputs());
  }
  saved.set(partition, known);
  const owner = { name: "test", logId: "log", settings: "" };
  const ends = perAligned(() => 0);
  const changes = { everything: () => textsOf(known.state) };
  const result = await store.save({ partition, owner, expected, next: known.next, ends, geofencesUpTo: -1, changes });
  expect(result).toBe("saved");
}

const seen = (dataSourceId: string, ...trackIds: readonly string[]): CameraLogEvent => ({
  type: "DetectionsRecorded",
  event: {
    dataSourceId,
    detections: trackIds.map((trackId) =>
      detection({ trackId, timestamp: NOW, polygon: { rings: [[0, 0, 4, 0, 4, 4, 0, 4, 0, 0]], crs: null } }),
    ),
  },
});

test("a track is found in every partition", async () => {
  for (let partition = 0; partition < PARTITIONS; partition++) {
    await fold(partition, seen(`cam-${partition}`, `t-${partition}`));
  }

  for (let partition = 0; partition < PARTITIONS; partition++) {
    const { status, body } = await api.ask("GET", `/api/tracks/t-${partition}`);
    expect([status, body.datasource_id]).toEqual([200, `cam-${partition}`]);
    expect(body.applied_at).toBe(new Date(NOW + 5).toISOString());
  }
  expect((await api.ask("GET", "/api/tracks/t-9")).status).toBe(404);
});

test("a track whose past Redis has lost is shown without its past", async () => {
  const area = zone({ zoneId: "left", dataSourceId: "cam-past" });
  const away = detection({
    trackId: "t-past",
    timestamp: NOW + 1,
    polygon: { rings: [[90, 90, 94, 90, 94, 94, 90, 90]], crs: null },
  });
  await fold(0, { type: "ZoneCreated", event: { zone: area } }, seen("cam-past", "t-past"), {
    type: "DetectionsRecorded",
    event: { dataSourceId: "cam-past", detections: [away] },
  });
  const { past } = partitionKeys(api.installation.namespace, 0);
  const ask = () => api.ask("GET", "/api/tracks/t-past");
  const whole = await ask();
  expect(await redis.client.del(past)).toBe(1);

  const { status, body } = await ask();

  expect([whole.status, status]).toEqual([200, 200]);
  expect(body).not.toEqual(whole.body);
  expect(body).toMatchObject({ track_id: "t-past", datasource_id: "cam-past" });
});

test("of the tracks with one id, in one partition or several, the one seen last is answered, and each zone has its own", async () => {
  const polygon = { rings: [[0, 0, 9, 0, 9, 9, 0, 9, 0, 0]], crs: null };
  const [left, right] = ["hall left", "hall right"].map((dataSourceId) => ({
    zoneId: `${dataSourceId} zone`,
    dataSourceId,
  }));
  if (left === undefined || right === undefined) throw new Error("no zones");
  const partition = partitionOf("camera-log", left.dataSourceId);
  const places = { partition, offset: 0, movedTo: null, refusal: null };
  const at = (dataSourceId: string, timestamp: number): CameraLogEvent => ({
    type: "DetectionsRecorded",
    event: { dataSourceId, detections: [detection({ trackId: "17", timestamp, polygon })] },
  });
  for (const { zoneId, dataSourceId } of [left, right]) {
    await fold(partition, { type: "ZoneCreated", event: { zone: zone({ zoneId, dataSourceId, polygon }) } });
    await api.publish("ZoneVersion", {
      ...places,
      zoneId,
      dataSourceId,
      zone: zone({ zoneId, dataSourceId, polygon }),
    });
  }
  const sourceOf = async () => (await api.ask("GET", "/api/tracks/17")).body.datasource_id;

  await fold(partition, at(left.dataSourceId, NOW), at(right.dataSourceId, NOW + 1));
  expect(await sourceOf()).toBe(right.dataSourceId);
  await fold(partition, at(left.dataSourceId, NOW + 2));
  expect(await sourceOf()).toBe(left.dataSourceId);
  await fold((partition + 1) % PARTITIONS, at("elsewhere", NOW + 3));
  expect(await sourceOf()).toBe("elsewhere");

  // The zones of one partition are those of cameras of that partition.
  await until(async () => (await api.ask("GET", `/api/zones/${left.zoneId}`)).status === 200);
  expect((await api.ask("GET", `/api/zones/${left.zoneId}`)).body.active_tracks).toHaveProperty("17");
});

test("a zone of the zones topic is found with all tracks in it, more than one command reads", async () => {
  const [zoneId, dataSourceId] = ["lobby", "lobby camera"];
  const partition = partitionOf("camera-log", dataSourceId);
  const definition = zone({ zoneId, dataSourceId });
  const place = { partition, offset: 0, movedTo: null, refusal: null };
  await api.publish("ZoneVersion", { ...place, zoneId, dataSourceId, zone: definition });
  const found = await until(async () => {
    const answer = await api.ask("GET", `/api/zones/${zoneId}`);
    return answer.status === 200 && answer.body;
  });
  expect(found).toMatchObject({ track_count: 0, updated_at: null, applied_at: null });

  const ids = Array.from({ length: 1_200 }, (_, i) => `visitor-${i}`);
  await fold(partition, { type: "ZoneCreated", event: { zone: definition } }, seen(dataSourceId, ...ids));

  const { body } = await api.ask("GET", `/api/zones/${zoneId}`);
  expect(body.track_count).toBe(1_200);
  expect(Object.keys(body.active_tracks).sort()).toEqual([...ids].sort());
  expect(body.trigger_track_id).toBe("visitor-1199");
});

test("a zone that was asked for is shown as it is now", async () => {
  const [zoneId, dataSourceId] = ["hall", "hall camera"];
  const partition = partitionOf("camera-log", dataSourceId);
  const definition = zone({ zoneId, dataSourceId });
  const place = { partition, offset: 1, movedTo: null, refusal: null };
  await api.publish("ZoneVersion", { ...place, zoneId, dataSourceId, zone: definition });
  await fold(partition, { type: "ZoneCreated", event: { zone: definition } }, seen(dataSourceId, "first"));
  const tracks = async () => Object.keys((await api.ask("GET", `/api/zones/${zoneId}`)).body.active_tracks ?? {});
  await until(async () => (await tracks()).length === 1);
  expect(await tracks()).toEqual(["first"]);

  await fold(partition, seen(dataSourceId, "second"));

  expect(await tracks()).toEqual(["first", "second"]);
});

test("a zone that many ask for at the same time is read for them together, and nobody gets an older state", async () => {
  const [zoneId, dataSourceId] = ["square", "square camera"];
  const partition = partitionOf("camera-log", dataSourceId);
  await fold(partition, { type: "ZoneCreated", event: { zone: zone({ zoneId, dataSourceId }) } });
  const live = createReadLive(redis.client, api.installation.namespace, PARTITIONS);
  const zoneReads = vi.spyOn(redis.client, "hget");
  onTestFinished(() => zoneReads.mockRestore());

  const first = live.zone(zoneId, partition);
  await fold(partition, seen(dataSourceId, "first"));
  const later = await Promise.all(Array.from({ length: 200 }, () => live.zone(zoneId, partition)));

  await first;
  expect(new Set(later.map((state) => Object.keys(state?.active_tracks ?? {}).join()))).toEqual(new Set(["first"]));
  expect(zoneReads.mock.calls.length).toBeLessThanOrEqual(3);
});

test("a zone that moved to another partition is shown from there, also when both were saved as often", async () => {
  const zoneId = "movable";
  const cameras = Array.from({ length: 100 }, (_, i) => `mobile camera ${i}`);
  const namespace = `${api.installation.namespace}-moves`;
  const places = [0, 1].map((partition) => {
    const dataSourceId = cameras.find((id) => partitionOf("camera-log", id) === partition) ?? "";
    return { partition, dataSourceId, trackId: `track of ${partition}` };
  });
  const own = createLiveStore(redis.client, namespace, () => NOW + 5);
  for (const { partition, dataSourceId, trackId } of places) {
    const state = createPartition(partition);
    const messages = [
      { type: "ZoneCreated", event: { zone: zone({ zoneId, dataSourceId }) } } as const,
      seen(dataSourceId, trackId),
    ];
    for (const [offset, message] of messages.entries()) {
      apply(state, { offset, recordedAt: NOW, message }, liveSettings, noOutputs());
    }
    const owner = { name: "test", logId: "log", settings: "" };
    const place = { partition, owner, expected: undefined, next: messages.length, geofencesUpTo: -1 };
    const ends = perAligned(() => 0);
    expect(await own.save({ ...place, ends, changes: { everything: () => textsOf(state) } })).toBe("saved");
  }
  const live = createReadLive(redis.client, namespace, PARTITIONS);

  for (const { partition, trackId } of places) {
    const state = await live.zone(zoneId, partition);
    expect(JSON.stringify(state)).toContain(trackId);
  }
});

test("a token without the scope read is refused, and so is a caller without one", async () => {
  const writer = await api.createToken("write");

  expect((await api.ask("GET", "/api/tracks/t-0", undefined, writer)).status).toBe(403);
  expect((await api.ask("GET", "/api/tracks/t-0", undefined, {})).status).toBe(401);
});
