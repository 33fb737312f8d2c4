import { expect, test } from "vitest";
import { until } from "../../support/running/processes.ts";
import { seen } from "./events.ts";
import { createInstallation } from "./installation.ts";

const TRACKS = 100_000;
const TRACKS_PER_MESSAGE = 1_000;

const sightings = (from: number) => seen(...Array.from({ length: TRACKS_PER_MESSAGE }, (_, i) => `track-${from + i}`));

test("the state of a hundred thousand tracks is saved, written again after Redis lost it, and taken over", async () => {
  const { record, startMachine, redis, keys, drop } = await createInstallation();
  for (let from = 0; from < TRACKS; from += TRACKS_PER_MESSAGE) await record([sightings(from)]);
  const stored = () => redis.hlen(keys.tracks);
  const first = startMachine({ TRACK_TTL: "3600" });
  await until(async () => (await stored()) === TRACKS, { timeoutMs: 100_000 });

  await redis.unlink(Object.values(keys));
  await until(async () => (await stored()) === TRACKS, { timeoutMs: 100_000 });
  await first.stop();
  const next = await redis.hget(keys.position, "next");
  // Only Redis holds them now.
  await drop("camera-log", Number(next));
  startMachine({ TRACK_TTL: "3600" });
  await record([sightings(TRACKS)]);
  await until(async () => (await stored()) === TRACKS + TRACKS_PER_MESSAGE, { timeoutMs: 100_000 });

  expect(next).toBe(String(TRACKS / TRACKS_PER_MESSAGE));
  expect(await redis.ttl(keys.tracks)).toBe(-1);
}, 300_000);
