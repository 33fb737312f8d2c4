// Detections in, intersections out: the whole system and brute force have the same result for a scene.
import { expect, test } from "vitest";
import { createScene } from "../../services/cli/demo/scene/scene.ts";
import { intersectionsInClickHouse, readIntersections } from "../support/clients/history-reader.ts";
import { type Listener, listen } from "../support/clients/subscriber-stays.ts";
import { firstDifference } from "../support/oracles/compare.ts";
import { until } from "../support/running/processes.ts";
import { settled } from "../support/running/settled.ts";
import { FEW_INSERTS, inspect, startSystem } from "../support/running/system.ts";
import { createStage, oracleOf, playScene } from "../support/scenes/play-scene.ts";

/** Shorter than many of the scene's dropouts, and than the wait until the wall clock ends the open tracks. */
const TTL_MS = 3_000;

const SETTLE_MS = 120_000;

const MESSAGES_PER_CONNECTION = 100;

test("a scene with duplicates and dropouts gives the intersections of brute force, to queries and subscribers", async () => {
  const scene = createScene({
    seed: 7,
    cameras: 3,
    walkersPerCamera: 5,
    seconds: 90,
    fps: 5,
    start: Date.parse("2026-01-01T00:00:00.000Z"),
    shortDropoutsPerMinute: 6,
    longDropoutsPerMinute: 1,
    duplicateShare: 0.1,
  });
  const system = await startSystem({ ...FEW_INSERTS, TRACK_TTL: String(TTL_MS / 1_000) });
  const { client } = system;
  const inspector = await inspect(system);
  const stage = await createStage(client, scene);
  const dataSourceIds = stage.map(({ dataSourceId }) => dataSourceId);
  const zoneIds = new Set(stage.flatMap((camera) => [...camera.zoneIds.values()]));
  const listener = await listen(system);
  const losing = await listen(system);

  const minPosition = await withLosses(losing, () => playScene(client, stage));
  // The history is asked when all tracks have ended. The end of tracks is asked of Redis, which costs less.
  await inspector.settled(SETTLE_MS);
  const query = () => readIntersections(client, { dataSourceIds, minPosition, pageSize: 100 });
  // The wall clock ends tracks without an explicit end.
  await settled(async () => (await query()).every(({ endTime }) => endTime !== null));
  const history = await query();
  const received = () => ({ subscriber: listener.stays(zoneIds), "losing its connection": losing.stays(zoneIds) });
  await settled(() => firstDifference({ history, ...received() }) === undefined);

  const oracle = oracleOf(stage, TTL_MS);
  const clickhouse = await intersectionsInClickHouse(system.env, dataSourceIds);
  const subscribers = received();
  listener.stop();
  losing.stop();
  expect(oracle.length).toBeGreaterThan(200);
  expect(firstDifference({ oracle, history, clickhouse, ...subscribers })).toBeUndefined();
  expect([...listener.faults(zoneIds), ...losing.faults(zoneIds)]).toEqual([]);
});

/** Drops its connection again and again for as long as the work takes. */
async function withLosses<T>(listener: Listener, work: () => Promise<T>): Promise<T> {
  let done = false;
  const result = work().finally(() => {
    done = true;
  });
  while (!done) {
    const next = listener.messages.length + MESSAGES_PER_CONNECTION;
    await until(() => done || listener.messages.length >= next);
    await listener.reconnect();
  }
  return result;
}
