// ClickHouse for clients' operations: queries are bounded in time, memory and rows, and end when their client is gone.
import type { ClickHouseSettings } from "@clickhouse/client";
import type { Asked } from "../../../projections/history/queries/run.ts";
import { AppError, badInput } from "../../../schemas/errors.ts";
import { codeOf, isTooHeavy } from "../../common/store-away.ts";
import type { ApiConfig } from "../config.ts";

export type QueryBounds = Pick<
  ApiConfig,
  "API_QUERY_MS" | "API_QUERY_MEMORY_BYTES" | "API_QUERY_READ_ROWS" | "API_QUERY_RESULT_BYTES" | "API_MAX_COST"
>;

export function querySettings(bounds: QueryBounds): ClickHouseSettings {
  return {
    // A server ends the query of a client that is gone only in read-only mode; mode 2 still accepts settings.
    readonly: "2",
    cancel_http_readonly_queries_on_client_close: 1,
    max_execution_time: bounds.API_QUERY_MS / 1_000,
    max_memory_usage: String(bounds.API_QUERY_MEMORY_BYTES),
    max_rows_to_read: String(bounds.API_QUERY_READ_ROWS),
    // The cost check only guesses the length of lists without `first`; this bounds their result by the same number.
    max_result_rows: String(bounds.API_MAX_COST),
    max_result_bytes: String(bounds.API_QUERY_RESULT_BYTES),
  };
}

/** The same store for one operation: the signal ends its queries. */
export function withSignal(client: Asked, signalOf: () => AbortSignal): Asked {
  return {
    async query(params) {
      const signal = signalOf();
      try {
        return await client.query({ ...params, abort_signal: signal });
      } catch (error) {
        if (signal.aborted) throw new AppError("UNAVAILABLE", "the client is gone");
        throw error;
      }
    },
  };
}

const ROWS = "the answer takes too many rows: ask for less (filter, first)";

const TOO_HEAVY = "the query takes too much time or memory: ask for a shorter range, or with a narrower filter";

const TOO_MUCH: ReadonlyMap<unknown, string> = new Map([
  // TOO_MANY_ROWS, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES
  ["158", ROWS],
  ["307", ROWS],
  ["396", ROWS],
  // ARGUMENT_OUT_OF_BOUND: the server bounds the entries of `range`, and only summaries have long ones.
  ["69", "the range is too long for so many groups: ask for fewer fields or larger buckets"],
  // By `throwIf`: only summaries refuse in this way.
  ["395", "one object is in more buckets than are allowed (API_MAX_BUCKETS): ask for fewer fields or a shorter range"],
]);

/** The refusal for a query that exceeded a bound; undefined for every other error. */
export function boundExceeded(error: unknown): AppError | undefined {
  const tooMuch = TOO_MUCH.get(codeOf(error));
  if (tooMuch !== undefined) return badInput(tooMuch);
  if (isTooHeavy(error)) return new AppError("QUERY_TOO_HEAVY", TOO_HEAVY);
  return undefined;
}
