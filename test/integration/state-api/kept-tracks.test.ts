// Tracks that are kept in Redis: whole, bounded by number, size and time.
import { expect, test } from "vitest";
import { keptTracksKeys } from "../../../schemas/redis-keys.ts";
import { createKeptTracks, type KeptTrack } from "../../../services/state-api/detections/kept-tracks.ts";
import { until } from "../../support/running/processes.ts";
import { useRedis } from "../../support/running/redis.ts";

const { client: redis, namespace } = useRedis("kept", 3);

const track = (trackId: string, spots = 1): KeptTrack => ({
  trackId,
  tag: "person",
  dataSourceId: "d1",
  endTime: 9_000,
  stays: [{ zoneId: "z1", startTime: 1, endTime: null }],
  zones: null,
  askedAt: 5,
  covered: [{ from: 0, to: 9_000, askedAt: 5 }],
  spots: Array.from({ length: spots }, (_, i) => ({
    at: i,
    box: i % 2 === 0 ? { minX: 0.1 + i, minY: -2, maxX: 3, maxY: 4 } : null,
    place: i % 3 === 0 ? { longitude: 8.123456789012, latitude: 48 } : null,
    recordedAt: i % 5 === 0 ? null : 1_700_000_000_000 + i,
  })),
  mark: "1 2 3",
  isSettled: true,
});

const kept = (more: { readonly maxTracks?: number; readonly ttlSeconds?: number } = {}, part = "a") =>
  createKeptTracks({ redis, namespace: `${namespace}-${part}`, ttlSeconds: 60, maxTracks: 100, ...more });

async function nowMs(): Promise<number> {
  const [seconds, microseconds] = (await redis.time()).map(Number);
  return (seconds ?? 0) * 1_000 + Math.floor((microseconds ?? 0) / 1_000);
}

test("a track comes back as it was written, to its scope only", async () => {
  const { read, write } = kept();
  const tracks = [track("t1", 10), track("t2"), track("__proto__")];
  await write("own", tracks);

  expect([...(await read("own", ["t1", "t2", "__proto__", "t3"])).values()]).toEqual(tracks);
  expect(await read("other", ["t1"])).toEqual(new Map());
  expect(await read("own", [])).toEqual(new Map());
});

test("of too many the oldest go first", async () => {
  const { read, write } = kept({ maxTracks: 3 }, "b");
  for (const id of ["t1", "t2", "t3", "t1", "t4"]) {
    await write("own", [track(id)]);
    // The index orders by milliseconds of Redis' clock.
    const written = await nowMs();
    await until(async () => (await nowMs()) > written);
  }

  const left = await read("own", ["t1", "t2", "t3", "t4"]);

  expect([...left.keys()]).toEqual(["t1", "t3", "t4"]);
  expect(await redis.zcard(keptTracksKeys(`${namespace}-b`).index)).toBe(3);
});

test("a track that is too large is not kept", async () => {
  const { read, write } = kept({}, "c");
  await write("own", [track("large", 10_000), track("small")]);

  expect([...(await read("own", ["large", "small"])).keys()]).toEqual(["small"]);
});

test("everything goes after its time, the index too", async () => {
  const { write } = kept({ ttlSeconds: 60 }, "d");
  await write("own", [track("t1")]);
  const keys = keptTracksKeys(`${namespace}-d`);

  const left = await Promise.all([keys.track("own", "t1"), keys.index].map((key) => redis.pttl(key)));

  for (const ms of left) expect(ms > 0 && ms <= 60_000).toBe(true);
});
