import { z } from "zod";
import { HOUR_MS, MIB } from "../../schemas/units.ts";
import { answerTimesEnv, integer, optionalUrl, redisEnv, serviceEnv } from "../common/config.ts";
import { outboundEnv } from "../common/outbound/config.ts";
import { secretsEnv } from "../common/sealed.ts";

export const webhooksEnv = z.object({
  ...serviceEnv.shape,
  ...redisEnv.shape,
  ...outboundEnv.shape,
  ...secretsEnv.shape,
  // Settings of the API that is queried for chronicles. This service waits for an answer longer than the API may take.
  ...answerTimesEnv.shape,
  /** URL of our own GraphQL API as this process reaches it. Without it no signals of chronicles are raised. */
  WEBHOOKS_GRAPHQL_URL: optionalUrl("http://127.0.0.1:4000/graphql"),
  /** Seconds for which an unchanged chronicle is remembered; a change after that counts as a new chronicle. */
  CHRONICLE_STATE_TTL: integer(604_800, 1),
  /** Milliseconds within which a receiver must have answered. */
  WEBHOOKS_TIMEOUT_MS: integer(10_000, 100, 60_000),
  /** Pause after the first failure; it doubles with each further failure in a row. */
  WEBHOOKS_RETRY_MS: integer(5_000, 1),
  /** The longest pause, even if the receiver requests a longer one. */
  WEBHOOKS_LONGEST_RETRY_MS: integer(HOUR_MS, 1, 20 * HOUR_MS),
  /**
   * Milliseconds for which a signal is tried. The topic keeps signals for a day, so that lost queues can be rebuilt
   * from it.
   */
  WEBHOOKS_KEEP_MS: integer(20 * HOUR_MS, 1_000, 20 * HOUR_MS),
  /** Failures in a row after which a subscription is stopped. */
  WEBHOOKS_STOP_AFTER_FAILURES: integer(25, 1),
  /** Updates of one track or zone are merged while the oldest waiting signal of a subscription is older than this. */
  WEBHOOKS_MERGE_AFTER_MS: integer(1_000),
  /** Signals that may wait for one receiver; further ones fail. */
  WEBHOOKS_QUEUE_SIGNALS: integer(10_000, 1, 1_000_000),
  /** Bytes of signals that may wait for one receiver; further ones fail. */
  WEBHOOKS_QUEUE_BYTES: integer(64 * MIB, MIB),
  /**
   * Bytes that all queues may hold together. Above this limit the newest signals of stopped subscriptions fail first,
   * then those of the largest queues.
   */
  WEBHOOKS_ALL_QUEUES_BYTES: integer(1024 * MIB, MIB),
  /** Number of signals at which a batch is sent before its interval is over. */
  WEBHOOKS_BATCH_SIGNALS: integer(1_000, 1, 5_000),
  /** Requests that may be under way at the same time. */
  WEBHOOKS_REQUESTS: integer(500, 2, 10_000),
  /** Bytes of the payloads under way, as they are stored; in memory they take about four times as much. */
  WEBHOOKS_REQUESTS_BYTES: integer(64 * MIB, 4 * MIB),
  /** Requests to one origin that may be under way at the same time. */
  WEBHOOKS_REQUESTS_PER_ORIGIN: integer(50, 1, 64),
});

export type WebhooksConfig = z.output<typeof webhooksEnv>;
