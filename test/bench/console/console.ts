// The console in a headless Chromium that renders by software, in front of a whole system that gets detections all the
// time: how smooth the picture of a crowd and a grid of cameras are, and how soon a link shows something.
import type { Browser } from "playwright-core";
import { launchSystem, type System } from "../../support/running/launch-system.ts";
import { type Camera, createCameras, pace, sendFrame } from "../camera-load.ts";
import { parameter } from "../config.ts";
import { type Comparison, format, median } from "../measure.ts";
import type { BenchStack } from "../stack.ts";
import { consoleLink, type Frames, launchSoftwareBrowser, openPage, type WatchedPage } from "./browser.ts";
import { measureOpening } from "./opening.ts";

/** Compilers and caches warm up, and trails get their length: that takes 10 seconds. */
const WARM_UP_SECONDS = 15;
/** A single update of a crowd is as many messages as a subscriber may have waiting by default. */
const SETTINGS = {
  API_CONSOLE: "true",
  API_SUBSCRIPTION_QUEUE_MESSAGES: "20000",
  API_SUBSCRIPTION_QUEUE_BYTES: "33554432",
};
const BOXES_OF_A_TILE = 5;
/** So many cameras are created at a time. */
const CREATED_TOGETHER = 20;
const TILE_UPDATES_PER_SECOND = 5;
const BLANK = "about:blank";

export async function benchConsole(stack: BenchStack): Promise<Comparison[]> {
  const seconds = parameter("BENCH_CONSOLE_SECONDS", 60);
  const boxes = parameter("BENCH_CONSOLE_BOXES", 1_000);
  const updates = parameter("BENCH_CONSOLE_UPDATES", 30);
  const tiles = parameter("BENCH_CONSOLE_TILES", 200);
  const launched = await launchSystem(stack.env, `bench_console_${Date.now()}`, SETTINGS);
  const browser = await launchSoftwareBrowser();
  process.stderr.write(`  Chromium ${browser.version()} without a GPU: Skia paints by software\n`);
  try {
    const { system } = launched;
    const opening = await openingBesideADemo(browser, system);
    // The rest is about the console. What it does not need leaves it the processor.
    await Promise.all([system.services.projector.stop(), system.services["state-machine"].stop()]);
    const [crowd] = await createCameras(system.client, 1, boxes);
    if (crowd === undefined) throw new Error("there is no camera");
    const picture = await watch({
      ...{ browser, system, seconds, cameras: [crowd], framesPerSecond: updates },
      ...{ name: `console, ${boxes} boxes at ${updates}/s`, path: `/cameras/${crowd.dataSourceId}` },
    });
    const cameras = await watch({
      ...{ browser, system, framesPerSecond: tiles * TILE_UPDATES_PER_SECOND },
      seconds: parameter("BENCH_CONSOLE_TILE_SECONDS", seconds),
      cameras: await createGrid(system, tiles),
      ...{ name: `console, ${tiles} tiles at ${TILE_UPDATES_PER_SECOND}/s`, path: "" },
    });
    return [...opening, ...picture, ...cameras];
  } finally {
    await browser.close();
    await launched.stop();
  }
}

/** The load has as many detections as the demo sends. */
async function openingBesideADemo(browser: Browser, system: System): Promise<Comparison[]> {
  const cameras = await createCameras(system.client, 2, 6);
  const [first] = cameras;
  if (first === undefined) throw new Error("there is no camera");
  return beside(system, cameras, 10, () => measureOpening(browser, system, first.dataSourceId));
}

async function createGrid({ client }: System, tiles: number): Promise<readonly Camera[]> {
  const cameras: Camera[] = [];
  while (cameras.length < tiles) {
    const count = Math.min(CREATED_TOGETHER, tiles - cameras.length);
    cameras.push(...(await createCameras(client, count, BOXES_OF_A_TILE)));
  }
  return cameras;
}

interface Watched {
  readonly browser: Browser;
  readonly system: System;
  readonly cameras: readonly Camera[];
  readonly framesPerSecond: number;
  readonly seconds: number;
  readonly name: string;
  /** Below /console. */
  readonly path: string;
}

/** A blank page in the same browser, beside the same load, is the baseline. */
async function watch({
  browser,
  system,
  cameras,
  framesPerSecond,
  seconds,
  name,
  path,
}: Watched): Promise<Comparison[]> {
  return beside(system, cameras, framesPerSecond, async () => {
    const blank = await measured(await openPage(browser, BLANK), Math.min(seconds, 20));
    const ours = await measured(await openPage(browser, consoleLink(system, path)), seconds);
    const mib = (bytes: number) => bytes / 2 ** 20;
    const sentRate = framesPerSecond * (cameras[0]?.trackIds.length ?? 0);
    const rates = Number.isNaN(ours.shownRate)
      ? []
      : [row(`${name}, detections shown of those to be sent`, "1/s", ours.shownRate, sentRate, ">= 0.95")];
    return [
      ...rates,
      row(`${name}, frame p50`, "ms", ours.frames.p50, blank.frames.p50, ""),
      row(`${name}, frame p95`, "ms", ours.frames.p95, blank.frames.p95, "<= 16.7"),
      row(`${name}, frame p99`, "ms", ours.frames.p99, blank.frames.p99, ""),
      row(`${name}, main thread busy`, "%", 100 * ours.frames.busy, 100 * blank.frames.busy, ""),
      row(`${name}, heap at the end and at the start`, "MiB", mib(ours.heapAfter), mib(ours.heapBefore), "no growth"),
    ];
  });
}

interface Measured {
  readonly frames: Frames;
  readonly heapBefore: number;
  readonly heapAfter: number;
  /** The rate that the page shows; NaN when it shows none. */
  readonly shownRate: number;
}

async function measured(watched: WatchedPage, seconds: number): Promise<Measured> {
  try {
    await watched.measure(WARM_UP_SECONDS);
    const heapBefore = await watched.heapBytes();
    const frames = await watched.measure(seconds);
    const heapAfter = await watched.heapBytes();
    const shown = await watched.page.locator(".camera-head, .cameras-head").allInnerTexts();
    process.stderr.write(
      `  ${format(frames.perSecond)} frames/s, the page says: ${shown.join(" ").replaceAll("\n", " ")}\n`,
    );
    const [, rate] = /(\d+) detections\/s/.exec(shown.join(" ")) ?? [];
    return { frames, heapBefore, heapAfter, shownRate: Number(rate ?? Number.NaN) };
  } finally {
    await watched.close();
  }
}

/** Sends frames of the cameras, so many a second in all, while the work is done. */
async function beside<Result>(
  system: System,
  cameras: readonly Camera[],
  framesPerSecond: number,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const waits: number[] = [];
  const send = async (camera: Camera) => {
    if (isOver) return;
    const start = performance.now();
    const { answer } = await sendFrame(system.client, camera);
    waits.push(performance.now() - start);
    if (answer.data == null) throw new Error(JSON.stringify(answer.errors));
  };
  const sending = (async () => {
    while (!isOver) await pace(cameras, { framesPerSecond, seconds: 1 }, send);
  })();
  const result = await Promise.race([
    work(),
    sending.then(() => Promise.reject(new Error("the load has ended"))),
  ]).finally(() => {
    isOver = true;
  });
  await sending;
  process.stderr.write(`  ${waits.length} mutations, answered in ${format(median(waits))} ms\n`);
  return result;
}

const row = (name: string, unit: string, ours: number, baseline: number, goal: string): Comparison => ({
  ...{ name, unit, ours, baseline, goal },
  ratio: ours / baseline,
});
