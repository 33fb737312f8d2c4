// Copies rows of the serving database, in requests that each take less than their time limit.
import type { ClickHouseClient } from "@clickhouse/client";
import { detectionsTable } from "../../projections/history/detections.ts";
import { detectionsPerHourTable } from "../../projections/history/detections-per-hour.ts";
import type { Table } from "../../projections/history/table.ts";
import { tracksTable } from "../../projections/history/tracks.ts";
import { unsettledTable } from "../../projections/history/unsettled.ts";
import { HOUR_MS } from "../../schemas/units.ts";
import type { LostSpan } from "./first-messages.ts";

export interface CopyRowsDeps {
  /** Uses the database that is filled. */
  readonly client: ClickHouseClient;
  /** The serving database. */
  readonly from: string;
}

const SETTINGS = { max_partitions_per_insert_block: "1000", insert_deduplicate: 0 } as const;
const EVERY_ROW = "1 = 1";
const SLICE_ROWS = 500_000;

/** Other tables of a kind follow from these. */
export const isRecorded = (table: Table): boolean => partitionColumn(table) !== undefined;

const partitionColumn = ({ columns }: Table): string | undefined =>
  ["cause_partition", "partition"].find((name) => columns.includes(name));

/** A row of a track has no time of its own recording, but that of the first message that it was made of. */
const timeColumn = ({ columns }: Table): string | undefined =>
  ["recorded_at", "created_at"].find((name) => columns.includes(name));

export async function copySpans(table: Table, spans: readonly LostSpan[], deps: CopyRowsDeps): Promise<void> {
  const time = timeColumn(table);
  if (time === undefined) throw new Error(`${table.name} has no time of recording`);
  const conditions = spans.map(({ partition, from, upTo }) =>
    [
      `${partitionColumn(table)} = ${partition}`,
      ...(from === undefined ? [] : [`${time} >= ${atMs(from)}`]),
      ...(upTo === undefined ? [] : [`${time} <= ${atMs(upTo)}`]),
    ].join(" AND "),
  );
  await copyHours(table, time, `(${conditions.join(" OR ")})`, deps);
}

/** A table with a time of recording is copied by hours, another one by the hash of its key. */
export async function copyWhole(table: Table, deps: CopyRowsDeps): Promise<void> {
  const time = timeColumn(table);
  if (time !== undefined) return copyHours(table, time, EVERY_ROW, deps);
  const [{ rows } = { rows: "0" }] = await ask<{ rows: string }>(
    deps,
    `SELECT count() AS rows FROM ${sourceOf(table, deps)}`,
  );
  const slices = Math.ceil(Number(rows) / SLICE_ROWS);
  // A merge of rows keeps their key, so every row stays in its slice.
  const key = table.columns.find((name) => ["chronicle_id", "video_id"].includes(name)) ?? table.columns[0];
  for (let slice = 0; slice < slices; slice++) {
    await copyRows(table, `cityHash64(${key}) % ${slices} = ${slice}`, deps);
  }
}

async function copyHours(table: Table, time: string, condition: string, deps: CopyRowsDeps): Promise<void> {
  const hour = `intDiv(toUnixTimestamp64Milli(${time}), ${HOUR_MS})`;
  const sql = `SELECT DISTINCT ${hour} AS hour FROM ${sourceOf(table, deps)} WHERE ${condition} ORDER BY hour`;
  for (const { hour: number } of await ask<{ hour: string }>(deps, sql)) {
    const from = Number(number) * HOUR_MS;
    await copyRows(table, `${condition} AND ${time} >= ${atMs(from)} AND ${time} < ${atMs(from + HOUR_MS)}`, deps);
  }
}

async function copyRows(table: Table, condition: string, deps: CopyRowsDeps): Promise<void> {
  for (const query of insertsOf(table, sourceOf(table, deps), condition)) {
    await deps.client.command({ query, clickhouse_settings: SETTINGS });
  }
}

function insertsOf(table: Table, source: string, condition: string): readonly string[] {
  const rows = `${into(table)} SELECT ${table.columns.join(", ")} FROM ${source} WHERE ${condition}`;
  if (table === tracksTable)
    return [rows, `${into(unsettledTable)} SELECT data_source_id, track_id FROM ${source} WHERE ${condition}`];
  if (table === detectionsTable) return [rows, hoursOf(source, condition)];
  return [rows];
}

const hoursOf = (source: string, condition: string): string => `${into(detectionsPerHourTable)}
  SELECT data_source_id, toInt32(floor(toUnixTimestamp64Milli(timestamp) / ${HOUR_MS})) AS hour, track_id,
    groupUniqArray(toUInt32(toUnixTimestamp64Milli(timestamp) - toInt64(hour) * ${HOUR_MS}))
  FROM ${source} WHERE ${condition} GROUP BY data_source_id, hour, track_id`;

const into = ({ name, columns }: Table): string => `INSERT INTO ${name} (${columns.join(", ")})`;
const sourceOf = ({ name }: Table, { from }: CopyRowsDeps): string => `${from}.${name}`;
const atMs = (ms: number): string => `fromUnixTimestamp64Milli(${ms}, 'UTC')`;

async function ask<Row>({ client }: CopyRowsDeps, query: string): Promise<Row[]> {
  return (await client.query({ query, format: "JSONEachRow" })).json<Row>();
}
