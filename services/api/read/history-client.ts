// ClickHouse for clients' operations. Queries are limited in time, memory and rows, begin in turns of their tokens, and
// are cancelled when their client disconnects.
import type { ClickHouseSettings } from "@clickhouse/client";
import type { BinaryClient } from "../../../projections/history/queries/run.ts";
import { AppError } from "../../../schemas/errors.ts";
import { codeOf } from "../../common/store-away.ts";
import { historyQuerySeconds, historyWaitSeconds } from "../limits/metrics.ts";
import { type HistorySlots, SUBSCRIPTIONS_CALLER } from "../limits/token-limits.ts";

/** The settings of the API that limit a query. */
export interface QueryBounds {
  readonly API_QUERY_MS: number;
  readonly API_QUERY_MEMORY_BYTES: number;
  readonly API_QUERY_READ_ROWS: number;
  readonly API_QUERY_RESULT_BYTES: number;
  readonly API_MAX_COST: number;
}

export function querySettings(bounds: QueryBounds): ClickHouseSettings {
  return {
    // ClickHouse cancels the query of a disconnected client only in read-only mode; mode 2 still accepts settings.
    readonly: "2",
    cancel_http_readonly_queries_on_client_close: 1,
    max_execution_time: bounds.API_QUERY_MS / 1_000,
    max_memory_usage: String(bounds.API_QUERY_MEMORY_BYTES),
    max_rows_to_read: String(bounds.API_QUERY_READ_ROWS),
    // The cost check only guesses the length of lists without `first`; this setting limits their result to the same
    // number.
    max_result_rows: String(bounds.API_MAX_COST),
    max_result_bytes: String(bounds.API_QUERY_RESULT_BYTES),
  };
}

/** The operation on whose behalf queries are sent. */
export interface AskingOperation {
  readonly tokenId: string;
  /** Creates the signal that cancels the queries; undefined when nothing does. */
  readonly signal: (() => AbortSignal) | undefined;
  /** Returns the first root field; undefined when there is none. */
  rootField(): string | undefined;
}

/** Returns the same client for one operation. Its queries wait for their turn. */
export function forOperation(client: BinaryClient, slots: HistorySlots, operation: AskingOperation): BinaryClient {
  /** Cancels what is sent when the client of the operation disconnects. */
  async function cancellable<Result>(send: (signal: { abort_signal?: AbortSignal }) => Promise<Result>) {
    const signal = operation.signal?.();
    if (signal === undefined) return send({});
    try {
      return await send({ abort_signal: signal });
    } catch (error) {
      if (signal.aborted) throw new AppError("UNAVAILABLE", "the client is gone");
      throw error;
    }
  }

  return {
    query: (params) => cancellable((signal) => client.query({ ...params, ...signal })),
    exec: (params) => cancellable((signal) => client.exec({ ...params, ...signal })),
    inTurn: async (run) => {
      const observeWait = historyWaitSeconds.startTimer();
      const observed = async () => {
        observeWait();
        const observeQuery = historyQuerySeconds.startTimer({ field: operation.rootField() ?? "none" });
        try {
          return await run();
        } finally {
          observeQuery();
        }
      };
      return slots.run(operation.tokenId, observed, operation.signal?.());
    },
  };
}

/** Returns the same client for the queries of all subscriptions, which count as one caller. */
export const forSubscriptions = (client: BinaryClient, slots: HistorySlots): BinaryClient =>
  forOperation(client, slots, { tokenId: SUBSCRIPTIONS_CALLER, signal: undefined, rootField: () => undefined });

const ROWS = "the answer takes too many rows: ask for less (filter, first)";

const TOO_MUCH: ReadonlyMap<unknown, string> = new Map([
  // Codes of TOO_MANY_ROWS, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES.
  ["158", ROWS],
  ["307", ROWS],
  ["396", ROWS],
  // ARGUMENT_OUT_OF_BOUND: ClickHouse limits the entries of `range`, and only summaries have long ones.
  ["69", "the range is too long for so many groups: ask for fewer fields or larger buckets"],
  // Code of `throwIf`: only summaries refuse in this way.
  ["395", "one object is in more buckets than are allowed (API_MAX_BUCKETS): ask for fewer fields or a shorter range"],
]);

/**
 * Returns the message for the caller of a query that exceeds a limit.
 * @returns undefined for every other error.
 */
export const tooMuch = (error: unknown): string | undefined => TOO_MUCH.get(codeOf(error));
