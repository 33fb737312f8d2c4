import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { HOUR_MS } from "../../../../../schemas/units.ts";
import { ServerClock } from "../../../../../services/console/data/clock.ts";

const NOON = Date.parse("2026-11-24T12:00:00Z");

/** A viewer and a server with their own clocks, and requests that take time. */
function scene(viewerAheadMs: number) {
  let at = NOON;
  let aheadMs = viewerAheadMs;
  const clock = new ServerClock(() => at + aheadMs);
  return {
    clock,
    serverTime: () => at,
    pass: (ms: number) => {
      at += ms;
    },
    setViewer: (ms: number) => {
      aheadMs = ms;
    },
    request: (thereMs: number, backMs: number) => {
      const answered = clock.sent();
      at += thereMs;
      // A header Date has whole seconds.
      const date = new Date(at).toUTCString();
      at += backMs;
      answered(date);
    },
  };
}

test("a clock that is right stays as it is, to the millisecond", () => {
  const { clock, request, pass, serverTime } = scene(0);
  for (const ms of [0, 350, 999, 4_001]) {
    request(5, 900);
    pass(ms);
  }

  expect(clock.now()).toBe(serverTime());
  expect(clock.isViewerWrong).toBe(false);
});

test("many answers give the time of the server better than a header with whole seconds", () => {
  const { clock, request, pass, serverTime } = scene(7 * HOUR_MS);
  request(20, 20);
  expect(Math.abs(clock.now() - serverTime())).toBeLessThan(1_000);
  expect(clock.isViewerWrong).toBe(true);
  for (let i = 0; i < 20; i++) {
    pass(137);
    request(20, 20);
  }

  expect(Math.abs(clock.now() - serverTime())).toBeLessThan(100);
  expect(clock.differenceMs).toBeLessThan(-6.9 * HOUR_MS);
});

test("a slow answer blurs nothing that is known, and no answer says that a clock is wrong by less than it can know", () => {
  const { clock, request, serverTime } = scene(-2 * HOUR_MS);
  request(20, 20);
  request(0, 30_000);
  expect(Math.abs(clock.now() - serverTime())).toBeLessThan(1_000);

  const near = scene(-10_000);
  near.request(0, 30_000);
  expect(near.clock.isViewerWrong).toBe(false);
});

test("a clock that is set while the page is open is learned anew", () => {
  const { clock, request, setViewer, serverTime } = scene(3 * HOUR_MS);
  request(20, 20);
  setViewer(0);
  request(20, 20);

  expect(clock.now()).toBe(serverTime());
  expect(clock.isViewerWrong).toBe(false);
});

test("an answer without a time, and a clock that is set during a request, teach nothing", () => {
  const { clock, setViewer } = scene(0);
  clock.sent()(null);
  clock.sent()("soon");
  expect(clock.differenceMs).toBe(0);

  const answered = clock.sent();
  setViewer(-5 * HOUR_MS);
  answered(new Date(NOON).toUTCString());
  expect(clock.isViewerWrong).toBe(false);
});

test("the page asks no other clock for the time of day", async () => {
  const folder = new URL("../../../../../services/console/", import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(files.map(async (name) => [name, await readFile(new URL(name, folder), "utf8")]));

  const asking = texts.filter(([, text]) => text?.includes("Date.now")).map(([name]) => name);

  expect(files.length).toBeGreaterThan(100);
  expect(asking).toEqual(["data/clock.ts"]);
});
