import type { ClickHouseClient } from "@clickhouse/client";
import { badInput } from "../../../schemas/errors.ts";
import type { Params } from "../../filters/sql/sql.ts";

/** A server takes 128 KiB in a form's field; a query's text is such a field when its parameters are sent as a form. */
const FORM_TEXT_BYTES = 120_000;
/** A longer text is sent as the body, with its parameters in the address, of which a server takes 1 MiB. */
const TEXT_BYTES = 4_194_304;
const ADDRESS_BYTES = 900_000;
/** A server takes 1 000 fields, settings included. */
const FIELDS = 950;

/** For whatever reads tracks_current_v1 or a table with FINAL. */
export const FOLDING = {
  // Conditions on a table's key go before the merge of FINAL, where they spare reading; the others stay behind it.
  optimize_move_to_prewhere_if_final: 1,
  // Else `column.1` is read as a column of its own: no projection has it, and FINAL would not merge it.
  optimize_functions_to_subcolumns: 0,
} as const;

/** Where queries go. */
export type Asked = Pick<ClickHouseClient, "query">;

/**
 * Runs one question; its name goes to the store's query log. 64-bit integers come as strings.
 * Rejects with the client's error when the store is away or the query too heavy.
 */
export async function ask<Row>(client: Asked, name: string, sql: string, params: Params): Promise<Row[]> {
  const query = `/* ${name} */ ${sql}`;
  const isLong = Buffer.byteLength(query) > FORM_TEXT_BYTES;
  refuseTooLarge(query, params, isLong);
  const result = await client.query({
    query,
    query_params: { ...params.values },
    format: "JSONEachRow",
    // Long lists of ids would not fit into a URL.
    use_multipart_params_auto: !isLong,
    clickhouse_settings: {
      // The API has bounded the filter before; thousands of alternatives are more than the defaults take.
      max_query_size: String(TEXT_BYTES),
      max_ast_elements: "2000000",
      max_expanded_ast_elements: "2000000",
      output_format_json_quote_64bit_integers: 1,
      ...FOLDING,
      // A self-intersecting polygon gives some answer instead of an error from inside the store.
      validate_polygons: 0,
    },
  });
  return result.json<Row>();
}

function refuseTooLarge(query: string, { values }: Params, isLong: boolean): void {
  const fields = Object.entries(values);
  const isTooLarge =
    fields.length > FIELDS || (isLong && (query.length > TEXT_BYTES || addressBytes(fields) > ADDRESS_BYTES));
  if (isTooLarge) throw badInput("the filter has too many conditions; several values of one field go into one `in`");
}

/** The approximate size: JSON quotes the strings of a list much like the client does. */
function addressBytes(fields: readonly [string, unknown][]): number {
  const written = fields.map(([name, value]): [string, string] => [`param_${name}`, JSON.stringify(value)]);
  return new URLSearchParams(written).toString().length;
}

export async function askCount(
  client: Asked,
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
