// A GraphQL server of somebody else, as far as a chronicle query needs one: it reads the variables, not the document.
import { type Answering, type AskedOf, type GraphQLStandIn, startGraphQLServer } from "./graphql-server.ts";

export type RawChronicle = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Variables {
  readonly filter: Readonly<Record<string, { readonly between: readonly [string, string] }>>;
  readonly first: number;
  readonly after: string | null;
}

export type Asked = AskedOf<Variables>;
export type ChronicleServer = GraphQLStandIn<Variables>;

/** Closed when the test ends. */
export const startChronicleServer = startGraphQLServer<Variables>;

/** Answers with the chronicles in the period asked for, both ends included, at most `pageSize` on a page. */
export function pagesOf(chronicles: readonly RawChronicle[], pageSize = 7): Answering<Variables> {
  return ({ variables: { filter, after } }) => {
    const [field = "", { between } = { between: ["", ""] as const }] = Object.entries(filter)[0] ?? [];
    const [from, to] = between.map((time) => Date.parse(time));
    const at = (chronicle: RawChronicle) => Date.parse(String(chronicle[field]));
    const found = chronicles
      .filter((each) => at(each) >= (from ?? 0) && at(each) <= (to ?? 0))
      .sort((a, b) => at(a) - at(b));
    const begin = after === null ? 0 : Number(after);
    const end = begin + pageSize;
    return pageAnswer(field, found.slice(begin, end), end < found.length ? String(end) : null);
  };
}

/** `cursor`: of the next page; null on the last one. */
export const pageAnswer = (field: string, nodes: readonly RawChronicle[], cursor: string | null) => ({
  data: {
    [field === "timestamp" ? "eventChronicles" : "activityChronicles"]: {
      pageInfo: { hasNextPage: cursor !== null, endCursor: cursor },
      edges: nodes.map((node) => ({ node })),
    },
  },
});
