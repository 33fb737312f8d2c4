// The video that covers a period, among thousands that overlap, against a search through all. FILTERS_SEED repeats a
// run.
import { beforeAll, expect, test } from "vitest";
import { coveringVideos } from "../../../projections/history/queries/covering-videos.ts";
import { createDatabase, type Database } from "./database.ts";
import { pick, seeded } from "./world.ts";

const seed = Number(process.env["FILTERS_SEED"] ?? Math.floor(Math.random() * 1e9));
const random = seeded(seed);
const whole = (below: number) => Math.floor(random() * below);

interface Video {
  readonly id: string;
  readonly source: string;
  readonly start: number;
  /** The end, null while the video goes on. */
  readonly end: number | null;
}

const DAY = 86_400_000;
const T0 = Date.UTC(2026, 0, 1);

/** Most last a minute. Some last for days or go on, some begin at the same time, and there are times without one. */
const videos = Array.from({ length: 3_000 }, (_, i): Video => {
  const start = T0 + whole(500) * 60_000 + (i % 3 === 0 ? whole(60_000) : 0);
  const length = random() < 0.01 ? whole(DAY) : whole(120_000);
  return { id: `v${i}`, source: i % 10 === 0 ? "gate" : "door", start, end: random() < 0.003 ? null : start + length };
});

const periods = Array.from({ length: 1_000 }, () => {
  const from = T0 - 60_000 + whole(520 * 60_000);
  return {
    dataSourceId: pick(random, ["door", "gate", "none"]),
    from,
    to: from + whole(random() < 0.1 ? DAY : 90_000),
  };
});

let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  const time = (ms: number) => (ms / 1_000).toFixed(3);
  const values = videos.map(({ id, source, start, end }) => ({
    ...{ data_source_id: source, video_id: id, created: [1, time(start)] },
    ...{ set_start_time: [1, time(start)], set_end_time: [1, end === null ? null : time(end)], set_path: [1, "v.mp4"] },
  }));
  await database.client.insert({ table: "videos_v1", values, format: "JSONEachRow" });
});

test("it is the latest that contains the period, wherever it begins", async () => {
  const expected = periods.map(({ dataSourceId, from, to }) => {
    const covering = videos.filter(
      ({ source, start, end }) => source === dataSourceId && start <= from && (end ?? Number.POSITIVE_INFINITY) >= to,
    );
    return covering.sort((a, b) => b.start - a.start || (a.id < b.id ? -1 : 1))[0]?.id;
  });

  const found = await coveringVideos(database.client, periods);

  expect(
    found.map((video) => video?.id),
    `FILTERS_SEED=${seed}`,
  ).toEqual(expected);
  expect(new Set(expected).size).toBeGreaterThan(100);
});
