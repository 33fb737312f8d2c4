// History for the query benchmark, made inside ClickHouse: detections as a projector writes them, a stretch of time of
// all cameras per insert. One stretch comes twice, as after a crash.
import type { ClickHouseClient } from "@clickhouse/client";

export interface Size {
  /** Between the starts of a camera's tracks. */
  readonly trackEveryMs: number;
  readonly cameras: number;
  readonly tracks: number;
  readonly detectionsPerTrack: number;
  readonly zones: number;
  /** Between the starts of two cameras, by default 40. */
  readonly staggerMs?: number;
  /** Tracks without an end, by default 10 per camera. */
  readonly openTracks?: number;
}

export const START_MS = Date.UTC(2026, 0, 1);
const DETECTION_EVERY_MS = 200;
/** About as many rows as one request can insert in its time. */
const STRETCH_DETECTIONS = 500_000;
const FILL_THREADS = 2;

/** `number` is the track's number; cameras take turns, so a stretch of numbers is a stretch of time. */
const camera = ({ cameras }: Size, track: string) => `concat('camera-', toString(${track} % ${cameras}))`;
export const trackIdSql = (track: string) => `toString(UUIDNumToString(sipHash128('track', toUInt64(${track}))))`;
export const zoneIdSql = (zone: string) => `toString(UUIDNumToString(sipHash128('zone', toUInt64(${zone}))))`;
const time = (ms: string) => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`;
const startMs = ({ cameras, trackEveryMs, staggerMs = 40 }: Size, track: string) =>
  `${START_MS} + intDiv(${track}, ${cameras}) * ${trackEveryMs} + ${track} % ${cameras} * ${staggerMs}`;

/** Every track expires, so only the tracks of the last minutes have no end. */
const OPEN_PER_CAMERA = 10;
const isOpen = ({ cameras, tracks, openTracks = OPEN_PER_CAMERA * cameras }: Size, track: string) =>
  `${track} >= ${tracks - openTracks}`;

export async function fillHistory(client: ClickHouseClient, size: Size): Promise<void> {
  const tracks = Math.ceil(STRETCH_DETECTIONS / size.detectionsPerTrack);
  const stretches = Math.ceil(size.tracks / tracks);
  for (let i = 0; i < stretches; i++) {
    const stretch = { first: i * tracks, tracks: Math.min(tracks, size.tracks - i * tracks), number: i };
    await insertStretch(client, size, stretch);
  }
  await insertStretch(client, size, { first: 0, tracks: Math.min(tracks, size.tracks), number: stretches });
}

interface Stretch {
  readonly first: number;
  readonly tracks: number;
  readonly number: number;
}

async function insertStretch(client: ClickHouseClient, size: Size, stretch: Stretch): Promise<void> {
  const statements = [
    detections(size, stretch),
    hours(size, stretch),
    headers(size, stretch),
    ends(size, stretch),
    unsettled(size, stretch),
    intersections(size, stretch, false),
    intersections(size, stretch, true),
  ];
  for (const [i, query] of statements.entries()) {
    await client.command({
      query,
      clickhouse_settings: {
        max_threads: FILL_THREADS,
        max_insert_block_size: "1048576",
        insert_deduplication_token: `${stretch.number}/${i}`,
      },
    });
  }
}

function detections(size: Size, { first, tracks }: Stretch): string {
  const per = size.detectionsPerTrack;
  return `INSERT INTO detections_v1 (data_source_id, track_id, timestamp, rings, longitude, latitude, direction, metadata,
      recorded_at, partition, offset, item)
    WITH intDiv(number, ${per}) AS track, number % ${per} AS n, ${startMs(size, "track")} + n * ${DETECTION_EVERY_MS} AS ms,
      toFloat64(cityHash64(track) % 1500 + n * 2) AS x, toFloat64(intHash32(track) % 800 + n % 7) AS y
    SELECT ${camera(size, "track")}, ${trackIdSql("track")}, ${time("ms")},
      [[x, y, x + 42.5, y, x + 42.5, y + 118.25, x, y + 118.25, x, y]],
      4 + track % ${size.cameras} * 0.01 + x / 1e6, 52 + y / 1e6, toFloat64(n * 3 % 360),
      if(n % 10 = 0, '{"confidence":0.87,"source":"detector"}', NULL),
      ${time("ms + 100")}, toUInt16(track % ${size.cameras} % 12), intDiv(number, 10), toUInt32(number % 10)
    FROM numbers(${first * per}, ${tracks * per})`;
}

/** Makes the rows that the projector gathers: one for an hour of a track. */
function hours(size: Size, { first, tracks }: Stretch): string {
  const per = size.detectionsPerTrack;
  return `INSERT INTO detections_per_hour_v1 (data_source_id, hour, track_id, seen_ms)
    WITH intDiv(number, ${per}) AS track, ${startMs(size, "track")} + number % ${per} * ${DETECTION_EVERY_MS} AS ms
    SELECT ${camera(size, "track")} AS data_source_id, toInt32(intDiv(ms, 3600000)) AS hour, ${trackIdSql("track")} AS track_id,
      groupUniqArray(toUInt32(ms % 3600000))
    FROM numbers(${first * per}, ${tracks * per}) GROUP BY data_source_id, hour, track_id`;
}

/** Makes the rows that follow from TrackCreated: they have the header, and nothing of detections yet. */
function headers(size: Size, { first, tracks }: Stretch): string {
  const none = "(toUInt64(0), false, toDateTime64(0, 3, 'UTC'))";
  return `INSERT INTO tracks_v1 (data_source_id, track_id, header_tag, header_start, explicit_end, expired_end,
      header_model_id, header_properties, header_metadata, created_at, updated_at, partition, last_offset)
    WITH number AS track, ${startMs(size, "track")} AS ms, toUInt64(4503599627370496 - number) AS rank
    SELECT ${camera(size, "track")}, ${trackIdSql("track")}, (rank, if(track % 4 = 0, 'car', 'person')),
      (rank, ${time("ms")}), ${none}, (toUInt64(0), toDateTime64(0, 3, 'UTC')), (rank, 'model-1'),
      (rank, '{"identifier":null,"attributes":[{"type":"color","value":"red"}]}'), (rank, '{"shift":"morning"}'),
      ${time("ms")}, ${time("ms")}, toUInt16(track % ${size.cameras} % 12), number
    FROM numbers(${first}, ${tracks})`;
}

/** Makes the rows of a later flush: first and last detection, and the end of the tracks that have one. */
function ends(size: Size, { first, tracks }: Stretch): string {
  const last = `ms + ${(size.detectionsPerTrack - 1) * DETECTION_EVERY_MS}`;
  return `INSERT INTO tracks_v1 (data_source_id, track_id, expired_end, first_detection_at, last_detection_at, created_at,
      updated_at, partition, last_offset)
    WITH number AS track, ${startMs(size, "track")} AS ms
    SELECT ${camera(size, "track")}, ${trackIdSql("track")},
      if(${isOpen(size, "track")}, (toUInt64(0), toDateTime64(0, 3, 'UTC')), (toUInt64(4503599627370497 + number), ${time(last)})),
      ${time("ms")}, ${time(last)}, ${time("ms")}, ${time(last)}, toUInt16(track % ${size.cameras} % 12), number + 1
    FROM numbers(${first}, ${tracks})`;
}

/** Makes the rows that settleTracks leaves: those of the tracks without an end. */
const unsettled = (size: Size, { first, tracks }: Stretch): string =>
  `INSERT INTO tracks_unsettled_v3 (data_source_id, track_id, own_start) WITH number AS track
    SELECT ${camera(size, "track")}, ${trackIdSql("track")}, ${time(startMs(size, "track"))} FROM numbers(${first}, ${tracks}) WHERE ${isOpen(size, "track")}`;

/** Two zones of its camera per track; an intersection that has ended has a row for its start and one for its end. */
function intersections(size: Size, { first, tracks }: Stretch, ended: boolean): string {
  const perCamera = Math.max(1, Math.floor(size.zones / size.cameras));
  const span = size.detectionsPerTrack * DETECTION_EVERY_MS;
  const zone = `track % ${size.cameras} * ${perCamera} + (intDiv(track, ${size.cameras}) + intersection * 7) % ${perCamera}`;
  const end = `${startMs(size, "track")} + intersection * ${Math.floor(span / 2)} + ${Math.floor(span / 3)}`;
  return `INSERT INTO zone_intersections_v1 (intersection_id, zone_id, track_id, data_source_id, tag, start_time, end_time,
      last_inside, cause_partition, cause_offset, cause_item, recorded_at)
    WITH intDiv(number, 2) AS track, number % 2 AS intersection, ${startMs(size, "track")} + intersection * ${Math.floor(span / 2)} AS ms
    SELECT toString(UUIDNumToString(sipHash128('intersection', number))), ${zoneIdSql(zone)}, ${trackIdSql("track")},
      ${camera(size, "track")}, if(track % 4 = 0, 'car', 'person'), ${time("ms")},
      ${ended ? time(end) : "NULL"}, ${ended ? time(end) : time("ms")},
      toUInt16(track % ${size.cameras} % 12), number * 2 + ${ended ? 1 : 0}, 0, ${time(ended ? end : "ms")}
    FROM numbers(${first * 2}, ${tracks * 2})${ended ? ` WHERE NOT (${isOpen(size, "track")})` : ""}`;
}
