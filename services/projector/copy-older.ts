// Copies the rows that the log can no longer give from the serving database into the one that a rebuild fills.
import type { ClickHouseClient } from "@clickhouse/client";
import type { Kafka } from "kafkajs";
import { detectionsTable } from "../../projections/history/detections.ts";
import { detectionsPerHourTable } from "../../projections/history/detections-per-hour.ts";
import type { HistoryKind } from "../../projections/history/kind.ts";
import { historyKinds } from "../../projections/history/kinds.ts";
import { positionsTable } from "../../projections/history/positions.ts";
import type { Table } from "../../projections/history/table.ts";
import { tracksTable } from "../../projections/history/tracks.ts";
import { unsettledTable } from "../../projections/history/unsettled.ts";
import { topicName, topics } from "../../schemas/topics.ts";
import { HOUR_MS } from "../../schemas/units.ts";
import { type OffsetRange, offsetRanges } from "../common/kafka/offsets.ts";
import { createLogFetcher } from "../common/kafka/read/fetch-log.ts";

export interface CopyOlderDeps {
  readonly kafka: Kafka;
  /** Uses the database that is filled. */
  readonly client: ClickHouseClient;
  /** The serving database. */
  readonly from: string;
  readonly namespace: string;
}

/** A message may be larger; then it comes alone. */
const FETCH_BYTES = 64 * 1024;
const SETTINGS = { max_partitions_per_insert_block: "1000", insert_deduplicate: 0 } as const;

/**
 * Copies, for each partition of the log, what was recorded up to its first message. Rows of that message itself are
 * copied and projected, and are one row. The copy comes before the projection, so that of two rows which rank alike the
 * projected one counts.
 */
export async function copyOlder(deps: CopyOlderDeps): Promise<void> {
  await copyRankBases(deps);
  for (const kind of historyKinds.filter(({ topic }) => topics[topic].retentionMs !== -1)) {
    const firstMs = await firstMessages(kind, deps);
    for (const table of kind.tables.filter(isRecorded)) await copyTable(table, firstMs, deps);
  }
}

/** Rows of a log that was replaced rank below those of the present one only with its rank bases. */
async function copyRankBases({ client, from }: CopyOlderDeps): Promise<void> {
  const columns = "topic, partition, next_offset, log_id, rank_base";
  const query = `INSERT INTO ${positionsTable.name} (${columns})
    SELECT topic, partition, 0, argMax(log_id, (rank_base, next_offset)), max(rank_base)
    FROM ${from}.${positionsTable.name} GROUP BY topic, partition HAVING max(rank_base) > 0`;
  await client.command({ query });
}

/** Other tables follow from these. */
const isRecorded = (table: Table): boolean => partitionColumn(table) !== undefined;

const partitionColumn = ({ columns }: Table): string | undefined =>
  ["cause_partition", "partition"].find((name) => columns.includes(name));

/** A row of a track has no time of its own recording, but that of the first message that it was made of. */
const timeColumn = ({ columns }: Table): string => (columns.includes("recorded_at") ? "recorded_at" : "created_at");

/** Resolves with the times of the first messages by partition; undefined for one without messages. */
async function firstMessages({ topic }: HistoryKind, { kafka, namespace }: CopyOlderDeps) {
  const name = topicName(namespace, topic);
  const admin = kafka.admin();
  const fetcher = createLogFetcher(kafka, FETCH_BYTES);
  await Promise.all([admin.connect(), fetcher.start()]);
  const firstOf = async ({ partition, low, high }: OffsetRange) => {
    const { messages } = high > low ? await fetcher.fetch({ topic: name, partition }, low) : { messages: [] };
    const [first] = messages;
    return [partition, first === undefined ? undefined : Number(first.timestamp)] as const;
  };
  try {
    const found = new Map<number, number | undefined>();
    for (const range of await offsetRanges(admin, name)) found.set(...(await firstOf(range)));
    return found;
  } finally {
    await Promise.all([admin.disconnect(), fetcher.stop()]);
  }
}

/** Copies hour by hour, because a request has a time limit. */
async function copyTable(table: Table, firstMs: ReadonlyMap<number, number | undefined>, deps: CopyOlderDeps) {
  const time = timeColumn(table);
  const old = Array.from(firstMs, ([partition, ms]) => {
    const before = ms === undefined ? "" : ` AND ${time} <= fromUnixTimestamp64Milli(${ms}, 'UTC')`;
    return `(${partitionColumn(table)} = ${partition}${before})`;
  }).join(" OR ");
  const source = `${deps.from}.${table.name}`;
  const hour = `intDiv(toUnixTimestamp64Milli(${time}), ${HOUR_MS})`;
  const found = await deps.client.query({
    query: `SELECT DISTINCT ${hour} AS hour FROM ${source} WHERE ${old} ORDER BY hour`,
    format: "JSONEachRow",
  });
  for (const { hour: number } of await found.json<{ hour: string }>()) {
    const from = Number(number) * HOUR_MS;
    const within = [from, from + HOUR_MS].map((ms) => `fromUnixTimestamp64Milli(${ms}, 'UTC')`);
    const condition = `(${old}) AND ${time} >= ${within[0]} AND ${time} < ${within[1]}`;
    for (const query of insertsOf(table, source, condition)) {
      await deps.client.command({ query, clickhouse_settings: SETTINGS });
    }
  }
}

function insertsOf(table: Table, source: string, condition: string): readonly string[] {
  const columns = table.columns.join(", ");
  const rows = `INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM ${source} WHERE ${condition}`;
  if (table === tracksTable)
    return [rows, `${into(unsettledTable)} SELECT data_source_id, track_id FROM ${source} WHERE ${condition}`];
  if (table === detectionsTable) return [rows, hoursOf(source, condition)];
  return [rows];
}

const into = ({ name, columns }: Table): string => `INSERT INTO ${name} (${columns.join(", ")})`;

const hoursOf = (source: string, condition: string): string => `${into(detectionsPerHourTable)}
  SELECT data_source_id, toInt32(floor(toUnixTimestamp64Milli(timestamp) / ${HOUR_MS})) AS hour, track_id,
    groupUniqArray(toUInt32(toUnixTimestamp64Milli(timestamp) - toInt64(hour) * ${HOUR_MS}))
  FROM ${source} WHERE ${condition} GROUP BY data_source_id, hour, track_id`;
