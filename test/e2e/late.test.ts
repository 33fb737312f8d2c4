// Detections that arrive late and out of order. With a reorder time the result is that of sorted input. Without one
// the late detections are in the history only.
import { expect, test } from "vitest";
import { createScene } from "../../services/cli/demo/scene/scene.ts";
import type { SceneCamera, SceneDetection } from "../../services/cli/demo/scene/types.ts";
import { intersectionsInClickHouse, readDetections, readIntersections } from "../support/clients/history-reader.ts";
import { listen } from "../support/clients/subscriber-stays.ts";
import { firstDifference } from "../support/oracles/compare.ts";
import { settled } from "../support/running/settled.ts";
import { FEW_INSERTS, inspect, startSystem } from "../support/running/system.ts";
import { createStage, oracleOf, playScene, sendLastTracks } from "../support/scenes/play-scene.ts";

const MAX_LATE_MS = 1_500;
const REORDER_MS = 2_000;
/**
 * Between the scene's short and long dropouts. After a silence this long the fold releases a track's held detections.
 */
const TTL_MS = 15_000;

const SETTLE_MS = 120_000;

test("with a reorder time as long as the lateness, a scene gives the intersections of its sorted detections", async () => {
  const played = await play(REORDER_MS);

  expect(played.oracle(everything).length).toBeGreaterThan(200);
  expect(played.difference(played.oracle(everything))).toBeUndefined();
  expect(played.faults).toEqual([]);
});

test("without a reorder time, late detections are stored and make no enters or exits", async () => {
  const played = await play(0);

  // Live state ignores late detections, so the oracle gets each track's detections that are newer than all before
  // them.
  expect(played.oracle(inOrderOfArrival).length).toBeGreaterThan(200);
  expect(played.difference(played.oracle(inOrderOfArrival))).toBeUndefined();
  expect(played.faults).toEqual([]);
  expect(played.difference(played.oracle(everything))).toBeDefined();
});

const everything = ({ detections }: SceneCamera): readonly SceneDetection[] => detections;

function inOrderOfArrival({ deliveries }: SceneCamera): SceneDetection[] {
  const newest = new Map<string, number>();
  return deliveries
    .flatMap(({ detections }) => detections)
    .filter(({ trackId, timestamp }) => {
      if (timestamp <= (newest.get(trackId) ?? Number.NEGATIVE_INFINITY)) return false;
      newest.set(trackId, timestamp);
      return true;
    });
}

/** Plays a scene with late delivery; the history has every detection of it when this resolves. */
async function play(reorderMs: number) {
  const scene = createScene({
    seed: 11,
    cameras: 2,
    walkersPerCamera: 6,
    seconds: 90,
    fps: 5,
    start: Date.parse("2026-01-01T00:00:00.000Z"),
    duplicateShare: 0.1,
    maxLateMs: MAX_LATE_MS,
  });
  const system = await startSystem({
    ...FEW_INSERTS,
    TRACK_TTL: String(TTL_MS / 1_000),
    REORDER_MS: String(reorderMs),
  });
  const { client } = system;
  const inspector = await inspect(system);
  const stage = await createStage(client, scene);
  const dataSourceIds = stage.map(({ dataSourceId }) => dataSourceId);
  const zoneIds = new Set(stage.flatMap((camera) => [...camera.zoneIds.values()]));
  const listener = await listen(system);

  await playScene(client, stage);
  const minPosition = await sendLastTracks(client, stage, REORDER_MS + 1);
  // The history is asked when all tracks have ended. The end of tracks is asked of Redis, which costs less.
  await inspector.settled(SETTLE_MS);
  const query = () => readIntersections(client, { dataSourceIds, minPosition });
  await settled(async () => (await query()).every(({ endTime }) => endTime !== null));
  const history = await query();
  await settled(() => firstDifference({ history, subscriber: listener.stays(zoneIds) }) === undefined);
  const clickhouse = await intersectionsInClickHouse(system.env, dataSourceIds);
  const subscriber = listener.stays(zoneIds);
  listener.stop();

  const stored = await readDetections(client, { dataSourceIds, minPosition });
  const sent = scene.cameras.reduce((sum, { detections }) => sum + detections.length, 0);
  expect(stored.length - stage.length, "all detections but the farewells").toBe(sent);
  return {
    oracle: (kept: (camera: SceneCamera) => readonly SceneDetection[]) => oracleOf(stage, TTL_MS, kept),
    difference: (oracle: ReturnType<typeof oracleOf>) => firstDifference({ oracle, history, clickhouse, subscriber }),
    faults: listener.faults(zoneIds),
  };
}
