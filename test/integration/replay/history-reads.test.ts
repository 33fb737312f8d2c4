// The number of rows of the history that a replay reads, by the store's own account.
import type { ClickHouseClient } from "@clickhouse/client";
import { beforeAll, expect, test } from "vitest";
import { earliestBeside, trackExtents } from "../../../projections/history/queries/replays.ts";
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import type { Segment } from "../../../projections/replay/session.ts";
import { createLog } from "../../../services/common/log.ts";
import { createHistoryBudget } from "../../../services/recorded/history-budget.ts";
import { type ReadHistoryDeps, readHistory } from "../../../services/recorded/read-history.ts";
import { findTracksFromBefore } from "../../../services/recorded/tracks-from-before.ts";
import { recordedBy, seen } from "../../unit/projections/live/camera.ts";
import { createDatabase, type Database } from "../history/database.ts";

const T0 = Date.UTC(2026, 0, 1);
const STEP_MS = 100;
const ROWS = 60_000;
const dataSourceId = "cam";
let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  await fill(database.client);
});

const TIME = `fromUnixTimestamp64Milli(${T0} + toInt64(number) * ${STEP_MS}, 'UTC')`;

/**
 * Writes a track for each hundred detections, one detection in ten offsets, and many earlier tracks whose months were
 * dropped.
 */
async function fill(client: ClickHouseClient): Promise<void> {
  await client.command({ query: detectionsFrom(`numbers(${ROWS})`, TIME, "10 * number") });
  await client.command({
    query: `INSERT INTO tracks_v1 (data_source_id, track_id, first_detection_at, last_detection_at, created_at, updated_at)
      SELECT data_source_id, track_id, min(timestamp), max(timestamp), min(recorded_at), max(recorded_at)
      FROM detections_v1 GROUP BY data_source_id, track_id`,
  });
  await client.command({
    query: `INSERT INTO tracks_v1 (data_source_id, track_id, created_at, updated_at)
      SELECT '${dataSourceId}', concat('old', toString(number)), toDateTime64(0, 3, 'UTC'), toDateTime64(0, 3, 'UTC')
      FROM numbers(${ROWS})`,
  });
}

const detectionsFrom = (numbers: string, recordedAt: string, offset: string): string =>
  `INSERT INTO detections_v1 (data_source_id, track_id, timestamp, recorded_at, partition, offset, item)
    SELECT '${dataSourceId}', toString(intDiv(number, 100)), ${TIME}, ${recordedAt}, 0, ${offset}, 0 FROM ${numbers}`;

/** Counts what the store means to read: all rows of the granules that it does not skip. */
function counting() {
  let rows = 0;
  const query: QueryClient["query"] = async (params) => {
    const query = `EXPLAIN ESTIMATE ${params.query}`;
    const estimate = await database.client.query({ ...params, query, format: "JSONEachRow" });
    for (const read of await estimate.json<{ rows: string }>()) rows += Number(read.rows);
    return database.client.query(params);
  };
  return { asked: { query }, rows: () => rows };
}

const timeOf = (row: number): number => T0 + row * STEP_MS;

const segmentOf = (begin: number, end: number): Segment => ({
  ...{
    partition: 0,
    asked: { kind: "tracks", tracks: [{ dataSourceId, trackId: "0" }] },
    dataSourceIds: [dataSourceId],
    log: "history",
    begin: 0,
    end: 0,
  },
  ...{ beginAt: timeOf(begin), lastAt: timeOf(end), recorded: [], eventFrom: timeOf(begin), eventTo: timeOf(end) },
});

const depsOf = (history: QueryClient): ReadHistoryDeps => ({
  ...{ history, historyBudget: createHistoryBudget(128 * 1024 * 1024), trackTtlMs: 0, warmUpMs: 0 },
  nextZone: async () => undefined,
  log: createLog("test", "silent"),
  signal: new AbortController().signal,
});

test("a long segment is read in portions, and each detection only a few times", async () => {
  const { asked, rows } = counting();
  let detections = 0;

  for await (const { message } of readHistory(segmentOf(0, ROWS), depsOf(asked))) {
    if (message.type === "DetectionsRecorded") detections += message.event.detections.length;
  }

  expect(detections).toBe(ROWS);
  expect(rows()).toBeLessThan(20 * ROWS);
});

test("what is asked of many tracks is read about their times, however long the history is", async () => {
  const { asked, rows } = counting();
  const trackIds = Array.from({ length: 100 }, (_, i) => String(i));

  const extents = await trackExtents(asked, [...trackIds, "unknown", "old1"]);

  expect(extents.map(({ trackId }) => trackId).toSorted()).toEqual(trackIds.toSorted());
  expect(extents.find(({ trackId }) => trackId === "7")).toEqual({
    ...{ trackId: "7", dataSourceId, recordedFrom: timeOf(700), recordedTo: timeOf(799) },
    ...{ eventFrom: timeOf(700), eventTo: timeOf(799) },
  });
  expect(rows()).toBeLessThan(ROWS / 2);
});

