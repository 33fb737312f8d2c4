import type { ClickHouseClient } from "@clickhouse/client";
import type { Layout } from "../layout/layout.ts";

/**
 * Drops a partition at once; one that is already gone is no error. `partition` is its expression in SQL: a value, or
 * `ID` and an id.
 */
export async function dropPartition(
  client: ClickHouseClient,
  layout: Layout,
  table: string,
  partition: string,
): Promise<void> {
  for (const query of layout.statements(`ALTER TABLE ${table} DROP PARTITION ${partition}`)) {
    await client.command({ query });
  }
}
