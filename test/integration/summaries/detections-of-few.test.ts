import { expect, test } from "vitest";
import { tagOf } from "../../../projections/catalog/tag.ts";
import { detectionsSummary } from "../../../projections/summaries/detections.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { createDatabase } from "../history/database.ts";
import { createScene } from "./scene.ts";

const HOUR_MS = 3_600_000;
const TRACKS = 100_000;

test("detections by tag read the headers of the tracks that were seen in the range, not of all", async () => {
  const database = await createDatabase();
  const fill = (query: string) => database.client.command({ query });
  await fill(`INSERT INTO tracks_v1 (data_source_id, track_id, header_tag)
    SELECT 'ds-a', toString(number + 1000000), (1, 'person') FROM numbers(${TRACKS})`);
  await fill(`INSERT INTO detections_per_hour_v1 (data_source_id, hour, track_id, seen_ms)
    SELECT 'ds-a', number, toString(number + 1000000), [5] FROM numbers(2)`);
  const client = createClickHouse(database.config, database.name, { max_rows_to_read: String(TRACKS / 2) });

  const answer = await detectionsSummary.summarize({
    ...createScene(),
    client,
    filter: { tag: { id: { eq: tagOf("person").id } } },
    question: { range: { from: 0, to: HOUR_MS }, strategy: "ACTIVE", maxBuckets: 10 },
  });
  await client.close();

  expect(answer.overall.total).toBe(1);
});
