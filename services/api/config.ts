import { z } from "zod";
import { eventBoundsEnv } from "../../schemas/bounds.ts";
import { MIB } from "../../schemas/units.ts";
import { answerTimesEnv, clickhouseEnv, flag, integer, redisEnv, serviceEnv } from "../common/config.ts";
import { mediaEnv } from "../common/media/config.ts";
import { MOST_ANSWER_BYTES } from "./graphql/answer-size.ts";
import { subscriptionsEnv } from "./subscriptions/config.ts";

export const apiEnv = z
  .object({
    ...serviceEnv.shape,
    ...redisEnv.shape,
    ...clickhouseEnv.shape,
    ...answerTimesEnv.shape,
    ...subscriptionsEnv.shape,
    ...eventBoundsEnv.shape,
    ...mediaEnv.shape,
    /** All interfaces, for use in a container. Everything but the probes and the explorer needs a token. */
    API_HOST: z.string().default("0.0.0.0"),
    API_PORT: integer(4_000, 0, 65_535),
    /** Milliseconds between "not ready" and the end of listening, in which a load balancer may still send requests. */
    API_PROPAGATION_MS: integer(0, 0, 5_000),
    API_AUTH: flag(true),
    /** For development only: serves an explorer that needs no token. */
    API_GRAPHIQL: flag(false),
    API_BODY_LIMIT_BYTES: integer(8 * MIB, 1_024),
    /** Largest `first`. */
    API_MAX_FIRST: integer(1_000, 1),
    /** Parsing a larger document would block all requests. Tokens are names, values and signs. */
    API_MAX_DOCUMENT_BYTES: integer(MIB, 1_024),
    API_MAX_DOCUMENT_TOKENS: integer(50_000, 100),
    API_MAX_DEPTH: integer(15, 1),
    API_MAX_ALIASES: integer(100),
    API_MAX_ROOT_FIELDS: integer(50, 1),
    API_MAX_FIELDS: integer(2_000, 1),
    /** Objects that one operation may produce, lists within lists multiplied. */
    API_MAX_COST: integer(1_000_000, 1),
    /** Bytes of the largest answer, and of the largest message of a subscription. */
    API_MAX_ANSWER_BYTES: integer(64 * MIB, 1_024, MOST_ANSWER_BYTES),
    /** Values in a filter, including its lists, and filters within its and, or and not. */
    API_MAX_FILTER_VALUES: integer(20_000, 1),
    API_MAX_FILTER_BRANCHES: integer(1_000, 1),
    /** Buckets of one summary. */
    API_MAX_BUCKETS: integer(20_000, 1),
    /** Limits of one query to ClickHouse, besides its duration. */
    API_QUERY_MEMORY_BYTES: integer(1_024 * MIB, MIB),
    API_QUERY_READ_ROWS: integer(1_000_000_000, 1),
    API_QUERY_RESULT_BYTES: integer(128 * MIB, MIB),
    /**
     * Milliseconds for which the API holds a detection back, so that it can share an event with others of its data
     * source.
     */
    API_LINGER_MS: integer(2, 0, 1_000),
    API_BATCH_BYTES: integer(MIB, 1_024),
    /** Bytes of bodies that are arriving or wait for their turn; beyond it requests are refused with UNAVAILABLE. */
    API_INTAKE_BYTES: integer(4 * MIB, 1_024),
    /** Bytes of writes that wait for the log; beyond it mutations are refused with UNAVAILABLE. */
    API_QUEUE_BYTES: integer(64 * MIB, 1_024),
    /** Mutations are also refused while a write has waited this long for its turn, ms. */
    API_QUEUE_MS: integer(500, 1),
    API_PUBLISH_TIMEOUT_MS: integer(10_000, 100),
    /** Largest event; the broker's max.message.bytes must be greater. */
    API_MAX_MESSAGE_BYTES: integer(4 * MIB, 1_024),
    /**
     * Number of tracks whose header is kept in memory, and seconds for which Redis keeps the shared header after a
     * write.
     */
    API_ROUTING_TRACKS: integer(100_000, 1),
    API_ROUTING_TTL_S: integer(86_400, 1),
    /** Shortest time between two heartbeats of a device, from traffic and mutations together, ms. */
    API_HEARTBEAT_MS: integer(10_000, 1),
    /** Bytes of an uploaded image; in base64 it must fit into the body limit. */
    API_MAX_IMAGE_BYTES: integer(5 * MIB, 1_024),
    /** Limit for the vertices of all active geofences together, because a position may be in all of them. */
    API_MAX_GEOFENCE_VERTICES: integer(1_000_000, 4),
  })
  .refine((env) => env.API_BATCH_BYTES <= env.API_QUEUE_BYTES, {
    path: ["API_BATCH_BYTES"],
    message: "must not exceed API_QUEUE_BYTES, else no batch could ever fill",
  });

export type ApiConfig = z.output<typeof apiEnv>;
