// Media type and status of answers (GraphQL over HTTP, draft of the GraphQL Foundation).
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../schemas/errors.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Log } from "../../common/log.ts";
import { formatError, refusalOf, retryAfterSeconds, statusOf } from "../graphql/errors.ts";
import { type ExecutedAnswer, toJson } from "../graphql/execute.ts";

const GRAPHQL_JSON = "application/graphql-response+json";

/** Clients that accept this media type also get the status that it prescribes. */
const isGraphqlJson = ({ headers: { accept } }: FastifyRequest): boolean => accept?.includes(GRAPHQL_JSON) ?? false;

const mediaType = (request: FastifyRequest): string =>
  `${isGraphqlJson(request) ? GRAPHQL_JSON : "application/json"}; charset=utf-8`;

/** With application/json the answer to a well-formed request is 200, even if it was refused. */
export function sendAnswer(
  answer: ExecutedAnswer,
  positions: readonly LogPosition[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = answer.executed || !isGraphqlJson(request) ? 200 : 400;
  return reply.code(status).header("content-type", mediaType(request)).send(toJson(answer, positions));
}

/** Answers requests that never became an operation: no token, too large, not JSON, not allowed. */
export function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const httpStatus = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : undefined;
  const refused = httpStatus !== undefined && httpStatus >= 400 && httpStatus < 500 && error instanceof Error;
  const shown = refused ? new AppError("BAD_USER_INPUT", error.message) : error;
  const { code, retryAfterMs } = refusalOf(shown);
  const status = refused ? httpStatus : statusOf[code];
  const body = JSON.stringify({ errors: [formatError(shown, log)] });
  if (retryAfterMs !== undefined) reply.header("retry-after", retryAfterSeconds(retryAfterMs));
  // fastify closes the connection when a body is too large, and a client that is still writing may then never read the
  // answer. So the connection stays open: Node reads the rest of the body, within the time limit for receiving a
  // request.
  if (status === 413) reply.removeHeader("connection");
  return reply.code(status).header("content-type", mediaType(request)).send(body);
}
