// Few tracks of many rows: a page by start must not end at the first rows of its tracks.
import { beforeAll, describe, expect, test } from "vitest";
import { tracksCount, tracksPage } from "../../../projections/history/queries/tracks.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import type { FilterTrackInput, SortDirection } from "../../../schemas/filters.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { createDatabase, type Database, setMerges } from "./database.ts";

const START = Date.parse("2026-03-10T00:00:00.000Z");
const FIRSTS = [1, 2, 20];
const DIRECTIONS: readonly SortDirection[] = ["ASC", "DESC"];
const FILTERS: readonly FilterTrackInput[] = [
  {},
  { time: { between: [START, START + 100_000] } },
  { dataSourceId: { eq: "ds" } },
  { finished: { eq: false } },
];

let database: Database;
let flushes = 0;

/** Each message is a flush of its own, so every track has several rows. */
async function flush(message: CameraLogEvent): Promise<void> {
  const gathered = createGathered();
  flushes += 1;
  gathered.add(message, { partition: 0, offset: flushes, recordedAt: START + 1_000_000 });
  const covered = { topic: "pages", partition: 0, logId: "log", rankBase: 0, first: flushes, next: flushes + 1 };
  await createHistoryStore(database.client).insert(gathered.byTable(), [covered]);
}

const nothing = { endTime: null, properties: null, metadata: null, detections: [] };

const created = (trackId: string, startTime: number) =>
  flush({
    type: "TrackCreated",
    event: { ...nothing, trackId, dataSourceId: "ds", tag: "car", modelId: null, startTime },
  });

const moved = (trackId: string, startTime: number) =>
  flush({
    type: "TrackUpdated",
    event: { ...nothing, trackId, dataSourceId: "ds", tag: null, startTime, cleared: [] },
  });

const seen = (trackId: string, timestamp: number) =>
  flush({
    type: "DetectionsRecorded",
    event: {
      dataSourceId: "ds",
      detections: [{ trackId, timestamp, polygon: null, position: null, direction: null, metadata: null }],
    },
  });

beforeAll(async () => {
  database = await createDatabase();
  await setMerges(database, "STOP");
  await created("A", START);
  await created("B", START + 20_000);
  for (const second of [30, 40, 60]) await seen("A", START + second * 1_000);
  await created("C", START + 1_000);
  await moved("C", START + 50_000);
  for (const second of [51, 52]) await seen("C", START + second * 1_000);
});

async function walk(filter: FilterTrackInput, direction: SortDirection, first: number): Promise<string> {
  const history = { client: database.client, dataSourceIds: () => [] };
  const sort = [{ field: "TRACK_START_TIME" as const, direction }];
  const found: string[] = [];
  for (let after: string | undefined; ; ) {
    const { edges, hasNextPage } = await tracksPage(history, { filter, sort, first, after });
    found.push(...edges.map(({ node }) => node.trackId));
    if (!hasNextPage) return found.join("");
    after = edges.at(-1)?.cursor;
  }
}

describe.each(FILTERS)("few tracks of many rows, filter %j", (filter) => {
  test.each(DIRECTIONS)("are all on the pages by start, %s", async (direction) => {
    for (const first of FIRSTS) expect(await walk(filter, direction, first)).toBe(direction === "ASC" ? "ABC" : "CBA");
  });

  test("are as many as the pages show", async () => {
    expect(await tracksCount({ client: database.client, dataSourceIds: () => [] }, filter)).toBe(3);
  });
});
