// Gives the new namespace a database with the history of the old one. Its projector then reads the new log from the
// beginning, and ranks what it reads above the cloned rows, as it does for a log that has replaced another.
import type { ClickHouseClient } from "@clickhouse/client";
import { namedKinds } from "../../../projections/history/kinds.ts";
import {
  type PartitionPosition,
  projectedPositions,
  savePositions,
} from "../../../projections/history/queries/positions.ts";
import { ConfigError } from "../../common/config.ts";
import type { OffsetRange } from "../../common/kafka/offsets.ts";

export interface CloneDeps {
  readonly source: ClickHouseClient;
  readonly target: ClickHouseClient;
  /** Names of the databases. */
  readonly databases: { readonly from: string; readonly to: string };
  /** Namespaces. */
  readonly from: string;
  readonly to: string;
  /** Kafka's ids of the new topics, by their names on the broker. */
  readonly logIds: ReadonlyMap<string, string>;
  /** The partitions of a new topic. */
  readonly rangesOf: (topic: string) => Promise<readonly OffsetRange[]>;
}

/**
 * Rows may be newer than the stored position, and intersections may derive from messages that were not projected yet.
 */
const RANK_GAP = 2 ** 32;

/**
 * Resolves with the number of cloned tables; 0 when an earlier call has cloned them. May be repeated after a failure.
 * Rejects with ConfigError, and changes nothing, when the target has rows that no call for the same logs has cloned.
 */
export async function cloneHistory(deps: CloneDeps): Promise<number> {
  const { target } = deps;
  const kinds = [...namedKinds(deps.from).keys()];
  const positions = await firstPositions(deps, kinds);
  const known = await Promise.all([...deps.logIds.keys()].map((topic) => projectedPositions(target, topic)));
  const ids = new Set(deps.logIds.values());
  if (known.some((each) => [...each.values()].some(({ logId }) => logId !== undefined && ids.has(logId)))) return 0;
  const tables = await clonedTables(deps);
  await claim(deps, tables);
  for (const table of tables) await cloneTable(deps, table);
  // The positions come last: they say that the tables are complete.
  await savePositions(target, positions);
  return tables.length;
}

/** The positions of tracklog's own topics and the list of migrations are not part of the history. */
const OWN_POSITIONS = "projector_positions_v1";
const OWN_TABLES = [OWN_POSITIONS, "migrations_v1"];

async function clonedTables({ source, databases }: CloneDeps): Promise<string[]> {
  const found = await source.query({
    query: `SELECT name FROM system.tables
      WHERE database = {database: String} AND engine LIKE '%MergeTree' AND name NOT IN ({own: Array(String)})`,
    query_params: { database: databases.from, own: OWN_TABLES },
    format: "JSONEachRow",
  });
  return (await found.json<{ name: string }>()).map(({ name }) => name);
}

/** The clone replaces all rows, so they must be its own: a wrong name would cost another installation its history. */
async function claim({ target, databases, logIds }: CloneDeps, tables: readonly string[]): Promise<void> {
  // No topic has such a name. It names the logs, because one position of many has one log only.
  const topic = `clone begun for ${[...logIds.values()].sort().join()}`;
  if ((await projectedPositions(target, topic)).size > 0) return;
  const found = await target.query({
    query: `SELECT DISTINCT table FROM system.parts
      WHERE database = {to: String} AND active AND rows > 0 AND table IN {tables: Array(String)}`,
    query_params: { to: databases.to, tables: [...tables, OWN_POSITIONS] },
    format: "JSONEachRow",
  });
  const [filled] = await found.json<{ table: string }>();
  if (filled !== undefined) {
    throw new ConfigError(
      `The database ${databases.to} has rows in ${filled.table}, and the clone would remove them. ` +
        "Name another database (--database); or drop it, if it is of a copy whose topics were deleted.",
    );
  }
  await savePositions(target, [{ topic, partition: 0, next: 0, logId: undefined, rankBase: 0 }]);
}

/** Both databases share the files of the parts that exist now, so a clone takes neither time nor space. */
async function cloneTable({ source, target, databases }: CloneDeps, table: string): Promise<void> {
  const names = { table, from: databases.from };
  await target.command({ query: "TRUNCATE TABLE {table: Identifier}", query_params: names });
  const found = await source.query({
    query: `SELECT DISTINCT partition_id AS id FROM system.parts
      WHERE database = {from: String} AND table = {table: String} AND active`,
    query_params: names,
    format: "JSONEachRow",
  });
  for (const { id } of await found.json<{ id: string }>()) {
    // Not every part of this statement may be a parameter.
    const [from, name, partition] = [databases.from, table, id].map(word);
    await target.command({ query: `ALTER TABLE ${name} ATTACH PARTITION ID '${partition}' FROM ${from}.${name}` });
  }
}

function word(name: string): string {
  if (!/^\w+$/.test(name)) throw new Error(`ClickHouse has an unexpected name: ${JSON.stringify(name)}`);
  return name;
}

async function firstPositions(
  { source, to, logIds, rangesOf }: CloneDeps,
  kinds: readonly string[],
): Promise<PartitionPosition[]> {
  const stored = await Promise.all(kinds.map((topic) => projectedPositions(source, topic)));
  const highest = stored.flatMap((each) => [...each.values()].map(({ next, rankBase }) => next + rankBase));
  const rankBase = Math.max(0, ...highest) + RANK_GAP;
  const positions = [...namedKinds(to).keys()].map(async (topic) =>
    (await rangesOf(topic)).map(({ partition }) => {
      return { topic, partition, next: 0, logId: logIds.get(topic), rankBase };
    }),
  );
  return (await Promise.all(positions)).flat();
}
