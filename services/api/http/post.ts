// Operations over POST.
import type { FastifyReply } from "fastify";
import { badInput } from "../../../schemas/errors.ts";
import type { CreateContext } from "../graphql/create-context.ts";
import type { Execute } from "../graphql/execute.ts";
import { minPositionOf, readOperation } from "../graphql/operation.ts";
import { POSITION_HEADER } from "../read/position.ts";
import { sendAnswer } from "./answer.ts";
import { isLarge } from "./parse-json.ts";
import type { Handle } from "./server.ts";

export interface PostDeps {
  readonly execute: Execute;
  readonly createContext: CreateContext;
}

export function createPost({ execute, createContext }: PostDeps): Handle {
  return async (request, reply, principal) => {
    const operation = readOperation(request.body, isLarge(request.body));
    const minPosition = minPositionOf(operation, request.headers[POSITION_HEADER]);
    const context = createContext(principal, minPosition, goneSignal(reply));
    const outcome = await execute(operation, context);
    if (outcome.type === "subscription") {
      throw badInput("subscriptions are served over graphql-transport-ws and Server-Sent Events", ["query"]);
    }
    return sendAnswer(outcome, context.positions, request, reply);
  };
}

/**
 * Returns a function that creates the signal on demand, because most operations need none. The signal aborts when the
 * client disconnects before it has its answer.
 */
function goneSignal({ raw }: FastifyReply): () => AbortSignal {
  let gone: AbortController | undefined;
  return () => {
    if (gone !== undefined) return gone.signal;
    const controller = new AbortController();
    gone = controller;
    if (raw.destroyed) controller.abort();
    else {
      raw.once("close", () => {
        if (!raw.writableEnded) controller.abort();
      });
    }
    return controller.signal;
  };
}
