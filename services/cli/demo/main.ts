// npm run demo: a generated scene, sent to a running tracklog by the import command. With --live, scenes are played at
// their own pace and without end.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { messageOf } from "../../../schemas/errors.ts";
import { loadConfig, orExit } from "../../common/config.ts";
import { stopRequested } from "../../common/lifecycle.ts";
import { pause } from "../../common/loop.ts";
import { createClient } from "../import/client.ts";
import { loadToken } from "../import/config.ts";
import { demoEnv } from "./config.ts";
import { playLive } from "./live/play-live.ts";
import { createWatched } from "./live/watched.ts";
import { createScene } from "./scene/scene.ts";
import type { SceneCamera } from "./scene/types.ts";
import { dataSourceName, trackerLines, zonesGeoJson } from "./scene-files.ts";

const config = await orExit(() => loadConfig(demoEnv, process.env));
const fps = config.DEMO_FPS;
const { values } = parseArgs({ options: { live: { type: "boolean", default: false } } });

await (values.live ? play() : importScene());

async function play(): Promise<void> {
  const stop = new AbortController();
  void stopRequested().then(() => stop.abort());
  try {
    const token = await loadToken(process.env);
    await playLive({
      client: createClient({ url: config.DEMO_URL, token, answerWithinMs: 30_000, giveUpAfterMs: 120_000 }),
      cameras: config.DEMO_CAMERAS,
      walkersPerCamera: config.DEMO_WALKERS,
      fps,
      isWatched: createWatched(config.DEMO_WATCH_URL || undefined),
      pause,
      now: Date.now,
      signal: stop.signal,
    });
  } catch (error) {
    process.stderr.write(`The demo ends: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
  process.disconnect?.();
}

async function importScene(): Promise<void> {
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
  for (const camera of scene.cameras) await importCamera(camera, start);
}

async function importCamera(camera: SceneCamera, start: number): Promise<void> {
  const tracks = join(config.DEMO_DIR, `${camera.name}.txt`);
  const zones = join(config.DEMO_DIR, `${camera.name}-zones.geojson`);
  await writeFile(tracks, trackerLines(camera, { start, fps }));
  await writeFile(zones, zonesGeoJson(camera));
  const args = ["--format", "mot", "--data-source", dataSourceName(camera), "--fps", String(fps)];
  args.push("--start", new Date(start).toISOString(), "--zones", zones, "--url", config.DEMO_URL);
  const child = fork(fileURLToPath(new URL("../import/main.ts", import.meta.url)), [tracks, ...args], { execArgv: [] });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = 1;
}
