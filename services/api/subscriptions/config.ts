import { z } from "zod";
import { MIB } from "../../../schemas/units.ts";
import { integer } from "../../common/config.ts";

/** Settings that are part of the API's configuration. */
export const subscriptionsEnv = z.object({
  API_SUBSCRIPTION_CONNECTIONS: integer(10_000, 1).meta({
    about: "WebSockets and event streams together. Further clients get 503.",
  }),
  API_SUBSCRIPTION_NEW_CONNECTIONS: integer(1_000, 1).meta({
    about: "WebSockets that have sent no token yet, counted apart. Beyond this number the oldest one is dropped.",
  }),
  API_SUBSCRIPTIONS_PER_CONNECTION: integer(1_000, 1).meta({ about: "Subscriptions of one connection." }),
  API_SUBSCRIPTION_BYTES_PER_CONNECTION: integer(MIB, 1_024).meta({
    about:
      "Size of the texts of a connection's subscriptions. The objects kept for them take some 17 times as " +
      "much memory.",
  }),
  API_SUBSCRIPTION_BYTES: integer(32 * MIB, 1_024).meta({
    about:
      "Size of the texts of all clients' subscriptions together. Each subscription counts 768 bytes besides " +
      "its text.",
  }),
  API_SUBSCRIPTION_BYTES_PER_TOKEN: integer(8 * MIB, 1_024).meta({
    about: "Share of API_SUBSCRIPTION_BYTES that the subscriptions of one token may take.",
  }),
  API_SUBSCRIPTION_OPERATIONS: integer(20, 1).meta({
    about: "Queries and mutations of one WebSocket that run at the same time.",
  }),
  API_SUBSCRIPTION_OPERATIONS_WAITING: integer(5_000, 1).meta({
    about: "Queries and mutations of one WebSocket that wait because API_SUBSCRIPTION_OPERATIONS run.",
    unit: "operations",
  }),
  API_SUBSCRIPTION_OPERATIONS_BYTES: integer(4 * MIB, 1_024).meta({
    about: "Size of the queries and mutations of one WebSocket that wait.",
  }),
  API_SUBSCRIPTION_QUEUE_MESSAGES: integer(2_000, 1).meta({
    about: "Messages that wait for a slow subscriber. Beyond it, the server ends the subscription.",
  }),
  API_SUBSCRIPTION_QUEUE_BYTES: integer(4 * MIB, 1_024).meta({
    about: "Size of the messages that wait for a slow subscriber. Beyond it, the server ends the subscription.",
  }),
  API_SUBSCRIPTION_INIT_TIMEOUT_MS: integer(3_000, 100).meta({
    about: "Longest time between the opening of a WebSocket and its `connection_init`.",
  }),
  API_SUBSCRIPTION_KEEP_ALIVE_MS: integer(12_000, 100).meta({
    about:
      "Time between two pings. A client counts as gone if it has not answered a ping when the next one is " +
      "due, or took nothing of its stream for this long.",
  }),
  API_SUBSCRIPTION_MESSAGE_BYTES: integer(MIB, 1_024).meta({ about: "Size of the largest message from a client." }),
  API_FEED_IDLE_MS: integer(60_000).meta({
    about: "Time for which the feed still follows a topic without subscribers.",
  }),
  API_FEED_KEPT_MESSAGES: integer(20_000, 1).meta({
    about:
      "Newest messages of each topic that the feed keeps in memory. Within them, clients resume without a " +
      "read of the log.",
  }),
  API_FEED_KEPT_BYTES: integer(64 * MIB, 1_024).meta({
    about: "Size of the messages of each topic that the feed keeps in memory.",
  }),
  API_FEED_LOOKBACK_MESSAGES: integer(1_000).meta({
    about: "Messages of each partition that the feed reads before its start, to recognise repetitions.",
  }),
  API_FEED_TRACKS: integer(100_000, 1).meta({ about: "Tracks that the feed remembers, to recognise repetitions." }),
  API_FEED_POSITIONS: integer(2_000_000, 1).meta({
    about:
      "Positions that the feed remembers for all of API_FEED_TRACKS together. Beyond it, the feed queries " +
      "the history if a filter needs them.",
  }),
  API_FEED_TESTS: integer(1_000_000, 1_000).meta({
    about:
      "Tests that the filters of all subscriptions may need for one message: this many for filters on any " +
      "data source, and this many for filters that name the message's data source.",
  }),
  API_FEED_LOG_READERS: integer(4, 1).meta({
    about:
      "Clients that may read the log at the same time, because their cursor is too old for memory. Others " + "wait.",
  }),
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
