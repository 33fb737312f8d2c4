// A headless Chromium that renders by software, and what it says about a page.
import chromium from "@sparticuz/chromium";
import { type Browser, type CDPSession, chromium as engine, type Page } from "playwright-core";
import type { System } from "../../support/running/launch-system.ts";
import { quantile } from "../measure.ts";

/** Skia's software backend paints the canvas, and the compositor has no GPU either. */
const SOFTWARE = ["--disable-gpu", "--disable-gpu-compositing", "--disable-accelerated-2d-canvas"];
/** In a single process the browser ends with its first page; SwiftShader is a GPU in software, which is slower here. */
const LEFT_OUT = /^--(single-process|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist|in-process-gpu)/;

export const launchSoftwareBrowser = async (): Promise<Browser> =>
  engine.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((flag) => !LEFT_OUT.test(flag)), ...SOFTWARE, "--enable-precise-memory-info"],
    headless: true,
  });

export function consoleLink({ url, token }: Pick<System, "url" | "token">, path: string): string {
  const fragment = new URLSearchParams({ "x-token-id": token.id, "x-token-value": token.value });
  return `${new URL(url).origin}/console${path}#${fragment}`;
}

export interface WatchedPage {
  readonly page: Page;
  /** Measures for so many seconds. */
  measure(seconds: number): Promise<Frames>;
  /** JavaScript heap in use after a forced garbage collection, in bytes. */
  heapBytes(): Promise<number>;
  close(): Promise<void>;
}

export interface Frames {
  /** Between two frames, in milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly perSecond: number;
  /** Share of the time in which the main thread of the page had work. */
  readonly busy: number;
}

export async function openPage(browser: Browser, url: string): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1_920, height: 1_080 }, locale: "en-US" });
  const page = await context.newPage();
  page.on("pageerror", (error) => process.stderr.write(`  page: ${error}\n`));
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(url);
  return {
    page,
    measure: (seconds) => measureFrames(page, session, seconds),
    heapBytes: async () => {
      await session.send("HeapProfiler.collectGarbage");
      const { usedSize } = await session.send("Runtime.getHeapUsage");
      return usedSize;
    },
    close: () => context.close(),
  };
}

async function measureFrames(page: Page, session: CDPSession, seconds: number): Promise<Frames> {
  const before = await busySeconds(session);
  const lengths: number[] = await page.evaluate(frameLengths(seconds * 1_000));
  const after = await busySeconds(session);
  const total = lengths.reduce((sum, ms) => sum + ms, 0) / 1_000;
  return {
    p50: quantile(lengths, 0.5),
    p95: quantile(lengths, 0.95),
    p99: quantile(lengths, 0.99),
    perSecond: lengths.length / total,
    busy: (after.task - before.task) / (after.at - before.at),
  };
}

async function busySeconds(session: CDPSession): Promise<{ readonly task: number; readonly at: number }> {
  const { metrics } = await session.send("Performance.getMetrics");
  const metricOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { task: metricOf("TaskDuration"), at: metricOf("Timestamp") };
}

/** Runs in the page. The times of frames are those that the browser gives to requestAnimationFrame. */
const frameLengths = (ms: number): string => `new Promise((resolve) => {
  const lengths = [];
  let last = 0;
  let end = 0;
  const step = (at) => {
    if (last === 0) end = at + ${ms};
    else lengths.push(at - last);
    last = at;
    if (at < end) requestAnimationFrame(step);
    else resolve(lengths);
  };
  requestAnimationFrame(step);
})`;
