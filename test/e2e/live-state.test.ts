// The states that REST answers equal an independent computation at every hundredth detection of a scene.
import { expect, test } from "vitest";
import { createScene } from "../../services/cli/demo/scene/scene.ts";
import { askAt } from "../support/clients/rest-client.ts";
import { compareLive } from "../support/oracles/compare-live.ts";
import { startStateApi } from "../support/running/state-api.ts";
import { FEW_INSERTS, inspect, startSystem } from "../support/running/system.ts";
import { createStage } from "../support/scenes/play-scene.ts";

test("live states equal an independent computation at every hundredth detection", async () => {
  const scene = createScene({
    seed: 11,
    cameras: 1,
    walkersPerCamera: 4,
    seconds: 60,
    fps: 4,
    start: Date.parse("2026-01-01T00:00:00.000Z"),
    duplicateShare: 0.1,
    maxLateMs: 600,
  });
  // The wall clock ends no track while the scene is played.
  const system = await startSystem({ ...FEW_INSERTS, TRACK_TTL: "3600" });
  const ask = askAt(await startStateApi(system), {
    "x-token-id": system.token.id,
    "x-token-value": system.token.value,
  });
  const get = async (path: string) => {
    const { status, body } = await ask("GET", path);
    if (status !== 200) throw new Error(`${path} answers ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const [stage] = await createStage(system.client, scene);
  if (stage === undefined) throw new Error("the scene has no camera");
  const { camera, dataSourceId, zoneIds } = stage;
  const zones = camera.zones.map(({ name, rings }) => ({ zoneId: zoneIds.get(name) ?? name, name, rings }));

  const { deliveries } = camera;
  const compared = await compareLive(system, await inspect(system), get, { dataSourceId, zones, deliveries });

  expect(compared).toBeGreaterThan(100);
});
