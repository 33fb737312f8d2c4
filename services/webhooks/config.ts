import { z } from "zod";
import { HOUR_MS, MIB } from "../../schemas/units.ts";
import { answerTimesEnv, integer, optionalUrl, redisEnv, serviceEnv } from "../common/config.ts";
import { outboundEnv } from "../common/outbound/config.ts";
import { secretsEnv } from "../common/sealed.ts";
import { tracingEnv } from "../common/tracing/config.ts";

export const webhooksEnv = z.object({
  ...serviceEnv.shape,
  ...tracingEnv.shape,
  ...redisEnv.shape,
  ...outboundEnv.shape,
  ...secretsEnv.shape,
  // Settings of the API that is queried for chronicles. This service waits for an answer longer than the API may take.
  ...answerTimesEnv.shape,
  WEBHOOKS_GRAPHQL_URL: optionalUrl("http://127.0.0.1:4000/graphql").meta({
    about:
      "The GraphQL API of this tracklog, as this process reaches it. Without it, no signals of chronicles are raised. The " +
      "service waits for an answer longer than API_QUERY_MS and API_POSITION_WAIT_MS together.",
  }),
  CHRONICLE_STATE_TTL: integer(604_800, 1).meta({
    about: "Time for which an unchanged chronicle is remembered. A change after that counts as a new chronicle.",
    unit: "s",
  }),
  WEBHOOKS_TIMEOUT_MS: integer(10_000, 100, 60_000).meta({ about: "Time within which a receiver must have answered." }),
  WEBHOOKS_RETRY_MS: integer(5_000, 1).meta({
    about: "Pause after the first failure. It doubles with each further failure in a row.",
  }),
  WEBHOOKS_LONGEST_RETRY_MS: integer(HOUR_MS, 1, 20 * HOUR_MS).meta({
    about: "Longest pause, even if the receiver requests a longer one.",
  }),
  WEBHOOKS_KEEP_MS: integer(20 * HOUR_MS, 1_000, 20 * HOUR_MS).meta({
    about:
      "Time for which a signal is tried. The topic keeps signals for a day, so that lost queues can be " +
      "rebuilt from it.",
  }),
  WEBHOOKS_STOP_AFTER_FAILURES: integer(25, 1).meta({
    about: "Failures in a row after which a subscription is stopped.",
  }),
  WEBHOOKS_MERGE_AFTER_MS: integer(1_000).meta({
    about:
      "Age of the oldest waiting signal of a subscription from which on updates of one track or zone are " + "merged.",
  }),
  WEBHOOKS_QUEUE_SIGNALS: integer(10_000, 1, 1_000_000).meta({
    about: "Signals that may wait for one receiver. Further ones fail.",
  }),
  WEBHOOKS_QUEUE_BYTES: integer(64 * MIB, MIB).meta({
    about: "Size of the signals that may wait for one receiver. Further ones fail.",
  }),
  WEBHOOKS_ALL_QUEUES_BYTES: integer(1024 * MIB, MIB).meta({
    about:
      "Size of all queues together. Above it, the newest signals of stopped subscriptions fail first, then " +
      "those of the largest queues.",
  }),
  WEBHOOKS_BATCH_SIGNALS: integer(1_000, 1, 5_000).meta({
    about: "Signals at which a batch is sent before its interval is over.",
  }),
  WEBHOOKS_REQUESTS: integer(500, 2, 10_000).meta({ about: "Requests that may be under way at the same time." }),
  WEBHOOKS_REQUESTS_BYTES: integer(64 * MIB, 4 * MIB).meta({
    about: "Size of the payloads under way, as they are stored. In memory they take about four times as much.",
  }),
  WEBHOOKS_REQUESTS_PER_ORIGIN: integer(50, 1, 64).meta({
    about: "Requests to one origin that may be under way at the same time.",
  }),
});

export type WebhooksConfig = z.output<typeof webhooksEnv>;
