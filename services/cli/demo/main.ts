// npm run demo: a generated scene, sent to a running tracklog by the import command.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig, orExit } from "../../common/config.ts";
import { demoEnv } from "./config.ts";
import { createScene } from "./scene/scene.ts";
import type { SceneCamera } from "./scene/types.ts";
import { trackerLines, zonesGeoJson } from "./scene-files.ts";

const config = await orExit(() => loadConfig(demoEnv, process.env));
const fps = config.DEMO_FPS;
const start = config.DEMO_START === "" ? Date.now() - config.DEMO_SECONDS * 1_000 : Date.parse(config.DEMO_START);
const scene = createScene({
  seed: Math.floor(start / 1_000),
  cameras: config.DEMO_CAMERAS,
  walkersPerCamera: config.DEMO_WALKERS,
  seconds: config.DEMO_SECONDS,
  fps,
  start,
});

await mkdir(config.DEMO_DIR, { recursive: true });
for (const camera of scene.cameras) await importCamera(camera);

async function importCamera(camera: SceneCamera): Promise<void> {
  const tracks = join(config.DEMO_DIR, `${camera.name}.txt`);
  const zones = join(config.DEMO_DIR, `${camera.name}-zones.geojson`);
  await writeFile(tracks, trackerLines(camera, { start, fps }));
  await writeFile(zones, zonesGeoJson(camera));
  const args = ["--format", "mot", "--data-source", `demo ${camera.name}`, "--fps", String(fps)];
  args.push("--start", new Date(start).toISOString(), "--zones", zones, "--url", config.DEMO_URL);
  const child = fork(fileURLToPath(new URL("../import/main.ts", import.meta.url)), [tracks, ...args], { execArgv: [] });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = 1;
}
