// Fetches the chronicles of a span from a GraphQL server: chunk by chunk, a few at a time, page by page.

import { chunksOf, type Span } from "../../../projections/chronicles/query/chunks.ts";
import { isoTime } from "../../../schemas/identity.ts";
import { createPageSize, type PageSize } from "../upstream/page-size.ts";
import { type GraphQLServer, type Upstream, upstreamFailed } from "../upstream/upstream.ts";
import { chronicleDocuments, type DocumentPage, PAGE_SIZE } from "./documents.ts";

const AT_ONCE = 4;

export interface Fetching {
  readonly upstream: Upstream;
  readonly server: GraphQLServer;
  readonly kind: keyof typeof chronicleDocuments;
  readonly span: Span;
  /** Time by performance.now() after which nothing more is requested, and the fetch fails. */
  readonly deadline: number;
  readonly gone: AbortSignal;
  /** Receives each chronicle, some of them twice. A throw ends the fetch. */
  readonly take: (node: DocumentPage["edges"][number]["node"]) => void;
}

/** Resolves with the number of chunks. The first failure ends the other fetches. */
export async function fetchChronicles(fetching: Fetching): Promise<number> {
  const chunks = chunksOf(fetching.span);
  const left = chunks.values();
  const failed = new AbortController();
  const pages = createPageSize(PAGE_SIZE);
  const signal = AbortSignal.any([fetching.gone, failed.signal]);
  const work = async () => {
    for (const chunk of left) await fetchChunk(chunk, { ...fetching, pages, signal });
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    failed.abort();
  }
  return chunks.length;
}

interface Asking extends Fetching {
  readonly pages: PageSize;
  readonly signal: AbortSignal;
}

async function fetchChunk(chunk: Span, { upstream, server, kind, deadline, take, pages, signal }: Asking) {
  const { query, timeField, page: data } = chronicleDocuments[kind];
  // The server's `between` includes both ends: a chronicle at a border comes twice.
  const filter = { [timeField]: { between: [isoTime(chunk.from), isoTime(chunk.to)] } };
  const cursors = new Set<string>();
  const pageBehind = (after: string | null) =>
    pages.ask((first): Promise<DocumentPage> => {
      const timeoutMs = deadline - performance.now();
      if (timeoutMs <= 0) throw upstreamFailed("its answers take too long");
      return upstream.ask(server, { query, variables: { filter, first, after }, data, timeoutMs, signal });
    });
  let after: string | null = null;
  do {
    const { pageInfo, edges }: DocumentPage = await pageBehind(after);
    for (const { node } of edges) take(node);
    after = pageInfo.hasNextPage ? next(edges, pageInfo.endCursor, cursors) : null;
  } while (after !== null);
}

function next(edges: DocumentPage["edges"], cursor: string | null | undefined, cursors: Set<string>): string {
  if (edges.length === 0 || cursor == null || cursors.has(cursor)) throw upstreamFailed("its pages do not advance");
  cursors.add(cursor);
  return cursor;
}
