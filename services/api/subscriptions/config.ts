import { z } from "zod";
import { MIB } from "../../../schemas/units.ts";
import { integer } from "../../common/config.ts";

/** Settings that are part of the API's configuration. */
export const subscriptionsEnv = z.object({
  /** WebSockets and event streams together; further clients get 503. */
  API_SUBSCRIPTION_CONNECTIONS: integer(10_000, 1),
  /** WebSockets without a token yet, counted apart: beyond this number the oldest is dropped. */
  API_SUBSCRIPTION_NEW_CONNECTIONS: integer(1_000, 1),
  API_SUBSCRIPTIONS_PER_CONNECTION: integer(1_000, 1),
  /**
   * Bytes of the texts of a connection's subscriptions. The objects kept for them take some 17 times as much memory.
   */
  API_SUBSCRIPTION_BYTES_PER_CONNECTION: integer(MIB, 1_024),
  /** Bytes of the texts of all clients' subscriptions together, and 768 bytes for each subscription. */
  API_SUBSCRIPTION_BYTES: integer(32 * MIB, 1_024),
  /** Bytes of API_SUBSCRIPTION_BYTES that the subscriptions of one token may take. */
  API_SUBSCRIPTION_BYTES_PER_TOKEN: integer(8 * MIB, 1_024),
  /** Queries and mutations of a WebSocket that run at the same time, and limits of those that wait. */
  API_SUBSCRIPTION_OPERATIONS: integer(20, 1),
  API_SUBSCRIPTION_OPERATIONS_WAITING: integer(5_000, 1),
  API_SUBSCRIPTION_OPERATIONS_BYTES: integer(4 * MIB, 1_024),
  /** Limits of the queue of a slow subscriber; beyond them the server ends its subscription. */
  API_SUBSCRIPTION_QUEUE_MESSAGES: integer(2_000, 1),
  API_SUBSCRIPTION_QUEUE_BYTES: integer(4 * MIB, 1_024),
  /** Longest time between the opening of a WebSocket and its connection_init. */
  API_SUBSCRIPTION_INIT_TIMEOUT_MS: integer(3_000, 100),
  /**
   * A client counts as gone if it has not answered a ping when the next one is due, or took nothing of its stream for
   * this long.
   */
  API_SUBSCRIPTION_KEEP_ALIVE_MS: integer(12_000, 100),
  /** Largest message from a client. */
  API_SUBSCRIPTION_MESSAGE_BYTES: integer(MIB, 1_024),
  /** Milliseconds for which the feed still follows a topic without subscribers. */
  API_FEED_IDLE_MS: integer(60_000),
  /**
   * Newest messages of a topic kept in memory, and the bytes that they may take there: within them, clients resume
   * without a read of the log.
   */
  API_FEED_KEPT_MESSAGES: integer(20_000, 1),
  API_FEED_KEPT_BYTES: integer(64 * MIB, 1_024),
  /** Messages per partition that the feed reads before its start, to recognise repetitions. */
  API_FEED_LOOKBACK_MESSAGES: integer(1_000),
  /** Number of tracks that the feed remembers, for the same reason. */
  API_FEED_TRACKS: integer(100_000, 1),
  /**
   * Positions remembered for all of these tracks together; beyond it the feed queries the history, if a filter needs
   * it.
   */
  API_FEED_POSITIONS: integer(2_000_000, 1),
  /**
   * Tests that the filters of all subscriptions may need for one message: this many for filters on any data source, and
   * this many for filters that name the message's data source.
   */
  API_FEED_TESTS: integer(1_000_000, 1_000),
  /**
   * Number of clients that may read the log at the same time, because their cursor is too old for memory; others wait.
   */
  API_FEED_LOG_READERS: integer(4, 1),
});

export type SubscriptionsConfig = z.output<typeof subscriptionsEnv>;

/** Returns the settings of the feed. */
export const feedSettings = (config: SubscriptionsConfig) => ({
  queue: {
    maxMessages: config.API_SUBSCRIPTION_QUEUE_MESSAGES,
    maxBytes: config.API_SUBSCRIPTION_QUEUE_BYTES,
  },
  kept: { maxMessages: config.API_FEED_KEPT_MESSAGES, maxBytes: config.API_FEED_KEPT_BYTES },
  lookbackMessages: config.API_FEED_LOOKBACK_MESSAGES,
  maxTracks: config.API_FEED_TRACKS,
  maxPositions: config.API_FEED_POSITIONS,
  idleMs: config.API_FEED_IDLE_MS,
  maxTests: config.API_FEED_TESTS,
  logReaders: config.API_FEED_LOG_READERS,
});
