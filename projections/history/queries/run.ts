import type { ClickHouseClient } from "@clickhouse/client";
import type { Params } from "../filters/sql.ts";

/**
 * Runs one question; its name goes to the store's query log. 64-bit integers come as strings.
 * Rejects with the client's error when the store is away or the query too heavy.
 */
export async function ask<Row>(client: ClickHouseClient, name: string, sql: string, params: Params): Promise<Row[]> {
  const result = await client.query({
    query: `/* ${name} */ ${sql}`,
    query_params: { ...params.values },
    format: "JSONEachRow",
    // Long lists of ids would not fit into a URL.
    use_multipart_params_auto: true,
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 1,
      // Conditions on a table's key go before the merge of FINAL, where they spare reading; the others stay behind it.
      optimize_move_to_prewhere_if_final: 1,
      // A self-intersecting polygon gives some answer instead of an error from inside the store.
      validate_polygons: 0,
    },
  });
  return result.json<Row>();
}

export async function askCount(
  client: ClickHouseClient,
  name: string,
  from: string,
  condition: string,
  params: Params,
): Promise<number> {
  const [row] = await ask<{ count: string }>(
    client,
    name,
    `SELECT count() AS count FROM ${from} WHERE ${condition}`,
    params,
  );
  return Number(row?.count ?? 0);
}

/** Selects a DateTime64 as milliseconds. */
export const millis = (column: string, as: string): string => `toUnixTimestamp64Milli(${column}) AS ${as}`;

export const toMillis = (text: string): number => Number(text);

export const toMillisOrNull = (text: string | null): number | null => (text === null ? null : Number(text));
