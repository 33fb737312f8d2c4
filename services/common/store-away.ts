// Distinguishes a store that does not answer from a mistake of ours. The drivers give socket codes, their own class
// names, or, for a request that took too long, nothing but a text.
// Node finds the errors of kafkajs, a CommonJS module, only on its default export.
import kafkajs from "kafkajs";
import { isTransientReply } from "./hopeless.ts";

const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** The server itself says that it cannot take the query now: TOO_MANY_SIMULTANEOUS_QUERIES, MEMORY_LIMIT_EXCEEDED. */
const CLICKHOUSE_BUSY = new Set(["202", "241"]);

/** ioredis: no connection within the bound for a command. */
const CLASS_NAMES = new Set(["MaxRetriesPerRequestError"]);

/** Texts of the drivers where they give nothing else: @clickhouse/client 1.23, ioredis 6. */
const TEXTS = new Set([
  "Timeout error.",
  "socket hang up",
  "Command timed out",
  "Connection is closed.",
  "Stream isn't writeable and enableOfflineQueue options is false",
]);

/** What ClickHouse's and Node's errors have, and some others. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** TIMEOUT_EXCEEDED, TOO_SLOW, TOO_LARGE_ARRAY_SIZE */
const CLICKHOUSE_TOO_HEAVY = new Set<unknown>(["159", "160", "128"]);
const MEMORY_LIMIT_EXCEEDED = "241";
/** The query's own bound, of newer and of older servers. All queries together have one, too, with the same code. */
const OWN_MEMORY = /^Query memory limit|limit \(for query\)/;

/** ClickHouse gave the query up by the query's own bound on time or memory, or by the store's on an array: the same query would end in the same way. */
export function isTooHeavy(error: unknown): boolean {
  const code = codeOf(error);
  if (code === MEMORY_LIMIT_EXCEEDED) return error instanceof Error && OWN_MEMORY.test(error.message);
  return CLICKHOUSE_TOO_HEAVY.has(code);
}

export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (typeof code === "string" && (SOCKET_CODES.has(code) || CLICKHOUSE_BUSY.has(code))) return true;
  if (CLASS_NAMES.has(error.name) || TEXTS.has(error.message)) return true;
  if (isTransientReply(error)) return true;
  // A broker that is not the leader any more, a group without a coordinator: another try may find the right one.
  if (error instanceof kafkajs.KafkaJSError && error.retriable) return true;
  if (error instanceof AggregateError && error.errors.some(isStoreAway)) return true;
  return error.cause !== undefined && error.cause !== error && isStoreAway(error.cause);
}
