import { z } from "zod";
import { integer, kafkaEnv, logEnv, namespaceEnv, opsEnv, redisEnv, registryEnv, topicsEnv } from "../common/config.ts";
import { outboundEnv } from "../common/outbound/config.ts";
import { secretsEnv } from "../common/sealed.ts";

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

export const webhooksEnv = z.object({
  ...kafkaEnv.shape,
  ...topicsEnv.shape,
  ...registryEnv.shape,
  ...redisEnv.shape,
  ...namespaceEnv.shape,
  ...logEnv.shape,
  ...opsEnv.shape,
  ...outboundEnv.shape,
  ...secretsEnv.shape,
  /** Our own GraphQL API as this process reaches it. Without it nobody hears of chronicles. */
  WEBHOOKS_GRAPHQL_URL: z
    .union([z.literal(""), z.url({ protocol: /^https?$/ })])
    .default("")
    .describe("a URL such as http://127.0.0.1:4000/graphql"),
  /** Seconds for which a chronicle that does not change is remembered; then it is news again. */
  CHRONICLE_STATE_TTL: integer(604_800, 1),
  /** A receiver must have answered within this. */
  WEBHOOKS_TIMEOUT_MS: integer(10_000, 100, 60_000),
  /** Pause after the first failure; it doubles with each further one in a row. */
  WEBHOOKS_RETRY_MS: integer(5_000, 1),
  /** The longest pause, also if the receiver asks for a longer one. */
  WEBHOOKS_LONGEST_RETRY_MS: integer(HOUR_MS, 1, 20 * HOUR_MS),
  /** How long a signal is tried. The topic keeps signals for a day, so that the queues can be made again from it. */
  WEBHOOKS_KEEP_MS: integer(20 * HOUR_MS, 1_000, 20 * HOUR_MS),
  /** So many failures in a row stop a subscription. */
  WEBHOOKS_STOP_AFTER_FAILURES: integer(25, 1),
  /** Updates of one track or zone are merged while the oldest waiting signal of a subscription is older than this. */
  WEBHOOKS_MERGE_AFTER_MS: integer(1_000),
  /** So many signals wait for one receiver at most; further ones fail. */
  WEBHOOKS_QUEUE_SIGNALS: integer(10_000, 1, 1_000_000),
  /** The same in bytes. */
  WEBHOOKS_QUEUE_BYTES: integer(64 * MIB, MIB),
  /** Of all queues together. Where it is reached, the newest signals of stopped subscriptions fail, then those of the largest queues. */
  WEBHOOKS_ALL_QUEUES_BYTES: integer(1024 * MIB, MIB),
  /** A batch that is full is sent before its interval is over. */
  WEBHOOKS_BATCH_SIGNALS: integer(1_000, 1, 5_000),
  /** Requests under way at a time. */
  WEBHOOKS_REQUESTS: integer(500, 2, 10_000),
  /** Their payloads, as they are stored; in memory they take about four times as much. */
  WEBHOOKS_REQUESTS_BYTES: integer(64 * MIB, 4 * MIB),
  /** Requests to one origin. */
  WEBHOOKS_REQUESTS_PER_ORIGIN: integer(50, 1, 64),
});

export type WebhooksConfig = z.output<typeof webhooksEnv>;
