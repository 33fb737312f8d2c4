// Requests that never became an operation: no token, too large, not JSON, not allowed.
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import { formatError, refusalOf, statusOf } from "../graphql/errors.ts";
import { mediaType } from "./request.ts";

export function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const httpStatus = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : undefined;
  const refused = httpStatus !== undefined && httpStatus >= 400 && httpStatus < 500 && error instanceof Error;
  const shown = refused ? new AppError("BAD_USER_INPUT", error.message) : error;
  const { code, retryAfterMs } = refusalOf(shown);
  const status = refused ? httpStatus : statusOf[code];
  const body = JSON.stringify({ errors: [formatError(shown, log)] });
  if (retryAfterMs !== undefined) reply.header("retry-after", Math.ceil(retryAfterMs / 1_000));
  // fastify closes the connection on a body too large, and a client that still writes it may then never read the answer.
  // Open, the connection is drained by Node, and the time a request may take to arrive bounds that.
  if (status === 413) reply.removeHeader("connection");
  return reply.code(status).header("content-type", mediaType(request)).send(body);
}
