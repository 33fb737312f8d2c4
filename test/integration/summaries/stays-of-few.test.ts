import { expect, test } from "vitest";
import { intersectionsSummary } from "../../../projections/summaries/intersections.ts";
import type { Strategy } from "../../../projections/summaries/shape.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { createDatabase } from "../history/database.ts";
import { createScene } from "./scene.ts";

const MINUTE_MS = 60_000;
const STAYS = 200_000;
const START = Date.parse("2026-01-01T00:00:00.000Z");

test("stays of a range are found without those that ended before it", async () => {
  const database = await createDatabase();
  const at = (number: string) => `fromUnixTimestamp64Milli(toInt64(${START} + (${number}) * ${MINUTE_MS}), 'UTC')`;
  const fill = (id: string, start: string, end: string, count: number) =>
    database.client.command({
      query: `INSERT INTO zone_intersections_v1
          (intersection_id, zone_id, track_id, data_source_id, tag, start_time, end_time, last_inside)
        SELECT ${id}, concat('zone-', toString(number % 7)), 'track', 'ds', 'car', ${start}, ${end}, ${start} FROM numbers(${count})`,
    });
  await fill("toString(number)", at("number"), at("number + 2"), STAYS);
  await fill("'open'", at("7"), "NULL", 1);
  const client = createClickHouse(database.config, database.name, { max_rows_to_read: String(STAYS / 2) });
  const from = START + (STAYS - 10) * MINUTE_MS;
  const counted = async (strategy: Strategy) => {
    const question = { range: { from, to: from + MINUTE_MS }, strategy, maxBuckets: 10 };
    return (await intersectionsSummary.summarize({ ...createScene(), client, filter: {}, question })).overall;
  };

  const [active, started, ended] = [await counted("ACTIVE"), await counted("STARTED"), await counted("ENDED")];
  await client.close();

  expect(active).toMatchObject({ total: 4, started: 1, ended: 1 });
  expect([started.total, ended.total]).toEqual([1, 1]);
});
