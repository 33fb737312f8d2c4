// Refusals of requests that may need a GraphQL server, for the document.
import type { AnswerSpec } from "../http/route.ts";

export const refusedSource: AnswerSpec = {
  description:
    "The request is not valid, `x-graphql-url` names a server that the operator does not list, " +
    "or there are more detections or tracks than one request may have.",
};

export const failedSource: AnswerSpec = {
  description: "The GraphQL server, which was needed, did not answer as it should; `detail` has its errors.",
};

export const absentSource: AnswerSpec = {
  description:
    "A GraphQL server is needed and none is set (STATE_API_GRAPHQL_URL), the answers of such servers take too much " +
    "memory at the moment, or too many requests are in progress.",
};
