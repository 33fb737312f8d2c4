// Reads the pages of a GraphQL connection, one after the other, within a budget for the request.
import { Problem } from "../http/problem.ts";

interface Connection<Node> {
  readonly edges: readonly ({ readonly node: Node } | null)[];
}

interface Paged<Node> extends Connection<Node> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Objects that the request may still receive. */
export interface PageBudget {
  left: number;
}

export const nodesOf = <Node>({ edges }: Connection<Node>): Node[] =>
  edges.flatMap((edge) => (edge === null ? [] : [edge.node]));

export async function* walkPages<Node>(
  pageBehind: (after: string | null) => Promise<Paged<Node>>,
): AsyncGenerator<readonly Node[], void> {
  for (let after: string | null = null; ; ) {
    const page: Paged<Node> = await pageBehind(after);
    const nodes = nodesOf(page);
    yield nodes;
    const { hasNextPage, endCursor } = page.pageInfo;
    if (!hasNextPage) return;
    // Pages without progress would never end.
    if (nodes.length === 0 || endCursor === null || endCursor === after)
      throw new Problem("upstream", "the GraphQL server: its pages do not go on");
    after = endCursor;
  }
}
