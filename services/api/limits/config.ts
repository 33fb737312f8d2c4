import { z } from "zod";
import { MIB } from "../../../schemas/units.ts";
import { integer } from "../../common/config.ts";

/**
 * Settings that keep one token from starving the others. All count at one instance. The defaults of the rates are above
 * what an instance can serve.
 */
export const tokenLimitsEnv = z.object({
  API_TOKEN_REQUESTS_PER_S: integer(50_000, 1).meta({
    about: "Requests over HTTP, and operations over WebSockets, that one token may send to one instance.",
    unit: "requests/s",
  }),
  API_TOKEN_BYTES_PER_S: integer(1_024 * MIB, 1_024).meta({
    about: "Size of the bodies that one token may send to one instance.",
    unit: "bytes/s",
  }),
  API_TOKEN_DETECTIONS_PER_S: integer(1_000_000, 1).meta({
    about:
      "Detections that one token may record through one instance. A mutation beyond it is refused before any of its " +
      "detections is written.",
    unit: "detections/s",
  }),
  API_TOKEN_QUERIES: integer(1_000, 1).meta({
    about: "Queries of one token that are in progress at one instance; those that wait count.",
  }),
  API_TOKEN_MUTATIONS: integer(5_000, 1).meta({
    about: "Mutations of one token that are in progress at one instance.",
  }),
  API_TOKEN_SUBSCRIPTIONS: integer(10_000, 1).meta({
    about: "GraphQL subscriptions of one token that are open at one instance.",
  }),
  API_HISTORY_QUERIES: integer(22, 1, 1_000).meta({
    about:
      "Queries to ClickHouse that run at a time for all clients of one instance; the others wait, and begin in turns " +
      "of their tokens. One token gets three quarters of them at most. Under `npm start` there are 4.",
    unit: "queries",
  }),
  API_TOKEN_HISTORY_QUERIES_WAITING: integer(2_000, 1).meta({
    about: "Queries to ClickHouse of one token that wait for their turn at one instance.",
    unit: "queries",
  }),
});

export type TokenLimitsConfig = z.output<typeof tokenLimitsEnv>;
