import { z } from "zod";
import { MOST_SUBSCRIPTIONS } from "../../../projections/webhooks/signals/bounds.ts";
import { DAY_MS, HOUR_MS, MIB } from "../../../schemas/units.ts";
import { clickhouseEnv, integer, optionalUrl, redisEnv, serviceEnv } from "../../common/config.ts";
import { outboundEnv } from "../../common/outbound/config.ts";
import { secretsEnv } from "../../common/sealed.ts";

export const stateApiEnv = z.object({
  ...serviceEnv.shape,
  ...redisEnv.shape,
  ...clickhouseEnv.shape,
  ...outboundEnv.shape,
  ...secretsEnv.shape,
  /** All interfaces, for use in a container. Everything but the probes and the document needs a token. */
  STATE_API_HOST: z.string().default("0.0.0.0"),
  STATE_API_PORT: integer(8_080, 0, 65_535),
  /** Set to "off" for closed networks whose callers have no token. */
  STATE_API_AUTH: z.enum(["on", "off"]).default("on").describe("on or off"),
  STATE_API_BODY_LIMIT_BYTES: integer(MIB, 1_024),
  /**
   * Requests in progress at the same time, each with a body of at most STATE_API_BODY_LIMIT_BYTES; further callers get
   * 503.
   */
  STATE_API_MAX_REQUESTS: integer(500, 1),
  /** Milliseconds that load balancers may take to notice that the service is no longer ready. */
  STATE_API_PROPAGATION_MS: integer(0, 0, 5_000),
  /**
   * Our own GraphQL API as this process reaches it. Without it, and with no listed server, requests that need a server
   * get 503.
   */
  STATE_API_GRAPHQL_URL: optionalUrl("http://127.0.0.1:4000/graphql"),
  /**
   * Milliseconds for which the final state of a track is shown; no longer than the state machine remembers it
   * (FORGET_TRACK_MS).
   */
  STATE_API_ENDED_TRACK_MS: integer(HOUR_MS),
  /** Every process that handles signals holds all subscriptions in memory. */
  STATE_API_MAX_SUBSCRIPTIONS: integer(10_000, 1),
  /** Subscriptions with the credentials of one token. */
  STATE_API_MAX_SUBSCRIPTIONS_PER_TOKEN: integer(1_000, 1),
  /**
   * Subscriptions of one token to the tracks and zones of one data source. The greatest value is the number that the
   * fold serves for a data source, whatever the tokens.
   */
  STATE_API_MAX_SUBSCRIPTIONS_PER_SOURCE: integer(50, 1, MOST_SUBSCRIPTIONS),
  /** Memory that all subscriptions take in a process that handles signals; those of one token get a quarter of it. */
  STATE_API_MAX_SUBSCRIPTION_BYTES: integer(128 * MIB, MIB),
  /** Milliseconds for which a caller has the order to create or close an event; then the next caller gets it. */
  STATE_API_EVENT_LEASE_MS: integer(60_000, 100, DAY_MS),
  /** Milliseconds for which a closed event is remembered; at least until its cooldown has ended. */
  STATE_API_EVENT_KEEP_MS: integer(HOUR_MS, 60_000),
  /** Live events, and closed ones that are still remembered. */
  STATE_API_MAX_EVENTS: integer(100_000, 1),
  /** Events that began with one token. Without tokens (STATE_API_AUTH=off) only the limit of all events counts. */
  STATE_API_MAX_EVENTS_PER_TOKEN: integer(50_000, 1),
  /** Seconds for which requested detections of an ended track are kept. */
  DETECTION_TTL: integer(14_400, 1),
  /** Ended tracks whose detections are kept. */
  STATE_API_KEPT_TRACKS: integer(5_000, 1),
  /** Replay sessions that have not ended. */
  STATE_API_MAX_REPLAYS: integer(500, 1),
  /** Open sessions of one token. Without tokens (STATE_API_AUTH=off) only the limit of all sessions counts. */
  STATE_API_MAX_REPLAYS_PER_TOKEN: integer(100, 1),
  /** Tracks of one session. */
  STATE_API_MAX_REPLAY_TRACKS: integer(100, 1, 1_000),
});

export type StateApiConfig = z.output<typeof stateApiEnv>;
