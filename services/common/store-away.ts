// The one place that distinguishes a store that does not answer from a request that is too heavy and from a mistake of
// ours. The drivers give socket codes, their own class names, or, for a request that took too long, nothing but a text.
import { isTransientReply } from "./permanent-errors.ts";

/** Codes of sockets, of a ClickHouse that says that it cannot answer now, and of one that a proxy answers for. */
const AWAY_CODES: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "60", // UNKNOWN_TABLE, until the first projector has made it
  "81", // UNKNOWN_DATABASE, likewise
  "173", // CANNOT_ALLOCATE_MEMORY
  "198", // DNS_ERROR
  "202", // TOO_MANY_SIMULTANEOUS_QUERIES
  "203", // NO_FREE_CONNECTION
  "209", // SOCKET_TIMEOUT
  "210", // NETWORK_ERROR
  "225", // NO_ZOOKEEPER
  "236", // ABORTED
  "242", // TABLE_IS_READ_ONLY
  "243", // NOT_ENOUGH_SPACE
  "252", // TOO_MANY_PARTS, until merges have caught up
  "279", // ALL_CONNECTION_TRIES_FAILED
  "285", // TOO_FEW_LIVE_REPLICAS
  "286", // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  "289", // REPLICA_IS_NOT_IN_QUORUM, until it has caught up
  "319", // UNKNOWN_STATUS_OF_INSERT: the same rows are sent again, and counted once
  "394", // QUERY_WAS_CANCELLED, by a server that stops
  "439", // CANNOT_SCHEDULE_TASK
  "516", // AUTHENTICATION_FAILED, while a password is replaced
  "696", // ASYNC_LOAD_WAIT_FAILED
  "745", // SERVER_OVERLOADED
  "999", // KEEPER_EXCEPTION
  "FOREIGN_ANSWER", // a proxy's page in place of ClickHouse's answer (clickhouse-answers.ts)
]);

/** ioredis: a command found no connection within its retries, or no node of a Cluster answered. */
const CLASS_NAMES = new Set(["MaxRetriesPerRequestError", "ClusterAllFailedError"]);

/** Texts of the drivers where they give nothing else: @clickhouse/client 1.23, ioredis 6. */
const TEXTS = new Set([
  "Timeout error.",
  "socket hang up",
  "Command timed out",
  "Connection is closed.",
  "Command aborted due to connection close",
  "Stream isn't writeable and enableOfflineQueue options is false",
  "None of startup nodes is available",
  "Cluster is ended.",
]);

/** The text goes on with the last refusal: the nodes of a Cluster do not agree yet who has the keys. */
const REDIRECTED = "Too many Cluster redirections.";

/** Returns the code of an error. Errors of ClickHouse and Node have one, and some others. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** TIMEOUT_EXCEEDED, TOO_SLOW, TOO_LARGE_ARRAY_SIZE */
const CLICKHOUSE_TOO_HEAVY: ReadonlySet<unknown> = new Set(["159", "160", "128"]);
const MEMORY_LIMIT_EXCEEDED = "241";
/**
 * The query's own limit, in the words of newer and of older servers. All queries together have a limit, too, with the
 * same code.
 */
const OWN_MEMORY = /^Query memory limit|limit \(for query\)/;

/**
 * too-heavy: the query exceeded its own limit on time or memory, or the store's on an array, and would do so again. The
 * callers of the API and of REST get an error of its own, a replay session gives up after minutes.
 * full: all queries together need more memory than ClickHouse has. Callers may ask again; for a session it counts as
 * too heavy, because its own query may be the one that needs so much.
 * away: the same request may be answered later. Callers may ask again, a session waits.
 * mistake: everything else. Loops without a caller repeat all of these, except permanent errors (permanent-errors.ts).
 */
export type StoreVerdict = "too-heavy" | "full" | "away" | "mistake";

export function verdictOf(error: unknown): StoreVerdict {
  if (!(error instanceof Error)) return "mistake";
  const own = ownVerdict(error);
  if (own !== "mistake") return own;
  const within: unknown[] = error instanceof AggregateError ? error.errors : [];
  const causes = error.cause === error ? within : [...within, error.cause];
  return causes.map(verdictOf).find((verdict) => verdict !== "mistake") ?? "mistake";
}

function ownVerdict(error: Error): StoreVerdict {
  const code = codeOf(error);
  if (CLICKHOUSE_TOO_HEAVY.has(code)) return "too-heavy";
  if (code === MEMORY_LIMIT_EXCEEDED) return OWN_MEMORY.test(error.message) ? "too-heavy" : "full";
  if (AWAY_CODES.has(code)) return "away";
  if (CLASS_NAMES.has(error.name) || TEXTS.has(error.message) || isTransientReply(error)) return "away";
  if (error.message.startsWith(REDIRECTED)) return "away";
  // A broker that is not the leader any more, a group without a coordinator: another try may find the right one.
  return "retriable" in error && error.retriable === true ? "away" : "mistake";
}
