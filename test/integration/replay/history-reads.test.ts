// What a replay costs the history: rows that it reads, by the store's own account.
import type { ClickHouseClient } from "@clickhouse/client";
import { beforeAll, expect, test } from "vitest";
import type { Asked } from "../../../projections/history/queries/run.ts";
import type { Segment } from "../../../projections/replay/session.ts";
import { createLog } from "../../../services/common/log.ts";
import { createHistoryRoom } from "../../../services/replay/history-room.ts";
import { type ReadHistoryDeps, readHistory } from "../../../services/replay/read-history.ts";
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

/** A track for each hundred detections, one detection in ten offsets. */
const fill = (client: ClickHouseClient) =>
  client.command({
    query: `INSERT INTO detections_v1 (data_source_id, track_id, timestamp, recorded_at, partition, offset, item)
      SELECT '${dataSourceId}', toString(intDiv(number, 100)), fromUnixTimestamp64Milli(${T0} + toInt64(number) * ${STEP_MS}, 'UTC'),
        fromUnixTimestamp64Milli(${T0} + toInt64(number) * ${STEP_MS}, 'UTC'), 0, 10 * number, 0
      FROM numbers(${ROWS})`,
  });

/** Counts what the store means to read: all rows of the granules that it does not skip. */
function counting() {
  let rows = 0;
  const query: Asked["query"] = async (params) => {
    const query = `EXPLAIN ESTIMATE ${params.query}`;
    const estimate = await database.client.query({ ...params, query, format: "JSONEachRow" });
    for (const read of await estimate.json<{ rows: string }>()) rows += Number(read.rows);
    return database.client.query(params);
  };
  return { asked: { query }, rows: () => rows };
}

const timeOf = (row: number): number => T0 + row * STEP_MS;

const segmentOf = (begin: number, end: number): Segment => ({
  ...{ partition: 0, trackIds: ["0"], dataSourceIds: [dataSourceId], log: "history", begin: 0, end: 0 },
  ...{ beginAt: timeOf(begin), lastAt: timeOf(end), eventFrom: timeOf(begin), eventTo: timeOf(end) },
});

const depsOf = (history: Asked): ReadHistoryDeps => ({
  ...{ history, historyRoom: createHistoryRoom(128 * 1024 * 1024), trackTtlMs: 0, warmUpMs: 0 },
  zoneChanges: { first: undefined, later: async () => undefined },
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