test("the tracks beside are looked for among those of that time", async () => {
  const { asked, rows } = counting();
  const at = timeOf(30_650);
  const until = at + 100;
  const besideSince = (row: number) =>
    earliestBeside(asked, { dataSourceIds: [dataSourceId], since: timeOf(row), at, until });

  expect(await besideSince(30_550)).toBe(timeOf(30_600));
  expect(rows()).toBeLessThan(ROWS / 2);
  // It was there before.
  expect(await besideSince(30_601)).toBe(timeOf(30_601));
});

test("a track whose header came long before its first detection is there from its header on", async () => {
  const { client } = database;
  await client.command({
    query: `INSERT INTO tracks_v1 (data_source_id, track_id, created_at, updated_at)
      SELECT '${dataSourceId}', '407', ${TIME}, ${TIME} FROM numbers(40090, 1)`,
  });
  const [since, at] = [timeOf(40_050), timeOf(40_650)];
  const besideUntil = (row: number) =>
    earliestBeside(client, { dataSourceIds: [dataSourceId], since, at, until: timeOf(row) });

  expect(await besideUntil(40_651)).toBe(timeOf(40_600));
  expect(await besideUntil(40_750)).toBe(timeOf(40_090));
});

test("a recording that is sent again later does not stretch its tracks", async () => {
  const again = `${TIME} + INTERVAL 7 DAY`;
  await database.client.command({ query: detectionsFrom("numbers(500, 100)", again, `${10 * ROWS} + number`) });

  const [extent] = await trackExtents(database.client, ["5"]);

  expect(extent?.recordedTo).toBe(timeOf(599));
});

const at = (ms: number) => `fromUnixTimestamp64Milli(toInt64(${T0 + ms}), 'UTC')`;

interface Named {
  readonly source: string;
  readonly trackId?: string;
  readonly tag: string;
}

/** The track was created with its detection, unless another time is given. */
async function insertTrack({ source, trackId = "twin", tag }: Named, ms: number, createdMs = ms): Promise<void> {
  await database.client.command({
    query: `INSERT INTO detections_v1 (data_source_id, track_id, timestamp, recorded_at, offset)
      VALUES ('${source}', '${trackId}', ${at(ms)}, ${at(ms)}, ${ms})`,
  });
  await database.client.command({
    query: `INSERT INTO tracks_v1 (data_source_id, track_id, header_tag, first_detection_at, last_detection_at, created_at, updated_at)
      VALUES ('${source}', '${trackId}', (1, '${tag}'), ${at(ms)}, ${at(ms)}, ${at(createdMs)}, ${at(createdMs)})`,
  });
}

test("of the tracks with one id the one seen last is replayed, and each comes back with its own header", async () => {
  const twins = [
    ["left", 500, "car"],
    ["right", 900, "truck"],
    ["middle", 700, "person"],
  ] as const;
  for (const [source, ms, tag] of twins) await insertTrack({ source, tag }, ms);

  const extents = await trackExtents(database.client, ["twin"]);
  expect(extents.map((extent) => extent.dataSourceId)).toEqual(["right"]);

  const segment = { ...segmentOf(0, 10), dataSourceIds: twins.map(([source]) => source) };
  const made: string[] = [];
  for await (const { message } of readHistory(segment, depsOf(database.client))) {
    if (message.type === "TrackCreated") made.push(`${message.event.dataSourceId} ${message.event.tag}`);
  }
  expect(made).toEqual(["left car", "middle person", "right truck"]);
});

test.each([
  ["a long stretch: those that live state may still have known", 60_000, ["before", "soon"]],
  ["a short stretch: those that were seen in it", 7_000, ["before"]],
])("tracks from before %s", async (what, lastMs, expected) => {
  const source = what;
  const tag = "car";
  const [trackTtlMs, forgetAfterMs] = [1_000, 9_000];
  await insertTrack({ source, tag, trackId: "before" }, 8_000, 0);
  await insertTrack({ source, tag, trackId: "soon" }, 15_000, 0);
  await insertTrack({ source, tag, trackId: "late" }, 15_001, 0);
  await insertTrack({ source, tag, trackId: "begun" }, 6_000);
  const segment = { ...segmentOf(0, 0), dataSourceIds: [source], lastAt: T0 + lastMs };

  const { log, signal } = depsOf(database.client);
  const deps = { history: database.client, trackTtlMs, forgetAfterMs, log, signal };
  const introduce = await findTracksFromBefore(segment, T0 + 5_000, deps);

  const named = ["before", "soon", "late", "begun"].map((trackId) => seen(0, 0, { trackId }));
  const made = introduce(recordedBy(source, ...named));
  expect(made.map(({ event }) => "trackId" in event && event.trackId)).toEqual(expected);
});
