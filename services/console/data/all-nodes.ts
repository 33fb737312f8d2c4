// Lists of the interface to their end.
import type { Asks } from "./asks.ts";

/** The largest page of the interface (API_MAX_FIRST by default). */
export const LARGEST_PAGE = 1_000;

interface NodesPage<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/**
 * @param document asks for one connection with its `pageInfo`, from `$after` on.
 * @param after cursor of the entry before the first one; null for all of the list.
 */
export async function allNodes<Node>(
  ask: Asks["ask"],
  document: string,
  variables: object = {},
  { signal, after: start = null }: { readonly signal?: AbortSignal | undefined; readonly after?: string | null } = {},
): Promise<readonly Node[]> {
  const nodes: Node[] = [];
  let after: string | null = start;
  do {
    const answer = await ask<Readonly<Record<string, NodesPage<Node>>>>(document, { ...variables, after }, signal);
    const [page] = Object.values(answer);
    for (const { node } of page?.edges ?? []) nodes.push(node);
    after = page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return nodes;
}
