// Which video covers a period.
import { bindTime } from "../../filters/sql/sql.ts";
import type { WireRow } from "../table.ts";
import { videoRecord, videoSelect } from "../videos.ts";
import { createParams } from "./params.ts";
import type { PeriodRef, VideoRecord } from "./records.ts";
import { type Asked, ask } from "./run.ts";

const VIEW = "videos_current_v1";
/** About the square root of what a camera may have. */
const BLOCK_VIDEOS = 256;
/** The end of an ongoing video, in milliseconds. */
const NO_END_MS = Number.MAX_SAFE_INTEGER;

/**
 * The video whose period contains the asked one, in the order asked; undefined = there is none. An ongoing video runs
 * on. Of several the latest counts.
 */
export async function coveringVideos(
  client: Asked,
  refs: readonly PeriodRef[],
): Promise<readonly (VideoRecord | undefined)[]> {
  if (refs.length === 0) return [];
  const ids = await coveringIds(client, refs);
  const byId = new Map((await videosOf(client, refs, [...ids.values()])).map((video) => [keyOf(video), video]));
  return refs.map(({ dataSourceId }, i) => {
    const id = ids.get(i);
    return id === undefined ? undefined : byId.get(keyOf({ dataSourceId, id }));
  });
}

/**
 * By the number of the period. Videos may overlap and be of any length, so the latest that began before a period need not
 * be the one. A camera's videos are cut into blocks in the order of their starts. Two blocks are enough for each period:
 * of the latest block, some videos may begin too late; the one before it that reaches far enough has a video that covers.
 */
async function coveringIds(client: Asked, refs: readonly PeriodRef[]): Promise<ReadonlyMap<number, string>> {
  const params = createParams();
  const sources = params.bindList(
    "String",
    refs.map((ref) => ref.dataSourceId),
  );
  const times = (pick: (ref: PeriodRef) => number) => params.bindList("Int64", refs.map(pick));
  const sql = `
    WITH video AS (
      SELECT data_source_id AS source, video_id AS id, toUnixTimestamp64Milli(start_time) AS start_ms,
        ifNull(toUnixTimestamp64Milli(end_time), ${NO_END_MS}) AS end_ms,
        intDiv(row_number() OVER (PARTITION BY source ORDER BY start_ms, id DESC), ${BLOCK_VIDEOS}) AS block
      FROM ${VIEW}
      WHERE data_source_id IN ${sources}
        AND start_time <= ${bindTime(params, Math.max(...refs.map(({ from }) => from)))}
        AND ifNull(end_time >= ${bindTime(params, Math.min(...refs.map(({ to }) => to)))}, 1)
    ), asked AS (
      SELECT ref.1 AS number, ref.2 AS source, ref.3 AS from_ms, ref.4 AS to_ms FROM (
        SELECT arrayJoin(arrayZip(range(${refs.length}), ${sources}, ${times(({ from }) => from)}, ${times(({ to }) => to)})) AS ref)
    ), near AS (
      SELECT number, asked.source AS source, from_ms, to_ms, block
      FROM asked INNER JOIN (
        SELECT source, block, min(start_ms) AS first_ms, max(end_ms) AS last_ms FROM video GROUP BY source, block
      ) AS blocks ON blocks.source = asked.source
      WHERE first_ms <= from_ms AND last_ms >= to_ms
      ORDER BY number, block DESC LIMIT 2 BY number
    )
    SELECT number, argMin(video.id, (-start_ms, video.id)) AS video_id
    FROM video INNER JOIN near ON video.source = near.source AND video.block = near.block
    WHERE start_ms <= from_ms AND end_ms >= to_ms
    GROUP BY number`;
  const rows = await ask<WireRow>(client, "covering videos", sql, params);
  return new Map(rows.map((row) => [Number(row["number"]), String(row["video_id"])]));
}

async function videosOf(client: Asked, refs: readonly PeriodRef[], ids: readonly string[]): Promise<VideoRecord[]> {
  if (ids.length === 0) return [];
  const params = createParams();
  const sources = params.bindList("String", [...new Set(refs.map((ref) => ref.dataSourceId))]);
  const sql = `SELECT ${videoSelect} FROM ${VIEW}
    WHERE data_source_id IN ${sources} AND video_id IN ${params.bindList("String", [...new Set(ids)])}`;
  return (await ask<WireRow>(client, "covering videos by ids", sql, params)).map(videoRecord);
}

const keyOf = ({ dataSourceId, id }: Pick<VideoRecord, "dataSourceId" | "id">) => JSON.stringify([dataSourceId, id]);
