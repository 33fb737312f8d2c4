// A GraphQL client over HTTP. While the API is unavailable, or asks it to wait, the client repeats the request for a
// bounded time. A refusal is final.
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { messageOf } from "../../../schemas/errors.ts";
import type { ImportToken } from "./config.ts";
import { ImportError } from "./errors.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export interface ClientOptions {
  readonly url: string;
  readonly token: ImportToken;
  readonly answerWithinMs: number;
  readonly giveUpAfterMs: number;
}

interface Request {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Log position that the answer must include. */
  readonly minPosition?: string | undefined;
}

interface Answer {
  readonly data: unknown;
  /** Log position of the last mutation in the request. */
  readonly position: string | undefined;
}

export interface ImportClient {
  /** Repeats until there is an answer; for queries, and for mutations that may be sent twice. @throws ImportError */
  request(request: Request): Promise<Answer>;
  /** Calls `attempt` again each time; it may first check the outcome of the last call. @throws ImportError */
  retry<T>(attempt: (send: (request: Request) => Promise<Answer>) => Promise<T>): Promise<T>;
}

/** Thrown for a failure that is worth another attempt; any other error of `send` is final. */
class TryAgain extends Error {
  readonly afterMs: number;
  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

export function createClient(options: ClientOptions): ImportClient {
  async function retry<T>(attempt: (send: (request: Request) => Promise<Answer>) => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + options.giveUpAfterMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await attempt((request) => send(request, options));
      } catch (error) {
        if (!(error instanceof TryAgain)) throw error;
        // Half of the pause is random, so that many clients do not return at the same moment.
        const waitMs = Math.max(error.afterMs, pauseMs * (0.5 + Math.random() / 2));
        if (performance.now() + waitMs > giveUpAt) {
          const seconds = Math.round(options.giveUpAfterMs / 1_000);
          throw new ImportError(
            `The API at ${options.url} was not available for ${seconds} s (${error.message}); run the same command again to go on, nothing is doubled.`,
          );
        }
        await delay(waitMs);
      }
    }
  }

  return { retry, request: (request) => retry((sendOnce) => sendOnce(request)) };
}

const path = z.array(z.union([z.string(), z.number()]));
const bodySchema = z.object({
  data: z.unknown(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        path: path.optional(),
        extensions: z
          .object({ code: z.string().optional(), path: path.optional(), retryAfterMs: z.number().optional() })
          .optional(),
      }),
    )
    .optional(),
  extensions: z.object({ position: z.string().optional() }).optional(),
});
type Body = z.output<typeof bodySchema>;
type GraphqlError = NonNullable<Body["errors"]>[number];

/** Codes of errors after which the same request may succeed later. */
const PASSING: ReadonlySet<string | undefined> = new Set(["TOO_MANY_REQUESTS", "UNAVAILABLE"]);

async function send({ query, variables, minPosition }: Request, options: ClientOptions): Promise<Answer> {
  const { status, body } = await post(options, JSON.stringify({ query, variables }), minPosition);
  const errors = body?.errors ?? [];
  const refusal = errors.find(({ extensions }) => !PASSING.has(extensions?.code));
  if (refusal) throw new ImportError(`The API refused: ${describe(refusal)}.`);
  if (errors[0]) {
    const afterMs = Math.max(...errors.map(({ extensions }) => extensions?.retryAfterMs ?? 0));
    throw new TryAgain(errors[0].message, afterMs);
  }
  if (status >= 500 || status === 429) throw new TryAgain(`HTTP status ${status}`, 0);
  if (status >= 400 || body?.data === undefined)
    throw new ImportError(`${options.url} answered with HTTP status ${status} and no GraphQL answer; is it the API?`);
  return { data: body.data, position: body.extensions?.position };
}

async function post(
  { url, token, answerWithinMs }: ClientOptions,
  payload: string,
  minPosition: string | undefined,
): Promise<{ status: number; body: Body | undefined }> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "x-token-id": token.id,
        "x-token-value": token.value,
        ...(minPosition === undefined ? {} : { "x-min-position": minPosition }),
      },
      body: payload,
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return { status: response.status, body: parseBody(await response.text()) };
  } catch (cause) {
    throw new TryAgain(networkReason(cause), 0);
  }
}

function parseBody(text: string): Body | undefined {
  try {
    return bodySchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function describe({ message, path, extensions }: GraphqlError): string {
  // The path in the extensions leads to the input at fault, the other path to the failed field of the answer.
  const steps = extensions?.path ?? path;
  const where = steps ? ` at ${steps.join(".")}` : "";
  return `${extensions?.code ?? "error"}${where}: ${message.replace(/\.$/, "")}`;
}

/** The error of fetch is only "fetch failed"; the reason is in its cause. */
const networkReason = (error: unknown): string =>
  error instanceof Error && error.cause ? messageOf(error.cause) : messageOf(error);
