import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

/** Resolves with the types of the columns by table and column. Tables that do not exist are absent. */
export async function columnTypesOf(
  client: QueryClient,
  tables: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const params = createParams();
  const sql = `SELECT table, name, type FROM system.columns
    WHERE database = currentDatabase() AND table IN ${params.bindList("String", tables)}`;
  const found = await ask<{ table: string; name: string; type: string }>(client, "types of columns", sql, params);
  const types = new Map<string, Map<string, string>>();
  for (const { table, name, type } of found) {
    const columns = types.get(table) ?? new Map<string, string>();
    types.set(table, columns.set(name, type));
  }
  return types;
}
