// Finds the videos that cover periods.
import { bindTime } from "../../filters/sql/sql.ts";
import { videoHistory } from "../records/video.ts";
import type { WireRow } from "../table.ts";
import { createParams } from "./params.ts";
import type { PeriodRef, VideoRecord } from "./records.ts";
import { ask, type QueryClient } from "./run.ts";

/** About the square root of the number of videos that a camera may have. */
const BLOCK_VIDEOS = 256;
/** The end of an ongoing video, in milliseconds. */
const NO_END_MS = Number.MAX_SAFE_INTEGER;

/**
 * The videos whose periods contain the given ones, in the given order; undefined for a period without one. An ongoing
 * video has no end. Of several videos the latest counts.
 */
export async function coveringVideos(
  client: QueryClient,
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
 * Returns the id of the video that covers each period, by the period's index. Videos may overlap and have any length,
 * so the latest one that began before a period need not cover it. Searching all earlier videos would be slow. So a
 * camera's videos are cut into blocks in the order of their starts. The query reads the two latest blocks that can
 * contain a covering video, by the first start and last end of a block. Two are enough: in the latest of them, the
 * videos that reach far enough may begin too late. In the block before it all videos begin early enough, so one of them
 * covers the period.
 */
async function coveringIds(client: QueryClient, refs: readonly PeriodRef[]): Promise<ReadonlyMap<number, string>> {
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
      FROM ${videoHistory.from}
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

async function videosOf(
  client: QueryClient,
  refs: readonly PeriodRef[],
  ids: readonly string[],
): Promise<VideoRecord[]> {
  if (ids.length === 0) return [];
  const params = createParams();
  const sources = params.bindList("String", [...new Set(refs.map((ref) => ref.dataSourceId))]);
  const sql = `SELECT ${videoHistory.select} FROM ${videoHistory.from}
    WHERE data_source_id IN ${sources} AND video_id IN ${params.bindList("String", [...new Set(ids)])}`;
  return (await ask<WireRow>(client, "covering videos by ids", sql, params)).map(videoHistory.toRecord);
}

const keyOf = ({ dataSourceId, id }: Pick<VideoRecord, "dataSourceId" | "id">) => JSON.stringify([dataSourceId, id]);
