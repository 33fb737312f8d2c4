// Activities made inside ClickHouse, as a projector writes them: their creations, and for nine of ten the update that
// ends the activity, in rows of their own.
import type { ClickHouseClient } from "@clickhouse/client";

export const START_MS = Date.UTC(2026, 0, 1);
export const EVERY_MS = 1_000;
export const PRODUCERS = 20;
export const SITES = 500;
export const SOURCES = 5_000;
const STRETCH = 100_000;
const FILL_THREADS = 2;

/** `number`: the number of the activity. Ids grow with time, as those that the API makes. */
export const idOf = (number: string): string =>
  `concat(leftPad(hex(${START_MS} + ${number} * ${EVERY_MS}), 12, '0'), '-', hex(sipHash64(${number})))`;

const time = (ms: string) => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`;
const startMs = (number: string) => `${START_MS} + ${number} * ${EVERY_MS}`;
const list = (entries: string) => `(r, true, [${entries}])`;

export async function fillActivities(client: ClickHouseClient, count: number): Promise<void> {
  for (let first = 0; first < count; first += STRETCH) {
    const numbers = `numbers(${first}, ${Math.min(STRETCH, count - first)})`;
    for (const query of [creations(numbers), ends(numbers)]) {
      await client.command({
        query,
        clickhouse_settings: { max_insert_threads: String(FILL_THREADS), wait_end_of_query: 1 },
      });
    }
  }
}

const creations = (numbers: string): string => `INSERT INTO activity_chronicles_v1
  (chronicle_id, created, last_offset, set_name, set_chronicle_producer_id, set_description, set_metadata, set_priority,
    set_status, set_labels, set_start_time, set_end_time, set_position, set_site_ids, set_data_source_ids, set_draft)
  WITH toUInt64(4503599627370496 - number) AS r
  SELECT ${idOf("number")}, (r, ${time(startMs("number"))}), number,
    (r, concat('activity ', toString(number % 1000))), (r, concat('producer-', toString(number % ${PRODUCERS}))),
    (r, concat('what happened ', toString(number))), (r, '{"truck":{"axles":3},"plate":"AB-12"}'),
    (r, toString(number % 3 + 1)), (r, if(number % 50 = 0, 'open', 'closed')),
    ${list("concat('label-', toString(number % 100)), 'all'")},
    (r, ${time(startMs("number"))}), (r, NULL), (r, number % 360 - 180, number % 180 - 90, NULL, NULL),
    ${list(`concat('site-', toString(number % ${SITES}))`)}, ${list(`concat('source-', toString(number % ${SOURCES}))`)},
    (r, false)
  FROM ${numbers}`;

const ends = (numbers: string): string => `INSERT INTO activity_chronicles_v1
  (chronicle_id, updated, last_offset, set_end_time)
  WITH toUInt64(4503599627370497 + number) AS r
  SELECT ${idOf("number")}, ${time(`${startMs("number")} + 600000`)}, number, (r, ${time(`${startMs("number")} + 600000`)})
  FROM ${numbers} WHERE number % 10 > 0`;
