import { z } from "zod";
import { integer } from "../../common/config.ts";

const MIB = 1024 * 1024;

/** Part of the API's configuration. */
export const subscriptionsEnv = z.object({
  /** WebSockets and event streams together; further clients get 503. */
  API_SUBSCRIPTION_CONNECTIONS: integer(10_000, 1),
  /** WebSockets that have not shown a token yet, besides: of more, the oldest is dropped. */
  API_SUBSCRIPTION_NEW_CONNECTIONS: integer(1_000, 1),
  API_SUBSCRIPTIONS_PER_CONNECTION: integer(1_000, 1),
  /** Text of all of them: what is kept of it takes some 17 times as much memory. */
  API_SUBSCRIPTION_BYTES_PER_CONNECTION: integer(MIB, 1_024),
  /** Text of the subscriptions of all clients together, and 768 bytes for each of them. */
  API_SUBSCRIPTION_BYTES: integer(32 * MIB, 1_024),
  /** Queries and mutations of a WebSocket that run at the same time, and bounds of those that wait. */
  API_SUBSCRIPTION_OPERATIONS: integer(20, 1),
  API_SUBSCRIPTION_OPERATIONS_WAITING: integer(5_000, 1),
  API_SUBSCRIPTION_OPERATIONS_BYTES: integer(4 * MIB, 1_024),
  /** Bounds of the queue of a subscriber that is behind; beyond them the server ends its subscription. */
  API_SUBSCRIPTION_QUEUE_MESSAGES: integer(2_000, 1),
  API_SUBSCRIPTION_QUEUE_BYTES: integer(4 * MIB, 1_024),
  /** Longest time between the opening of a WebSocket and its connection_init. */
  API_SUBSCRIPTION_INIT_TIMEOUT_MS: integer(3_000, 100),
  /** A client is gone if it has not answered a ping when the next one is due, or took nothing of its stream for so long. */
  API_SUBSCRIPTION_KEEP_ALIVE_MS: integer(12_000, 100),
  /** Largest message from a client. */
  API_SUBSCRIPTION_MESSAGE_BYTES: integer(MIB, 1_024),
  /** How long the feed still follows a topic without subscribers. */
  API_FEED_IDLE_MS: integer(60_000),
  /** Newest messages of a topic kept in memory: within them, clients resume without a read of the log. */
  API_FEED_KEPT_MESSAGES: integer(20_000, 1),
  API_FEED_KEPT_BYTES: integer(32 * MIB, 1_024),
  /** Messages per partition that the feed reads before its start, to recognise repetitions. */
  API_FEED_LOOKBACK_MESSAGES: integer(1_000),
  /** Tracks that the feed remembers, for the same reason. */
  API_FEED_TRACKS: integer(100_000, 1),
  /** Positions remembered for all of them together; beyond it the feed asks the history, if a filter needs it. */
  API_FEED_POSITIONS: integer(2_000_000, 1),
  /** Tests that the filters of all subscriptions may take for one message, those for any data source and those for its own each. */
  API_FEED_TESTS: integer(1_000_000, 1_000),
  /** How many clients with a cursor too old for memory read the log at the same time; others wait. */
  API_FEED_LOG_READERS: integer(4, 1),
});

export type SubscriptionsConfig = z.output<typeof subscriptionsEnv>;

/** The settings of the feed. */
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
