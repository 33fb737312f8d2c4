import { z } from "zod";
import { eventBoundsEnv } from "../../schemas/bounds.ts";
import { MIB } from "../../schemas/units.ts";
import { answerTimesEnv, clickhouseEnv, flag, integer, redisEnv, serviceEnv } from "../common/config.ts";
import { foldEnv } from "../common/fold-config.ts";
import { mediaEnv } from "../common/media/config.ts";
import { tracingEnv } from "../common/tracing/config.ts";
import { MOST_ANSWER_BYTES } from "./graphql/answer-size.ts";
import { tokenLimitsEnv } from "./limits/config.ts";
import { subscriptionsEnv } from "./subscriptions/config.ts";

export const apiEnv = z
  .object({
    ...serviceEnv.shape,
    ...tracingEnv.shape,
    ...redisEnv.shape,
    ...clickhouseEnv.shape,
    ...answerTimesEnv.shape,
    ...subscriptionsEnv.shape,
    ...tokenLimitsEnv.shape,
    ...eventBoundsEnv.shape,
    ...mediaEnv.shape,
    // A trial of a zone folds the history as the state machine folds the log.
    TRACK_TTL: foldEnv.shape.TRACK_TTL,
    REORDER_MS: foldEnv.shape.REORDER_MS,
    API_HOST: z
      .string()
      .default("0.0.0.0")
      .meta({
        about:
          "Address at which the GraphQL API listens; `0.0.0.0` is every interface. Everything but the probes " +
          "and the explorer needs a token.",
      }),
    API_PORT: integer(4_000, 0, 65_535).meta({ about: "Port of the GraphQL API." }),
    API_PROPAGATION_MS: integer(0, 0, 5_000).meta({
      about: 'Time between "not ready" and the end of listening, in which a load balancer may still send requests.',
    }),
    API_AUTH: flag(true).meta({ about: "Requires a token. Set it to false only in a closed network." }),
    API_GRAPHIQL: flag(false).meta({
      about: "Serves the explorer GraphiQL, which needs no token itself. For development only.",
    }),
    API_CONSOLE: flag(false).meta({
      about:
        "Serves the console at `/console`. Its files need no token; what it shows needs that of the user, as for every " +
        "other client.",
    }),
    API_CONSOLE_REST_URL: z
      .url({ protocol: /^https?$/ })
      .or(z.literal(""))
      .default("")
      .transform((url) => url.replace(/\/$/, ""))
      .describe("a URL such as https://tracklog.example, or nothing")
      .meta({
        about:
          "URL at which browsers reach the REST interface, without `/api`. Without it, the console has no pages for " +
          "webhooks and replays. The REST interface needs the origin of the console in STATE_API_ORIGINS.",
      }),
    API_BODY_LIMIT_BYTES: integer(8 * MIB, 1_024).meta({ about: "Size of the largest request body." }),
    API_MAX_FIRST: integer(1_000, 1).meta({
      about: "Largest page: the greatest value of the argument `first`.",
      unit: "objects",
    }),
    API_MAX_DOCUMENT_BYTES: integer(MIB, 1_024).meta({
      about: "Size of the longest GraphQL document. A longer one would block all requests while it is parsed.",
    }),
    API_MAX_DOCUMENT_TOKENS: integer(50_000, 100).meta({
      about: "Names, values and signs of one GraphQL document, which take time to parse.",
    }),
    API_MAX_DEPTH: integer(15, 1).meta({ about: "Levels of fields within fields in one operation.", unit: "levels" }),
    API_MAX_ALIASES: integer(100).meta({ about: "Aliases in one operation." }),
    API_MAX_ROOT_FIELDS: integer(50, 1).meta({ about: "Root fields of one operation." }),
    API_MAX_FIELDS: integer(2_000, 1).meta({
      about: "Fields of one operation, fragments counted each time that they are used.",
    }),
    API_MAX_COST: integer(1_000_000, 1).meta({
      about: "Objects that one operation may produce, lists within lists multiplied.",
      unit: "objects",
    }),
    API_MAX_ANSWER_BYTES: integer(64 * MIB, 1_024, MOST_ANSWER_BYTES).meta({
      about: "Size of the largest answer, and of the largest message of a subscription.",
    }),
    API_MAX_FILTER_VALUES: integer(20_000, 1).meta({
      about:
        "Values in one filter, those of its lists included. Their texts may together have 64 characters for " + "each.",
    }),
    API_MAX_FILTER_BRANCHES: integer(1_000, 1).meta({
      about: "Filters within the `and`, `or` and `not` of one filter.",
      unit: "filters",
    }),
    API_MAX_BUCKETS: integer(20_000, 1).meta({ about: "Buckets of one summary." }),
    API_QUERY_MEMORY_BYTES: integer(1_024 * MIB, MIB).meta({ about: "Memory of one query in ClickHouse." }),
    API_QUERY_READ_ROWS: integer(1_000_000_000, 1).meta({ about: "Rows that one query may read in ClickHouse." }),
    API_QUERY_RESULT_BYTES: integer(128 * MIB, MIB).meta({ about: "Size of the result of one query to ClickHouse." }),
    API_PAST_QUERIES: integer(16, 1, 1_000).meta({
      about:
        "Queries for the zones of a past moment (`asOf`) that an instance answers or lets wait. One runs at a time. " +
        "One token gets three quarters of them.",
      unit: "queries",
    }),
    API_TRIAL_DETECTIONS: integer(20_000_000, 1).meta({
      about: "Detections of the data source in the range of one trial of a zone (`zoneTrial`).",
      unit: "detections",
    }),
    API_TRIAL_CANDIDATES: integer(5_000_000, 1).meta({
      about: "Detections of one trial of a zone whose boxes overlap that of the zone. The API judges each of them.",
      unit: "detections",
    }),
    API_LINGER_MS: integer(2, 0, 1_000).meta({
      about:
        "Time for which the API holds a detection back, so that it can share an event with others of its data " +
        "source.",
    }),
    API_BATCH_BYTES: integer(MIB, 1_024).meta({ about: "Size of one write to the log that collects several events." }),
    API_INTAKE_BYTES: integer(4 * MIB, 1_024).meta({
      about:
        "Size of the bodies that arrive or wait for their turn. Beyond it, the API refuses requests with " +
        "UNAVAILABLE.",
    }),
    API_QUEUE_BYTES: integer(64 * MIB, 1_024).meta({
      about: "Size of the writes that wait for the log. Beyond it, the API refuses mutations with UNAVAILABLE.",
    }),
    API_QUEUE_MS: integer(500, 1).meta({
      about:
        "Time after which a write has waited so long for its turn that the API refuses further mutations with " +
        "UNAVAILABLE.",
    }),
    API_PUBLISH_TIMEOUT_MS: integer(10_000, 100).meta({
      about: "Time within which the brokers must have acknowledged a write.",
    }),
    API_MAX_MESSAGE_BYTES: integer(4 * MIB, 1_024).meta({
      about: "Size of the largest event. `max.message.bytes` of the brokers must be greater.",
    }),
    API_ROUTING_TRACKS: integer(100_000, 1).meta({ about: "Tracks whose headers the API keeps in memory." }),
    API_ROUTING_TTL_S: integer(86_400, 1).meta({
      about: "Time for which Redis keeps the shared header of a track after a write.",
    }),
    API_HEARTBEAT_MS: integer(10_000, 1).meta({
      about: "Shortest time between two heartbeats of a device, those of traffic and of mutations together.",
    }),
    API_MAX_IMAGE_BYTES: integer(5 * MIB, 1_024).meta({
      about: "Size of an uploaded image. In base64 it takes a third more, and must fit into API_BODY_LIMIT_BYTES.",
    }),
    API_MAX_GEOFENCE_VERTICES: integer(1_000_000, 4).meta({
      about: "Vertices of all active geofences together, because a position may be in all of them.",
    }),
  })
  .refine((env) => env.API_BATCH_BYTES <= env.API_QUEUE_BYTES, {
    path: ["API_BATCH_BYTES"],
    message: "must not exceed API_QUEUE_BYTES, else no batch could ever fill",
  });

export type ApiConfig = z.output<typeof apiEnv>;
