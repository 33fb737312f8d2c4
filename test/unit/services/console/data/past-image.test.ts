import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HOUR_MS } from "../../../../../schemas/units.ts";
import type { Asks } from "../../../../../services/console/data/asks.ts";
import { PastImage } from "../../../../../services/console/data/past-image.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const NOON = Date.parse("2026-11-24T12:00:00Z");
const none = { edges: [] };

/** @param decode of the browser. */
function imageOf(decode: () => Promise<void>) {
  vi.stubGlobal("location", new URL("http://127.0.0.1/console"));
  vi.stubGlobal(
    "Image",
    class {
      src = "";
      decode = decode;
      removeAttribute() {
        this.src = "";
      }
    },
  );
  const node = { url: "/media/noon.png", timestamp: new Date(NOON).toISOString() };
  const ask = vi.fn(async () => ({ before: { edges: [{ node }] }, after: none }));
  return { ask, image: new PastImage({ ask } as unknown as Asks, "west", () => {}) };
}

test("after a question that failed, the image of another moment is not behind the picture", async () => {
  const { ask, image } = imageOf(() => Promise.resolve());
  image.at(NOON);
  await vi.advanceTimersByTimeAsync(600);
  expect(image.at(NOON)).toBeDefined();

  ask.mockRejectedValueOnce(new Error("no answer"));
  image.at(NOON + HOUR_MS);
  await vi.advanceTimersByTimeAsync(600);

  expect(image.at(NOON + HOUR_MS)).toBeUndefined();
});

test("the time of an image is named where it is far from the moment", async () => {
  const { image } = imageOf(() => Promise.resolve());
  image.at(NOON + 1_000);
  await vi.advanceTimersByTimeAsync(600);

  expect(image.farTime(NOON + 1_000)).toBeUndefined();
  expect(image.farTime(NOON + HOUR_MS)).toBe(NOON);
});

test("an image that never comes keeps the next moment waiting for a while only", async () => {
  const { ask, image } = imageOf(() => new Promise(() => {}));
  image.at(NOON);
  await vi.advanceTimersByTimeAsync(1_000);
  image.at(NOON + HOUR_MS);
  await vi.advanceTimersByTimeAsync(60_000);

  expect(ask).toHaveBeenCalledTimes(2);
});
