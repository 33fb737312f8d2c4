import { buffer } from "node:stream/consumers";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import type { Params } from "../../filters/sql/sql.ts";
import { tooManyConditions } from "./params.ts";

/**
 * A server accepts 128 KiB in a form's field. A query's text is such a field when its parameters are sent as a form.
 */
const FORM_TEXT_BYTES = 120_000;
/** A longer text is sent as the body, with its parameters in the URL. A server accepts a URL of 1 MiB. */
const TEXT_BYTES = 4_194_304;
const ADDRESS_BYTES = 900_000;

/** Settings for queries of tracks_current_v1, or of a table with FINAL. */
export const FOLDING = {
  // Conditions on a table's key are tested before the merge of FINAL, so that less is read; the others are tested after
  // it.
  optimize_move_to_prewhere_if_final: 1,
  // Otherwise the store reads `column.1` as a column of its own, which no projection has and FINAL would not merge.
  optimize_functions_to_subcolumns: 0,
} as const;

/** The client to which queries are sent. */
export interface QueryClient extends Pick<ClickHouseClient, "query"> {
  /** Runs a query, from its sending to its last row, when its turn comes. Without it, every query begins at once. */
  readonly inTurn?: <Rows>(run: () => Promise<Rows>) => Promise<Rows>;
}

/** A client that also returns rows in a binary format. */
export interface BinaryClient extends QueryClient, Pick<ClickHouseClient, "exec"> {}

/**
 * Runs one query. Its name appears in the store's query log. 64-bit integers arrive as strings. Rejects with the
 * client's error when the store is unavailable or the query too heavy.
 */
export async function ask<Row>(client: QueryClient, name: string, sql: string, params: Params): Promise<Row[]> {
  const query = `/* ${name} */ ${sql}`;
  const isLong = Buffer.byteLength(query) > FORM_TEXT_BYTES;
  refuseTooLarge(query, params, isLong);
  return inTurn(client, () => rowsOf<Row>(client, query, params, isLong));
}

/**
 * Runs one query as `ask` does, and returns its rows in the format RowBinary. Its parameters must be few, because they
 * are sent in the URL.
 */
export async function askBinary(client: BinaryClient, name: string, sql: string, params: Params): Promise<Buffer> {
  const query = `/* ${name} */ ${sql} FORMAT RowBinary`;
  refuseTooLarge(query, params, true);
  return inTurn(client, () => bytesOf(client, query, params));
}

const inTurn = <Result>(client: QueryClient, run: () => Promise<Result>): Promise<Result> =>
  client.inTurn === undefined ? run() : client.inTurn(run);

async function rowsOf<Row>(client: QueryClient, query: string, params: Params, isLong: boolean): Promise<Row[]> {
  const result = await client.query({
    query,
    query_params: { ...params.values },
    format: "JSONEachRow",
    // Parameters are sent as a form, because long lists of ids would not fit into a URL.
    use_multipart_params_auto: !isLong,
    clickhouse_settings: SETTINGS,
  });
  return result.json<Row>();
}

async function bytesOf(client: BinaryClient, query: string, params: Params): Promise<Buffer> {
  const { stream } = await client.exec({
    query,
    query_params: { ...params.values },
    // The first bytes are sent when the query has ended. Otherwise the text of an error could follow some of the rows.
    clickhouse_settings: { ...SETTINGS, wait_end_of_query: 1 },
  });
  return buffer(stream);
}

const SETTINGS: ClickHouseSettings = {
  // The API has already bounded the filter; thousands of alternatives exceed the defaults.
  max_query_size: String(TEXT_BYTES),
  max_ast_elements: "2000000",
  max_expanded_ast_elements: "2000000",
  output_format_json_quote_64bit_integers: 1,
  ...FOLDING,
  // With validation off, a self-intersecting polygon gives some answer instead of an error from inside ClickHouse.
  validate_polygons: 0,
};

function refuseTooLarge(query: string, { values }: Params, isLong: boolean): void {
  if (isLong && (query.length > TEXT_BYTES || isBeyondAddress(values))) throw tooManyConditions();
}

/**
 * @returns true when the parameters would be too long for a URL. The size is approximate: JSON quotes the strings of a
 * list much like the client does. The count stops at the bound, because there may be megabytes.
 */
function isBeyondAddress(values: Params["values"]): boolean {
  let bytes = 0;
  for (const [name, value] of Object.entries(values)) {
    bytes += new URLSearchParams([[`param_${name}`, JSON.stringify(value)]]).toString().length + 1;
    if (bytes > ADDRESS_BYTES) return true;
  }
  return false;
}

export async function askCount(
  client: QueryClient,
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
