// The states that REST answers equal an independent computation at every hundredth detection of a scene. Then the
// requests of the pages about REST are sent as they are written there.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { createScene } from "../../services/cli/demo/scene/scene.ts";
import { readText } from "../structure/repository.ts";
import { askAt } from "../support/clients/rest-client.ts";
import { compareLive } from "../support/oracles/compare-live.ts";
import { processEnv } from "../support/running/processes.ts";
import { startStateApi } from "../support/running/state-api.ts";
import { FEW_INSERTS, inspect, shareSystem } from "../support/running/system.ts";
import { createStage, type StageCamera } from "../support/scenes/play-scene.ts";

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
const shared = shareSystem(() => ({ ...FEW_INSERTS, TRACK_TTL: "3600", ALLOWED_URL_CIDRS: "127.0.0.0/8" }));
let rest = "";
let stage: StageCamera | undefined;

beforeAll(async () => {
  const system = shared();
  rest = await startStateApi(system, { STATE_API_GRAPHQL_URL: system.url });
  [stage] = await createStage(system.client, scene);
});

function staged(): StageCamera {
  if (stage === undefined) throw new Error("the scene has no camera");
  return stage;
}

test("live states equal an independent computation at every hundredth detection", async () => {
  const system = shared();
  const ask = askAt(rest, { "x-token-id": system.token.id, "x-token-value": system.token.value });
  const get = async (path: string) => {
    const { status, body } = await ask("GET", path);
    if (status !== 200) throw new Error(`${path} answers ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const { camera, dataSourceId, zoneIds } = staged();
  const zones = camera.zones.map(({ name, rings }) => ({ zoneId: zoneIds.get(name) ?? name, name, rings }));

  const { deliveries } = camera;
  const compared = await compareLive(system, await inspect(system), get, { dataSourceId, zones, deliveries });

  expect(compared).toBeGreaterThan(100);
});

/** Blocks of indented lines with requests. */
const blocks = ["services/state-api/README.md", "docs/receivers.md"].flatMap((page) =>
  [...readText(page).matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block).filter((block) => block.includes("curl ")),
);
const countIn = (block: string) => block.match(/^ {4}curl /gm)?.length ?? 0;

test("every curl line of the pages gets the answer that it is there for", async () => {
  const { url, token } = shared();
  const { camera, dataSourceId, zoneIds } = staged();
  const variables = {
    ...{ ID: token.id, VALUE: token.value, DATA_SOURCE_ID: dataSourceId },
    ...{ TRACK_ID: camera.tracks[0]?.trackId, ZONE_ID: [...zoneIds.values()][0] },
  };
  // The log has nothing of January.
  const now = new Date().toISOString();
  const run = async (block: string) => {
    const script = block
      .replaceAll("http://127.0.0.1:8080", rest)
      .replaceAll("http://127.0.0.1:4000/graphql", url)
      .replace(/at=[^"]+/, `at=${now}`);
    const shown = `curl() { command curl -sS -w '\\n%{http_code}\\n' "$@"; }\n${script}`;
    const env = { ...processEnv, ...variables };
    const { stdout: answers } = await promisify(execFile)("sh", ["-ec", shown], { env });
    return { block, statuses: answers.split("\n").filter((line) => /^\d{3}$/.test(line)), answers };
  };

  for (const block of blocks) {
    const statuses = Array.from({ length: countIn(block) }, () => expect.stringMatching(/^20[0124]$/));
    expect(await run(block)).toMatchObject({ block, statuses });
  }
  expect(blocks.reduce((count, block) => count + countIn(block), 0)).toBeGreaterThan(10);
});
