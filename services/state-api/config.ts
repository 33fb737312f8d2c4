import { z } from "zod";
import { MOST_SUBSCRIPTIONS } from "../../projections/signals/bounds.ts";
import {
  clickhouseEnv,
  integer,
  kafkaEnv,
  logEnv,
  namespaceEnv,
  opsEnv,
  redisEnv,
  registryEnv,
  topicsEnv,
} from "../common/config.ts";
import { outboundEnv } from "../common/outbound/config.ts";
import { secretsEnv } from "../common/sealed.ts";

const MIB = 1024 * 1024;

export const stateApiEnv = z.object({
  ...kafkaEnv.shape,
  ...topicsEnv.shape,
  ...registryEnv.shape,
  ...redisEnv.shape,
  ...clickhouseEnv.shape,
  ...namespaceEnv.shape,
  ...logEnv.shape,
  ...opsEnv.shape,
  ...outboundEnv.shape,
  ...secretsEnv.shape,
  /** All interfaces, as a container needs it. Everything but /health, the probes and the document asks for a token. */
  STATE_API_HOST: z.string().default("0.0.0.0"),
  STATE_API_PORT: integer(8_080, 0, 65_535),
  /** "off" for closed networks whose callers have no token. */
  STATE_API_AUTH: z.enum(["on", "off"]).default("on").describe("on or off"),
  STATE_API_BODY_LIMIT_BYTES: integer(MIB, 1_024),
  /** In progress at the same time, each with a body of that size at most; beyond them callers get 503. */
  STATE_API_MAX_REQUESTS: integer(500, 1),
  /** How long load balancers may take to notice that the service is not ready any more. */
  STATE_API_PROPAGATION_MS: integer(0, 0, 5_000),
  /** Our own GraphQL API as this process reaches it. Without it, and with nothing listed, what needs a server gets 503. */
  STATE_API_GRAPHQL_URL: z
    .union([z.literal(""), z.url({ protocol: /^https?$/ })])
    .default("")
    .describe("a URL such as http://127.0.0.1:4000/graphql"),
  /** How long the final state of a track is shown; no longer than the state machine remembers it (FORGET_TRACK_MS). */
  STATE_API_ENDED_TRACK_MS: integer(3_600_000),
  /** Every process that handles signals holds all subscriptions in memory. */
  STATE_API_MAX_SUBSCRIPTIONS: integer(10_000, 1),
  /** With the credentials of one token. */
  STATE_API_MAX_SUBSCRIPTIONS_PER_TOKEN: integer(1_000, 1),
  /** Of a token, to the tracks and zones of one data source. The fold has no more, whatever the tokens. */
  STATE_API_MAX_SUBSCRIPTIONS_PER_SOURCE: integer(50, 1, MOST_SUBSCRIPTIONS),
  /** The memory that all of them take in such a process; those of one token a fourth of it. */
  STATE_API_MAX_SUBSCRIPTION_BYTES: integer(128 * MIB, MIB),
  /** How long the caller that was told to create or close an event has for it; then the next one is told. */
  STATE_API_EVENT_LEASE_MS: integer(60_000, 100, 86_400_000),
  /** How long a closed event is known; at least until its cooldown has ended. */
  STATE_API_EVENT_KEEP_MS: integer(3_600_000, 60_000),
  /** Live events, and closed ones that are still known. */
  STATE_API_MAX_EVENTS: integer(100_000, 1),
  /** Those that began with one token. Without tokens (STATE_API_AUTH=off) only the bound of all counts. */
  STATE_API_MAX_EVENTS_PER_TOKEN: integer(50_000, 1),
  /** Seconds that the detections of an ended track, once asked for, are kept, and of how many tracks. */
  DETECTION_TTL: integer(14_400, 1),
  STATE_API_KEPT_TRACKS: integer(5_000, 1),
  /** Replay sessions that have not ended. */
  STATE_API_MAX_REPLAYS: integer(500, 1),
  /** Those of one token. Without tokens (STATE_API_AUTH=off) only the bound of all counts. */
  STATE_API_MAX_REPLAYS_PER_TOKEN: integer(100, 1),
  /** Tracks of one session. */
  STATE_API_MAX_REPLAY_TRACKS: integer(100, 1, 1_000),
});

export type StateApiConfig = z.output<typeof stateApiEnv>;
