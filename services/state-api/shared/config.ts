import { z } from "zod";
import { MOST_SUBSCRIPTIONS } from "../../../projections/webhooks/signals/bounds.ts";
import { DAY_MS, HOUR_MS, MIB } from "../../../schemas/units.ts";
import { clickhouseEnv, integer, optionalUrl, redisEnv, serviceEnv } from "../../common/config.ts";
import { foldEnv } from "../../common/fold-config.ts";
import { outboundEnv } from "../../common/outbound/config.ts";
import { secretsEnv } from "../../common/sealed.ts";
import { tracingEnv } from "../../common/tracing/config.ts";
import { recordedEnv } from "../../recorded/config.ts";

export const stateApiEnv = z.object({
  ...serviceEnv.shape,
  ...tracingEnv.shape,
  ...redisEnv.shape,
  ...clickhouseEnv.shape,
  ...outboundEnv.shape,
  ...secretsEnv.shape,
  /** The state machine must have the same values: otherwise live state at a past moment differs from what was live. */
  ...foldEnv.shape,
  ...recordedEnv.pick({ REPLAY_READS: true, REPLAY_WARM_UP_MS: true }).shape,
  STATE_API_HOST: z
    .string()
    .default("0.0.0.0")
    .meta({
      about:
        "Address at which the REST interface listens; `0.0.0.0` is every interface. Everything but the probes " +
        "and the document needs a token.",
    }),
  STATE_API_PORT: integer(8_080, 0, 65_535).meta({ about: "Port of the REST interface." }),
  STATE_API_AUTH: z
    .enum(["on", "off"])
    .default("on")
    .describe("on or off")
    .meta({ about: "Requires a token. Set it to off for closed networks whose callers have none." }),
  STATE_API_ORIGINS: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((origin) => origin.trim())
        .filter((origin) => origin !== ""),
    )
    .refine((origins) => origins.every(isOrigin), "wants origins without a path, such as https://tracklog.example")
    .describe("origins such as https://tracklog.example, separated by commas")
    .meta({
      about:
        "Origins whose pages may call the REST interface from a browser (CORS), for example that of the console. " +
        "Their requests need a token like all others.",
    }),
  STATE_API_BODY_LIMIT_BYTES: integer(MIB, 1_024).meta({ about: "Size of the largest request body." }),
  STATE_API_MAX_REQUESTS: integer(500, 1).meta({
    about:
      "Requests in progress at the same time, each with a body of at most STATE_API_BODY_LIMIT_BYTES. " +
      "One token gets three quarters of them. Further callers get 503.",
  }),
  STATE_API_TOKEN_REQUESTS_PER_S: integer(50_000, 1).meta({
    about: "Requests that one token may send to one instance. The default is more than an instance can serve.",
    unit: "requests/s",
  }),
  STATE_API_TOKEN_BYTES_PER_S: integer(1_024 * MIB, 1_024).meta({
    about: "Size of the bodies that one token may send to one instance.",
    unit: "bytes/s",
  }),
  STATE_API_PROPAGATION_MS: integer(0, 0, 5_000).meta({
    about: "Time that load balancers may take to notice that the service is no longer ready.",
  }),
  STATE_API_GRAPHQL_URL: optionalUrl("http://127.0.0.1:4000/graphql").meta({
    about:
      "The GraphQL API of this tracklog as this process reaches it. Without it, and without a server of " +
      "ALLOWED_URL_DOMAINS in the request, requests that need a server get 503.",
  }),
  STATE_API_ENDED_TRACK_MS: integer(HOUR_MS).meta({
    about:
      "Time for which the final state of a track is shown. After FORGET_TRACK_MS the state machine forgets " +
      "the track, so a longer time shows nothing more.",
  }),
  STATE_API_PAST_QUERIES: integer(16, 1, 1_000).meta({
    about:
      "Requests for live state at a past moment that an instance answers or lets wait. Two of them run at a time. " +
      "One token gets three quarters of them. Further callers get 429.",
    unit: "requests",
  }),
  STATE_API_PAST_QUERY_MS: integer(20_000, 100, 60_000).meta({
    about: "Time in which such a request must be answered; one that takes longer gets 422.",
  }),
  STATE_API_MAX_SUBSCRIPTIONS: integer(10_000, 1).meta({
    about: "Webhook subscriptions of all tokens. Every process that handles signals holds all of them in memory.",
  }),
  STATE_API_MAX_SUBSCRIPTIONS_PER_TOKEN: integer(1_000, 1).meta({
    about: "Webhook subscriptions with the credentials of one token.",
  }),
  STATE_API_MAX_SUBSCRIPTIONS_PER_SOURCE: integer(50, 1, MOST_SUBSCRIPTIONS).meta({
    about:
      "Webhook subscriptions of one token to the tracks and zones of one data source. The greatest value is " +
      "the number that the fold serves for a data source, whatever the tokens.",
  }),
  STATE_API_MAX_SUBSCRIPTION_BYTES: integer(128 * MIB, MIB).meta({
    about:
      "Memory that all webhook subscriptions take in a process that handles signals. Those of one token get " +
      "a quarter of it.",
  }),
  STATE_API_EVENT_LEASE_MS: integer(60_000, 100, DAY_MS).meta({
    about: "Time for which a caller has the order to create or close an event. Then the next caller gets it.",
  }),
  STATE_API_EVENT_KEEP_MS: integer(HOUR_MS, 60_000).meta({
    about: "Time for which a closed event is remembered, or until its cooldown has ended, if that is later.",
  }),
  STATE_API_MAX_EVENTS: integer(100_000, 1).meta({ about: "Live events, and closed ones that are still remembered." }),
  STATE_API_MAX_EVENTS_PER_TOKEN: integer(50_000, 1).meta({
    about: "Events that began with one token. Without tokens (STATE_API_AUTH) only STATE_API_MAX_EVENTS counts.",
  }),
  DETECTION_TTL: integer(14_400, 1).meta({
    about: "Time for which requested detections of an ended track are kept.",
    unit: "s",
  }),
  STATE_API_KEPT_TRACKS: integer(5_000, 1).meta({ about: "Ended tracks whose detections are kept." }),
  STATE_API_MAX_REPLAYS: integer(500, 1).meta({ about: "Replay sessions that have not ended." }),
  STATE_API_MAX_REPLAYS_PER_TOKEN: integer(100, 1).meta({
    about:
      "Replay sessions of one token that have not ended. Without tokens (STATE_API_AUTH) only " +
      "STATE_API_MAX_REPLAYS counts.",
  }),
  STATE_API_MAX_REPLAY_TRACKS: integer(100, 1, 1_000).meta({ about: "Tracks of one replay session." }),
});

export type StateApiConfig = z.output<typeof stateApiEnv>;

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;
