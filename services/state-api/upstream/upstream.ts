// Queries GraphQL servers on behalf of a caller: our own API, or one that the operator lists.

import { z } from "zod";
import { TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { badInput, RETRY_AFTER_MS, tooManyRequests, unavailable } from "../../../schemas/errors.ts";
import { jsonOf } from "../../../schemas/json.ts";
import { MIB } from "../../../schemas/units.ts";
import { closingPart, type Part } from "../../common/lifecycle.ts";
import { createOutbound, type HttpAnswer, type Outbound } from "../../common/outbound/client.ts";
import type { OutboundConfig } from "../../common/outbound/config.ts";
import { OutboundError } from "../../common/outbound/errors.ts";
import { createGuard, HTTP, trusting } from "../../common/outbound/guard.ts";
import { Problem } from "../http/problem.ts";
import { type AnswerBudget, createAnswerBudget } from "./answer-budget.ts";
import { boundedListOf } from "./list-of.ts";
import { PageRefused } from "./page-size.ts";

/** A GraphQL server and the token for it. */
export interface GraphQLServer {
  /** Undefined for our own API. */
  readonly url: string | undefined;
  readonly tokenId: string;
  readonly tokenValue: string;
}

export interface UpstreamQuestion<Data> {
  readonly query: string;
  readonly variables: object;
  /** Schema for the `data` of a good answer. */
  readonly data: z.ZodType<Data>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Upstream extends Part {
  /** False when no server may be queried in this installation. */
  readonly isWired: boolean;
  /** @returns true when the address is that of our own API, in the spelling of the operator or of a browser. */
  isOwn(url: string): boolean;
  /** Throws BAD_USER_INPUT with the path when the caller may not use this server. */
  check(url: string, path: readonly string[]): void;
  /** Memory for the answers of all requests. */
  readonly answers: AnswerBudget;
  /**
   * Resolves with checked data. Rejects with a Problem of kind `upstream` (502) that names neither addresses nor
   * bodies, and with UNAVAILABLE when the memory budget for answers is exhausted.
   */
  ask<Data>(server: GraphQLServer, question: UpstreamQuestion<Data>): Promise<Data>;
}

export interface UpstreamOptions extends OutboundConfig {
  /** Our own API; "" when there is none. Its address is not checked: the operator chose it. */
  readonly ownUrl: string;
  readonly answerBudgetBytes?: number;
}

/**
 * Bytes of the budget for answers. The largest chronicle query fits alone: 4 answers, the kept parts of earlier ones,
 * and its own answer.
 */
const ANSWER_BUDGET_BYTES = 512 * MIB;

export function createUpstream({
  ownUrl,
  answerBudgetBytes = ANSWER_BUDGET_BYTES,
  ...lists
}: UpstreamOptions): Upstream {
  const guard = createGuard(lists, "listed");
  const listed = createOutbound({ guard, allowSelfSigned: lists.OUTBOUND_ALLOW_SELF_SIGNED });
  const own = createOutbound({ guard: trusting, allowSelfSigned: lists.OUTBOUND_ALLOW_SELF_SIGNED });
  const answers = createAnswerBudget(answerBudgetBytes);
  const isOwn = (url: string) => ownUrl !== "" && (url === ownUrl || url === URL.parse(ownUrl)?.href);
  return {
    isWired: ownUrl !== "" || lists.ALLOWED_URL_DOMAINS.length > 0 || lists.ALLOWED_URL_CIDRS.length > 0,
    isOwn,
    answers,
    check: (url, path) => {
      const refusal = isOwn(url) ? undefined : guard.refusal(url, HTTP);
      if (refusal !== undefined) throw badInput(`${refusal}: tokens are passed on to listed servers only`, path);
    },
    ask: async (server, question) => {
      const { url = ownUrl } = server;
      if (url === "") throw new Problem("unavailable", "no GraphQL server is known here: set STATE_API_GRAPHQL_URL");
      const holding = answers.hold();
      let isFull = false;
      const admits = (bytes: number) => {
        isFull = !holding.resize(bytes);
        return !isFull;
      };
      try {
        const answer = await post(isOwn(url) ? own : listed, { url, server, question, admits });
        return dataOf(answer, question.data);
      } catch (error) {
        throw isFull ? upstreamBusy(error) : error;
      } finally {
        holding.resize(0);
      }
    },
    ...closingPart("upstream", () => {
      listed.close();
      own.close();
    }),
  };
}

const MAX_ANSWER_BYTES = 32 * MIB;

interface Posted {
  readonly url: string;
  readonly server: GraphQLServer;
  readonly question: UpstreamQuestion<unknown>;
  readonly admits: (bytes: number) => boolean;
}

async function post(outbound: Outbound, { url, server, question, admits }: Posted): Promise<HttpAnswer> {
  const { query, variables, timeoutMs, signal } = question;
  try {
    return await outbound.post(url, {
      body: JSON.stringify({ query, variables }),
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        [TOKEN_ID]: server.tokenId,
        [TOKEN_VALUE]: server.tokenValue,
      },
      timeoutMs,
      maxResponseBytes: MAX_ANSWER_BYTES,
      admits,
      signal,
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw upstreamFailed(error.message, error);
  }
}

/** Errors of an answer that are read; further ones are ignored. */
const MOST_ERRORS = 100;
const errorsSchema = z.object({
  errors: z
    .array(z.unknown())
    .min(1)
    .transform((errors) => errors.slice(0, MOST_ERRORS))
    .pipe(boundedListOf(z.object({ message: z.string(), extensions: z.unknown().optional() }))),
});

/** The form in which our own API reports that the caller's token exceeds a limit. */
const tooManyOfToken = z.object({ code: z.literal("TOO_MANY_REQUESTS"), retryAfterMs: z.number().optional() });

/** The form in which our own API reports that `first` is too large. */
const firstTooLarge = z.object({ code: z.literal("BAD_USER_INPUT"), path: z.tuple([z.literal("first")]) });

function dataOf<Data>({ status, body, cut }: HttpAnswer, schema: z.ZodType<Data>): Data {
  if (cut) throw upstreamFailed("its answer is too large");
  const answer = jsonOf(body.toString());
  const errors = errorsSchema.safeParse(answer);
  if (errors.success) {
    const all = errors.data.errors;
    const tooMany = all.flatMap(({ extensions }) => tooManyOfToken.safeParse(extensions).data ?? []);
    if (tooMany[0] !== undefined) {
      throw tooManyRequests("the GraphQL server: the token exceeds a limit", tooMany[0].retryAfterMs);
    }
    const isTooLarge = all.some(({ extensions }) => firstTooLarge.safeParse(extensions).success);
    throw upstreamFailed(all.map(({ message }) => message).join("; "), undefined, isTooLarge ? PageRefused : Problem);
  }
  if (status !== 200) throw upstreamFailed(`it answered with status ${status}`);
  const parsed = z.object({ data: schema }).safeParse(answer);
  if (!parsed.success) throw upstreamFailed("its answer does not have the shape that was asked for", parsed.error);
  return parsed.data.data;
}

const MAX_DETAIL_LENGTH = 500;

/** The detail may come from the server, so its length is bounded. */
export const upstreamFailed = (detail: string, cause?: unknown, Kind = Problem): Problem =>
  new Kind("upstream", `the GraphQL server: ${detail.slice(0, MAX_DETAIL_LENGTH)}`, { cause });

export const upstreamBusy = (cause?: unknown) =>
  unavailable("the answers of GraphQL servers take too much memory at once", RETRY_AFTER_MS, cause);
