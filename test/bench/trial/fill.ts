// A camera's day, made inside ClickHouse: people who walk across the image, as many at a time as `boxes`.
import type { ClickHouseClient } from "@clickhouse/client";

export const DAY_START_MS = Date.UTC(2026, 0, 1);
export const CAMERA = "camera-of-a-day";
const FRAME_MS = 200;
const FRAMES_PER_TRACK = 300;
/** About as many rows as one request can insert in its time. */
const STRETCH_FRAMES = 18_000;
const FILL_THREADS = 2;

export interface Day {
  readonly boxes: number;
  readonly frames: number;
}

export async function fillDay(client: ClickHouseClient, { boxes, frames }: Day): Promise<void> {
  for (let first = 0; first < frames; first += STRETCH_FRAMES) {
    const rows = Math.min(STRETCH_FRAMES, frames - first) * boxes;
    for (const query of [detections(boxes, first * boxes, rows), headers(boxes, first * boxes, rows)]) {
      await client.command({
        query,
        clickhouse_settings: { max_threads: FILL_THREADS, max_insert_block_size: "1048576" },
      });
    }
  }
}

const time = (ms: string) => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`;
const trackId = "toString(UUIDNumToString(sipHash128('day', track)))";

/** Tracks of neighbouring boxes begin a second after one another. `n` is the number of the frame in its track. */
const numbers = (boxes: number): string => `intDiv(number, ${boxes}) AS frame, number % ${boxes} AS box,
    frame + box * 5 AS turn, intDiv(turn, ${FRAMES_PER_TRACK}) * ${boxes} + box AS track,
    turn % ${FRAMES_PER_TRACK} AS n, ${DAY_START_MS} + frame * ${FRAME_MS} AS ms`;

function detections(boxes: number, first: number, rows: number): string {
  const step = (part: number) => `(intHash32(track * 7 + ${part}) % 2000 - 1000) / 100`;
  return `INSERT INTO detections_v1 (data_source_id, track_id, timestamp, rings, recorded_at, partition, offset, item)
    WITH ${numbers(boxes)},
      round(intHash32(track) % 1800 + ${step(1)} * n / 2 + sin(n) * 2, 2) AS x,
      round(intHash32(track + 1000000) % 1000 + ${step(2)} * n / 4 + cos(n) * 2, 2) AS y,
      round(42.5 + y / 20, 2) AS width, round(118.25 + y / 10, 2) AS height
    SELECT '${CAMERA}', ${trackId}, ${time("ms")},
      [[x, y, x + width, y, x + width, y + height, x, y + height, x, y]],
      ${time("ms + 100")}, 0, frame, toUInt32(box)
    FROM numbers(${first}, ${rows})`;
}

/** A header for each track that begins in the stretch. */
function headers(boxes: number, first: number, rows: number): string {
  return `INSERT INTO tracks_v1 (data_source_id, track_id, header_tag, header_start, created_at, updated_at, partition, last_offset)
    WITH ${numbers(boxes)}, toUInt64(4503599627370496 - frame) AS rank
    SELECT '${CAMERA}', ${trackId}, (rank, if(track % 4 = 0, 'car', 'person')), (rank, ${time("ms")}),
      ${time("ms")}, ${time("ms")}, 0, frame
    FROM numbers(${first}, ${rows}) WHERE n = 0 OR frame = 0`;
}
