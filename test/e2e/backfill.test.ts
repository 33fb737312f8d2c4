// A recording of another day is sent beside the live data of the same camera: each has the same result as alone.
import { expect, test } from "vitest";
import { createScene } from "../../services/cli/demo/scene/scene.ts";
import type { GraphQLClient } from "../support/clients/graphql-client.ts";
import { intersectionsInClickHouse, readIntersections } from "../support/clients/history-reader.ts";
import { listen } from "../support/clients/subscriber-stays.ts";
import { firstDifference } from "../support/oracles/compare.ts";
import { settled } from "../support/running/settled.ts";
import { FEW_INSERTS, inspect, startSystem } from "../support/running/system.ts";
import { createStage, oracleOf, playDelivery, type StageCamera } from "../support/scenes/play-scene.ts";

/** Longer than the scene's many short dropouts: none of them may cut an intersection. */
const TTL_MS = 10_000;
const SETTLE_MS = 120_000;

const STARTS = ["2026-01-02T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];

test("two days of one camera, sent in turns, give the intersections of brute force", async () => {
  const options = { seed: 17, cameras: 1, walkersPerCamera: 8, seconds: 60, fps: 5, shortDropoutsPerMinute: 10 };
  const scenes = STARTS.map((start) => createScene({ ...options, start: Date.parse(start) }));
  const system = await startSystem({ ...FEW_INSERTS, TRACK_TTL: String(TTL_MS / 1_000) });
  const { client } = system;
  const inspector = await inspect(system);
  const [stageCamera] = await createStage(client, scenes[0] ?? { cameras: [] });
  if (stageCamera === undefined) throw new Error("the scene has no camera");
  const stage = scenes.flatMap(({ cameras }) => cameras.map((camera) => ({ ...stageCamera, camera })));
  const dataSourceIds = [stageCamera.dataSourceId];
  const zoneIds = new Set(stageCamera.zoneIds.values());
  const listener = await listen(system);

  const minPosition = await playInTurns(client, stage);
  // The history is asked when all tracks have ended. The end of tracks is asked of Redis, which costs less.
  await inspector.settled(SETTLE_MS);
  const query = () => readIntersections(client, { dataSourceIds, minPosition, pageSize: 100 });
  await settled(async () => (await query()).every(({ endTime }) => endTime !== null));
  const history = await query();
  await settled(() => firstDifference({ history, subscriber: listener.stays(zoneIds) }) === undefined);

  const oracle = oracleOf(stage, TTL_MS);
  const clickhouse = await intersectionsInClickHouse(system.env, dataSourceIds);
  const subscriber = listener.stays(zoneIds);
  listener.stop();
  expect(oracle.length).toBeGreaterThan(100);
  expect(firstDifference({ oracle, history, clickhouse, subscriber })).toBeUndefined();
  expect(listener.faults(zoneIds)).toEqual([]);
});

/** One mutation of each day, again and again; resolves with the log position of the last. */
async function playInTurns(client: GraphQLClient, stage: readonly StageCamera[]): Promise<string> {
  let position = "";
  const longest = Math.max(...stage.map(({ camera }) => camera.deliveries.length));
  for (let next = 0; next < longest; next++) {
    for (const { camera, dataSourceId } of stage) {
      const delivery = camera.deliveries[next];
      if (delivery !== undefined) position = await playDelivery(client, delivery, dataSourceId);
    }
  }
  return position;
}
