// Asks our own GraphQL API for chronicles as its clients see them.
import { z } from "zod";
import { TOKEN_ID, TOKEN_VALUE } from "../../projections/catalog/tokens.ts";
import { CHRONICLE_FIELDS, type ShownChronicle } from "../../projections/signals/chronicle-signal.ts";
import type { ErrorCode } from "../../schemas/errors.ts";
import type { LogPosition } from "../../schemas/log-position.ts";
import type { Log } from "../common/log.ts";
import type { Answer, Outbound } from "../common/outbound/client.ts";

export interface Credentials {
  readonly tokenId: string;
  readonly tokenValue: string;
}

export interface AskChroniclesOptions {
  readonly outbound: Pick<Outbound, "post">;
  readonly url: string;
  readonly signal: AbortSignal;
  /** Resolves after so many ms, or when the signal comes. */
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

/**
 * By id, as of `position` or later; absent are those that do not exist any more, and those that the API refuses to show by
 * themselves, each time that it is asked, while it answers otherwise. Rejects when the API does not answer.
 */
export type AskChronicles = (ids: readonly string[], position: LogPosition, credentials: Credentials) => Promise<Shown>;

type Shown = ReadonlyMap<string, ShownChronicle>;

export const CHRONICLES_QUERY = `query ($ids: [ID!]!, $first: Int!) {
  activityChronicles(first: $first, filter: { id: { in: $ids } }) { edges { node { ${CHRONICLE_FIELDS} } } }
}`;
const TIMEOUT_MS = 10_000;
const SHOWN_BYTES = 300;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** What the API refuses may be a failure of the moment: after each of these pauses it is asked again. */
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

/** Another time, or with another token, the same question is answered. */
const PASSING: ReadonlySet<string> = new Set<ErrorCode>([
  "UNAVAILABLE",
  "QUERY_TOO_HEAVY",
  "UNAUTHENTICATED",
  "FORBIDDEN",
]);

/** A text says why the API does not show these chronicles, although it answers. */
type Outcome = Shown | string;

/** Why the API does not show a chronicle, by its id. */
type Refused = Map<string, string>;

export function createAskChronicles({ outbound, url, signal, wait, log }: AskChroniclesOptions): AskChronicles {
  return async (all, position, credentials) => {
    const headers = headersOf(position, credentials);

    async function askOnce(ids: readonly string[]): Promise<Outcome> {
      const variables = { ids, first: Math.max(1, ids.length) };
      const body = JSON.stringify({ query: CHRONICLES_QUERY, variables });
      const bounds = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_ANSWER_BYTES };
      return outcomeOf(await outbound.post(url, { body, headers, ...bounds, signal }));
    }

    /** In smaller questions if need be. */
    async function ask(ids: readonly string[], refused: Refused): Promise<Shown> {
      const outcome = await askOnce(ids);
      if (typeof outcome !== "string") return outcome;
      if (ids.length > 1) {
        const half = Math.ceil(ids.length / 2);
        return new Map([...(await ask(ids.slice(0, half), refused)), ...(await ask(ids.slice(half), refused))]);
      }
      // An API that refuses whatever is asked is at fault itself: nobody must miss a chronicle for that.
      if (typeof (await askOnce([])) === "string") throw new Error(outcome);
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

/** Throws when the same question may be answered later. */
function outcomeOf({ status, body, cut }: Answer): Outcome {
  if (cut) return `the answer is longer than ${MAX_ANSWER_BYTES} bytes`;
  const reason = `the API did not answer with chronicles (status ${status}): ${body.toString("utf8", 0, SHOWN_BYTES)}`;
  const said = parsed(body, reason);
  const { data } = answer.safeParse(said);
  if (data !== undefined) return new Map(data.data.activityChronicles.edges.map(({ node }) => [node.id, node]));
  const codes = refusal.safeParse(said).data?.errors.map(({ extensions: { code } }) => code);
  const isRefusal = codes === undefined ? status === 200 : !codes.some((code) => PASSING.has(code));
  if (isRefusal) return reason;
  throw new Error(reason);
}

/** A proxy may answer anything. */
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
  // Waits until the history has the message that made the question necessary.
  "x-min-position": `${topic}:${partition}:${offset}`,
});
