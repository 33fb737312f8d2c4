// Two shards on one server. Both have the same address, so they have the same tables; a filter of each query leaves a
// shard the rows that its place gives it. Queries are planned, sent to shards and merged as on two servers. Rows are
// inserted once, by whichever shard.
import { placedTables, shardOf } from "../../projections/history/layout/placement.ts";

/** shardNum() is 0 in a query that goes to no shard: a statement about the tables themselves sees all rows. */
const filterOf = (table: string, shards: number): string => `shardNum() IN (0, 1 + ${shardOf(table)} % ${shards})`;

/** The value of the setting additional_table_filters. */
export function filtersOf(database: string, shards: number): string {
  const filters = placedTables.map((table) => [`${database}.${table}_local`, filterOf(table, shards)]);
  // The shards' system tables are one table, too.
  const all = [...filters, ["system.parts", "shardNum() < 2"]];
  return `{${all.map((entry) => entry.map((text = "") => `'${text.replaceAll("'", "\\'")}'`).join(":")).join(",")}}`;
}
