import type { Layout } from "../layout/layout.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

/**
 * Returns a sentence for the operator when the tables of the client's database lie otherwise than the layout says. A
 * process that takes Distributed tables for those of one server would acknowledge rows that no shard has; one that
 * takes tables of one server for Distributed ones would fill that server alone.
 * @returns undefined when they agree, or when there are no tables.
 */
export async function otherLayout(client: QueryClient, { isCluster }: Layout): Promise<string | undefined> {
  const sql = "SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'migrations_v1'";
  const [table] = await ask<{ engine: string }>(client, "layout of the tables", sql, createParams());
  if (table === undefined || (table.engine === "Distributed") === isCluster) return undefined;
  return isCluster
    ? "CLICKHOUSE_CLUSTER is set, but the database holds tables of one server: name another one in CLICKHOUSE_DATABASE " +
        "and run npm run rebuild."
    : "The database holds tables of a cluster: set CLICKHOUSE_CLUSTER to its name for every process.";
}
