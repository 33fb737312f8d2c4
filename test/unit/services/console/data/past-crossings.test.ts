import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../../../schemas/units.ts";
import type { Asks } from "../../../../../services/console/data/asks.ts";
import type { StayNode } from "../../../../../services/console/data/live-questions.ts";
import { PastCrossings } from "../../../../../services/console/data/past-crossings.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const NOON = Date.parse("2026-11-24T12:00:00Z");
const iso = (ms: number) => new Date(ms).toISOString();

const stay = (id: string, since: number, endedAt: number | null): StayNode => ({
  id,
  startTime: iso(since),
  endTime: endedAt === null ? null : iso(endedAt),
  zone: { id: "door", name: "Door" },
  track: { id: `track of ${id}`, tag: "person", dataSource: { id: "west" } },
});

function crossingsOf(before: readonly StayNode[], after: readonly StayNode[], hasNextPage = false) {
  const edgesOf = (nodes: readonly StayNode[]) => ({ edges: nodes.map((node) => ({ node })) });
  const ask = vi.fn(async () => ({
    before: { ...edgesOf(before), pageInfo: { hasNextPage } },
    after: edgesOf(after),
  }));
  return { ask, crossings: new PastCrossings({ ask } as unknown as Asks, "west", () => {}) };
}

const namesAt = (crossings: PastCrossings, at: number) =>
  crossings.at(at)?.map(({ stayId, isEnd }) => `${stayId} ${isEnd ? "left" : "entered"}`);

test("the list of a moment has what came before it, also the end of a long stay, and nothing that came later", async () => {
  const { crossings } = crossingsOf(
    [stay("b", NOON - MINUTE_MS, NOON + 2_000), stay("a", NOON - 60 * MINUTE_MS, NOON - 2 * MINUTE_MS)],
    [stay("c", NOON + 1_000, null)],
  );
  expect(crossings.at(NOON)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(500);

  expect(namesAt(crossings, NOON)).toEqual(["b entered", "a left"]);
});

test("a playback goes on without a question for minutes, and a step back asks again", async () => {
  const { ask, crossings } = crossingsOf([stay("a", NOON - 1_000, null)], [stay("b", NOON + 1_000, NOON + 3_000)]);
  crossings.at(NOON);
  await vi.advanceTimersByTimeAsync(500);

  expect(namesAt(crossings, NOON + 2_000)).toEqual(["b entered", "a entered"]);
  expect(namesAt(crossings, NOON + 4 * MINUTE_MS)).toEqual(["b left", "b entered", "a entered"]);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(crossings.at(NOON - 1)).toBeUndefined();
  expect(ask).toHaveBeenCalledTimes(2);
});

test("where more begin than one answer has, the next question comes earlier", async () => {
  const after = Array.from({ length: 200 }, (_, i) => stay(`s${i}`, NOON + 1 + i * 100, null));
  const { ask, crossings } = crossingsOf([], after);
  crossings.at(NOON);
  await vi.advanceTimersByTimeAsync(500);

  expect(crossings.at(NOON + 19_000)).toHaveLength(190);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(crossings.at(NOON + 20_000)).toBeUndefined();
  expect(ask).toHaveBeenCalledTimes(2);
});

test("a question that fails is shown, and not repeated for the same moment", async () => {
  const ask = vi.fn(() => Promise.reject(new Error("no answer")));
  const crossings = new PastCrossings({ ask } as unknown as Asks, "west", () => {});
  crossings.at(NOON);
  await vi.advanceTimersByTimeAsync(10_000);
  crossings.at(NOON);
  await vi.advanceTimersByTimeAsync(10_000);

  expect(ask).toHaveBeenCalledTimes(1);
  expect(crossings.error).toBeDefined();
});

test("a failure counts for its moment alone, which is asked for again when it is shown again", async () => {
  const { ask, crossings } = crossingsOf([stay("a", NOON - 1_000, null)], []);
  crossings.at(NOON);
  await vi.advanceTimersByTimeAsync(500);
  ask.mockRejectedValueOnce(new Error("no answer"));
  const later = NOON + 60 * MINUTE_MS;
  crossings.at(later);
  await vi.advanceTimersByTimeAsync(500);
  expect(crossings.error).toBeDefined();

  expect(namesAt(crossings, NOON)).toEqual(["a entered"]);
  expect(crossings.error).toBeUndefined();
  crossings.at(later);
  await vi.advanceTimersByTimeAsync(500);

  expect(ask).toHaveBeenCalledTimes(3);
  expect(crossings.at(later)).toEqual([]);
});

test("a question that failed can be repeated", async () => {
  const { ask, crossings } = crossingsOf([stay("a", NOON - 1_000, null)], []);
  ask.mockRejectedValueOnce(new Error("no answer"));
  crossings.at(NOON);
  await vi.advanceTimersByTimeAsync(500);

  crossings.again();
  expect(crossings.error).toBeUndefined();
  crossings.at(NOON);
  await vi.advanceTimersByTimeAsync(500);

  expect(namesAt(crossings, NOON)).toEqual(["a entered"]);
});

test("a list knows whether it has all stays", async () => {
  for (const hasNextPage of [false, true]) {
    const { crossings } = crossingsOf([stay("a", NOON - 1_000, null)], [], hasNextPage);
    crossings.at(NOON);
    await vi.advanceTimersByTimeAsync(500);

    expect(crossings.isCut).toBe(hasNextPage);
  }
});
