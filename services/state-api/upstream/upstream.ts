// Asks GraphQL servers on behalf of a caller: our own API, or one that the installation lists.
import { z } from "zod";
import { TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { badInput, unavailable } from "../../../schemas/errors.ts";
import type { Part } from "../../common/lifecycle.ts";
import { type Answer, createOutbound, type Outbound } from "../../common/outbound/client.ts";
import type { OutboundConfig } from "../../common/outbound/config.ts";
import { OutboundError } from "../../common/outbound/errors.ts";
import { createGuard, HTTP, trusting } from "../../common/outbound/guard.ts";
import { Problem } from "../http/problem.ts";
import { listOf } from "./list-of.ts";
import { PageRefused } from "./page-size.ts";
import { type AnswerRoom, createAnswerRoom } from "./room.ts";

/** A GraphQL server and the token for it. */
export interface GraphQLServer {
  /** Undefined: our own API. */
  readonly url: string | undefined;
  readonly tokenId: string;
  readonly tokenValue: string;
}

export interface Question<Data> {
  readonly query: string;
  readonly variables: object;
  /** What the `data` of a good answer looks like. */
  readonly data: z.ZodType<Data>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Upstream extends Part {
  /** False: no server may be asked in this installation. */
  readonly isWired: boolean;
  /** Whether the address is that of our own API, written as the installation or a browser writes it. */
  isOwn(url: string): boolean;
  /** Throws BAD_USER_INPUT with the path when the caller may not have this server asked. */
  check(url: string, path: readonly string[]): void;
  /** Of what all requests hold of answers. */
  readonly room: AnswerRoom;
  /**
   * Checked data. Rejects with a Problem of kind `upstream` (502) that names neither addresses nor bodies, and with
   * UNAVAILABLE when there is no room for the answer.
   */
  ask<Data>(server: GraphQLServer, question: Question<Data>): Promise<Data>;
}

export interface UpstreamOptions extends OutboundConfig {
  /** Our own API; "" when there is none. It is not guarded: the installation chose it. */
  readonly ownUrl: string;
  readonly roomBytes?: number;
}

/** The largest chronicle query fits alone: 4 answers, what it keeps of earlier ones, and its own answer. */
const ROOM_BYTES = 512 * 1024 * 1024;

export function createUpstream({ ownUrl, roomBytes = ROOM_BYTES, ...lists }: UpstreamOptions): Upstream {
  const guard = createGuard(lists, "listed");
  const listed = createOutbound({ guard, allowSelfSigned: lists.OUTBOUND_ALLOW_SELF_SIGNED });
  const own = createOutbound({ guard: trusting, allowSelfSigned: lists.OUTBOUND_ALLOW_SELF_SIGNED });
  const room = createAnswerRoom(roomBytes);
  const isOwn = (url: string) => ownUrl !== "" && (url === ownUrl || url === URL.parse(ownUrl)?.href);
  return {
    isWired: ownUrl !== "" || lists.ALLOWED_URL_DOMAINS.length > 0 || lists.ALLOWED_URL_CIDRS.length > 0,
    isOwn,
    room,
    check: (url, path) => {
      const refusal = isOwn(url) ? undefined : guard.refusal(url, HTTP);
      if (refusal !== undefined) throw badInput(`${refusal}: tokens are passed on to listed servers only`, path);
    },
    ask: async (server, question) => {
      const { url = ownUrl } = server;
      if (url === "") throw new Problem("unavailable", "no GraphQL server is known here: set STATE_API_GRAPHQL_URL");
      const holding = room.hold();
      let isFull = false;
      const admits = (bytes: number) => {
        isFull = !holding.resize(bytes);
        return !isFull;
      };
      try {
        const answer = await post(isOwn(url) ? own : listed, { url, server, question, admits });
        return dataOf(answer, question.data);
      } catch (error) {
        throw isFull ? noRoom(error) : error;
      } finally {
        holding.resize(0);
      }
    },
    name: "upstream",
    start: async () => {},
    stop: async () => {
      listed.close();
      own.close();
    },
  };
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

interface Posted {
  readonly url: string;
  readonly server: GraphQLServer;
  readonly question: Question<unknown>;
  readonly admits: (bytes: number) => boolean;
}

async function post(outbound: Outbound, { url, server, question, admits }: Posted): Promise<Answer> {
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

/** A server that has more to say is heard no further. */
const MOST_ERRORS = 100;
const errorsSchema = z.object({
  errors: z
    .array(z.unknown())
    .min(1)
    .transform((errors) => errors.slice(0, MOST_ERRORS))
    .pipe(listOf(z.object({ message: z.string(), extensions: z.unknown().optional() }))),
});

/** As our own API says it. */
const firstTooLarge = z.object({ code: z.literal("BAD_USER_INPUT"), path: z.tuple([z.literal("first")]) });

function dataOf<Data>({ status, body, cut }: Answer, schema: z.ZodType<Data>): Data {
  if (cut) throw upstreamFailed("its answer is too large");
  const answer = parseJson(body);
  const errors = errorsSchema.safeParse(answer);
  if (errors.success) {
    const all = errors.data.errors;
    const isTooLarge = all.some(({ extensions }) => firstTooLarge.safeParse(extensions).success);
    throw upstreamFailed(all.map(({ message }) => message).join("; "), undefined, isTooLarge ? PageRefused : Problem);
  }
  if (status !== 200) throw upstreamFailed(`it answered with status ${status}`);
  const parsed = z.object({ data: schema }).safeParse(answer);
  if (!parsed.success) throw upstreamFailed("its answer does not have the shape that was asked for", parsed.error);
  return parsed.data.data;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

const MAX_DETAIL_LENGTH = 500;

/** The detail may be what the server said: it is cut. */
export const upstreamFailed = (detail: string, cause?: unknown, Kind = Problem): Problem =>
  new Kind("upstream", `the GraphQL server: ${detail.slice(0, MAX_DETAIL_LENGTH)}`, { cause });

const RETRY_AFTER_MS = 1_000;

export const noRoom = (cause?: unknown) =>
  unavailable("the answers of GraphQL servers take too much memory at once", RETRY_AFTER_MS, cause);
