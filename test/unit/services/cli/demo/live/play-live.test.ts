import { expect, test } from "vitest";
import { playLive, together } from "../../../../../../services/cli/demo/live/play-live.ts";
import type { CameraDelivery } from "../../../../../../services/cli/demo/scene/types.ts";
import type { ImportClient } from "../../../../../../services/cli/import/client.ts";

const seen = (deliverAt: number): CameraDelivery => ({ type: "detectionsSeen", deliverAt, detections: [] });

/** A clock that moves to the end of the shortest pause when everybody pauses. */
function clockFrom(startMs: number) {
  const pauses: { readonly until: number; readonly end: () => void }[] = [];
  let nowMs = startMs;
  const endShortest = () => {
    pauses.sort((a, b) => a.until - b.until);
    const shortest = pauses.shift();
    nowMs = Math.max(nowMs, shortest?.until ?? 0);
    shortest?.end();
  };
  const pause = (ms: number) =>
    new Promise<void>((end) => {
      pauses.push({ until: nowMs + ms, end });
      setImmediate(endShortest);
    });
  return { now: () => nowMs, pause };
}

/** An API that has every data source and zone. */
function stage(watchedUntilMs: number) {
  const sent: { at: number; variables: object }[] = [];
  const { now, pause } = clockFrom(1_000_000);
  const request: ImportClient["request"] = async ({ query, variables = {} }) => {
    if (query.startsWith("mutation (")) sent.push({ at: now(), variables });
    const edges = [{ node: { id: "camera", name: "any" } }];
    const data = { dataSources: { edges }, zones: { edges, pageInfo: { hasNextPage: false } } };
    return { data, position: undefined };
  };
  const stop = new AbortController();
  const demo = {
    client: { request, retry: <T>(attempt: (send: typeof request) => Promise<T>) => attempt(request) },
    cameras: 1,
    walkersPerCamera: 2,
    fps: 5,
    isWatched: async () => now() < watchedUntilMs,
    now,
    pause: async (ms: number) => {
      await pause(ms);
      if (now() > watchedUntilMs + 5_000) stop.abort();
    },
    signal: stop.signal,
  };
  return { demo, sent };
}

test("nothing is sent while nobody looks", async () => {
  const { demo, sent } = stage(0);

  await playLive(demo);

  expect(sent).toEqual([]);
});

test("detections have the time at which they are sent, and end when nobody looks any more", async () => {
  const { demo, sent } = stage(1_010_000);

  await playLive(demo);

  expect(sent.length).toBeGreaterThan(5);
  for (const { at, variables } of sent) {
    const [first] = JSON.stringify(variables).match(/(?<="timestamp":")[^"]+/) ?? [];
    expect(Math.abs(Date.parse(first ?? "") - at)).toBeLessThan(500);
  }
  expect(Math.max(...sent.map(({ at }) => at))).toBeLessThan(1_012_000);
});

test("deliveries of one moment are sent together, as far as a document takes them", () => {
  const groups = [...together([seen(1), seen(1), seen(2), ...Array.from({ length: 30 }, () => seen(3))])];

  expect(groups.map((group) => group.length)).toEqual([2, 1, 25, 5]);
});
