// Asks our own GraphQL API for chronicles as its clients see them.
import { z } from "zod";
import { TOKEN_ID, TOKEN_VALUE } from "../../projections/catalog/tokens.ts";
import { CHRONICLE_FIELDS, type ShownChronicle } from "../../projections/signals/chronicle-signal.ts";
import type { LogPosition } from "../../schemas/log-position.ts";
import type { Outbound } from "../common/outbound/client.ts";

export interface Credentials {
  readonly tokenId: string;
  readonly tokenValue: string;
}

export interface AskChroniclesOptions {
  readonly outbound: Pick<Outbound, "post">;
  readonly url: string;
  readonly signal: AbortSignal;
}

/** By id, as of `position` or later; one that does not exist any more is absent. Rejects when the API does not answer. */
export type AskChronicles = (
  ids: readonly string[],
  position: LogPosition,
  credentials: Credentials,
) => Promise<ReadonlyMap<string, ShownChronicle>>;

export const CHRONICLES_QUERY = `query ($ids: [ID!]!, $first: Int!) {
  activityChronicles(first: $first, filter: { id: { in: $ids } }) { edges { node { ${CHRONICLE_FIELDS} } } }
}`;
const TIMEOUT_MS = 10_000;
const SHOWN_BYTES = 300;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

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

export function createAskChronicles({ outbound, url, signal }: AskChroniclesOptions): AskChronicles {
  const ask: AskChronicles = async (ids, position, credentials) => {
    const { status, body, cut } = await outbound.post(url, {
      body: JSON.stringify({ query: CHRONICLES_QUERY, variables: { ids, first: ids.length } }),
      headers: headersOf(position, credentials),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
      signal,
    });
    if (cut) {
      // A chronicle that is too large by itself is told to nobody.
      if (ids.length === 1) return new Map();
      const half = Math.ceil(ids.length / 2);
      const first = await ask(ids.slice(0, half), position, credentials);
      return new Map([...first, ...(await ask(ids.slice(half), position, credentials))]);
    }
    const parsed = answer.safeParse(JSON.parse(body.toString()));
    if (!parsed.success) {
      throw new Error(
        `the API did not answer with chronicles (status ${status}): ${body.toString("utf8", 0, SHOWN_BYTES)}`,
      );
    }
    return new Map(parsed.data.data.activityChronicles.edges.map(({ node }) => [node.id, node]));
  };
  return ask;
}

const headersOf = ({ topic, partition, offset }: LogPosition, { tokenId, tokenValue }: Credentials) => ({
  "content-type": "application/json",
  [TOKEN_ID]: tokenId,
  [TOKEN_VALUE]: tokenValue,
  // Waits until the history has the message that made the question necessary.
  "x-min-position": `${topic}:${partition}:${offset}`,
});
