// Queries our own GraphQL API for chronicles, so that a signal shows them as clients see them.
import { z } from "zod";
import { TOKEN_ID, TOKEN_VALUE } from "../../../projections/catalog/tokens.ts";
import { CHRONICLE_FIELDS, type ShownChronicle } from "../../../projections/webhooks/signals/chronicles/signal.ts";
import type { ErrorCode } from "../../../schemas/errors.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { MIB } from "../../../schemas/units.ts";
import type { answerTimesEnv } from "../../common/config.ts";
import type { Log } from "../../common/log.ts";
import type { HttpAnswer, Outbound } from "../../common/outbound/client.ts";
import { OutboundError } from "../../common/outbound/errors.ts";

export interface Credentials {
  readonly tokenId: string;
  readonly tokenValue: string;
}

export interface AskChroniclesOptions {
  readonly outbound: Pick<Outbound, "post">;
  readonly url: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Resolves after so many ms, or when `signal` aborts. */
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

/**
 * Resolves with the chronicles by id, in the state at `position` or a later one. Chronicles that no longer exist are
 * absent. Also absent is a chronicle that the API refuses to return, or does not return in time, even when it is
 * queried alone and after all retries, while the API answers other queries. Rejects when the API does not answer.
 */
export type AskChronicles = (ids: readonly string[], position: LogPosition, credentials: Credentials) => Promise<Shown>;

type Shown = ReadonlyMap<string, ShownChronicle>;

export const CHRONICLES_QUERY = `query ($ids: [ID!]!, $first: Int!) {
  activityChronicles(first: $first, filter: { id: { in: $ids } }) { edges { node { ${CHRONICLE_FIELDS} } } }
}`;
/** Time allowed for the rest of a request, ms: queueing, parsing, and the transfer of the answer. */
const BESIDE_MS = 5_000;
const SHOWN_BYTES = 300;
const MAX_ANSWER_BYTES = 64 * MIB;
/** No chronicle has this id. A query for it is the lightest one for which the API has to query ClickHouse. */
const NOBODYS_ID = "00000000-0000-0000-0000-000000000000";
/** The API's refusal may be temporary, so the query is repeated after each of these pauses, ms. */
const ASK_AGAIN_MS = [1_000, 5_000, 15_000];

const referred = z.looseObject({ id: z.string() });
const chronicle = z.looseObject({
  id: z.string(),
  updatedAt: z.string(),
  endTime: z.string().nullable(),
  status: z.string().nullable(),
  priority: z.string().nullable(),
  labels: z.array(z.string()).nullable(),
  locations: z.array(z.string()).nullable(),
  chronicleProducer: referred,
  sites: z.array(referred).nullable(),
  dataSources: z.array(referred).nullable(),
  tags: z.array(referred).nullable(),
  pointsOfInterest: z.array(referred).nullable(),
});
const answer = z.object({
  data: z.object({ activityChronicles: z.object({ edges: z.array(z.object({ node: chronicle })) }) }),
});
const refusal = z.object({ errors: z.array(z.object({ extensions: z.object({ code: z.string() }) })).min(1) });

/**
 * Error codes after which the API may answer the same query later, or with another token. QUERY_TOO_HEAVY is not among
 * them: a smaller query may be light enough, the same one may be too heavy for ever.
 */
const PASSING: ReadonlySet<string> = new Set<ErrorCode>([
  "TOO_MANY_REQUESTS",
  "UNAVAILABLE",
  "UNAUTHENTICATED",
  "FORBIDDEN",
]);

/**
 * Returns the time-out of a query, ms. The API refuses a slow query before this time is over, so only an answer that is
 * slow to parse or to transfer exceeds it.
 */
export const answerTimeoutMs = (config: z.output<typeof answerTimesEnv>): number =>
  config.API_POSITION_WAIT_MS + config.API_QUERY_MS + BESIDE_MS;

/** The chronicles by id, or a text: the reason why the API refuses to return them, although it answers. */
type Outcome = Shown | string;

/** Reasons why the API refuses chronicles, by their ids. */
type Refused = Map<string, string>;

export function createAskChronicles(options: AskChroniclesOptions): AskChronicles {
  const { outbound, url, timeoutMs, signal, wait, log } = options;
  return async (all, position, credentials) => {
    const headers = headersOf(position, credentials);

    async function askOnce(ids: readonly string[]): Promise<Outcome> {
      const variables = { ids, first: Math.max(1, ids.length) };
      const body = JSON.stringify({ query: CHRONICLES_QUERY, variables });
      const sent = { body, headers, timeoutMs, maxResponseBytes: MAX_ANSWER_BYTES, signal };
      return await outbound.post(url, sent).then(outcomeOf, tooSlow);
    }

    /** Splits the query into smaller ones when the API refuses it or is too slow for it. */
    async function ask(ids: readonly string[], refused: Refused): Promise<Shown> {
      const outcome = await askOnce(ids);
      if (typeof outcome !== "string") return outcome;
      if (ids.length > 1) {
        const half = Math.ceil(ids.length / 2);
        return new Map([...(await ask(ids.slice(0, half), refused)), ...(await ask(ids.slice(half), refused))]);
      }
      // An API that refuses even this query has a fault of its own. The caller then retries everything, so that no
      // client misses a chronicle.
      if (typeof (await askOnce([NOBODYS_ID])) === "string") throw new Error(outcome);
      for (const id of ids) refused.set(id, outcome);
      return new Map();
    }

    let refused: Refused = new Map();
    const shown = new Map(await ask(all, refused));
    for (const ms of ASK_AGAIN_MS) {
      if (refused.size === 0) return shown;
      await wait(ms);
      const again = [...refused.keys()];
      refused = new Map();
      for (const id of again) for (const found of await ask([id], refused)) shown.set(...found);
    }
    for (const [chronicle, reason] of refused) {
      log.error({ chronicle, reason }, "the API does not show a chronicle: it is told to nobody");
    }
    return shown;
  };
}

/** Throws unless the failure is a time-out: a smaller query may take less time. */
function tooSlow(error: unknown): Outcome {
  if (error instanceof OutboundError && error.reason === "timeout") return "the API did not answer in time";
  throw error;
}

/** Throws when the API may answer the same query later. */
function outcomeOf({ status, body, cut }: HttpAnswer): Outcome {
  if (cut) return `the answer is longer than ${MAX_ANSWER_BYTES} bytes`;
  const reason = `the API did not answer with chronicles (status ${status}): ${body.toString("utf8", 0, SHOWN_BYTES)}`;
  const content = parsed(body, reason);
  const { data } = answer.safeParse(content);
  if (data !== undefined) return new Map(data.data.activityChronicles.edges.map(({ node }) => [node.id, node]));
  const codes = refusal.safeParse(content).data?.errors.map(({ extensions: { code } }) => code);
  const isRefusal = codes === undefined ? status === 200 : !codes.some((code) => PASSING.has(code));
  if (isRefusal) return reason;
  throw new Error(reason);
}

/** A proxy between this service and the API may answer with a text that is not JSON. */
function parsed(body: Buffer, reason: string): unknown {
  try {
    return JSON.parse(body.toString());
  } catch (cause) {
    throw new Error(reason, { cause });
  }
}

const headersOf = ({ topic, partition, offset }: LogPosition, { tokenId, tokenValue }: Credentials) => ({
  "content-type": "application/json",
  [TOKEN_ID]: tokenId,
  [TOKEN_VALUE]: tokenValue,
  // The API waits until the history has the message that caused the query.
  "x-min-position": `${topic}:${partition}:${offset}`,
});
