// The image of a camera that is closest to a moment.
import type { Asks } from "./asks.ts";
import type { Edges } from "./live-questions.ts";
import { FIRST_MS, LAST_MS, timeBetween } from "./past-nodes.ts";

const CLOSEST = /* GraphQL */ `
  query ClosestImage($id: ID!, $before: FilterDateTimeOffsetInput!, $after: FilterDateTimeOffsetInput!) {
    before: images(
      filter: { dataSourceId: { eq: $id }, timestamp: $before }
      first: 1
      sort: [{ field: TIMESTAMP, direction: DESC }]
    ) {
      edges { node { url timestamp } }
    }
    after: images(
      filter: { dataSourceId: { eq: $id }, timestamp: $after }
      first: 1
      sort: [{ field: TIMESTAMP, direction: ASC }]
    ) {
      edges { node { url timestamp } }
    }
  }
`;

export interface ImageNode {
  readonly url: string;
  readonly timestamp: string;
}

/** @returns undefined when the camera has no image. */
export async function askClosestImage(
  { ask }: Asks,
  { id, at, signal }: { readonly id: string; readonly at: number; readonly signal: AbortSignal },
): Promise<ImageNode | undefined> {
  const ranges = { before: timeBetween({ from: FIRST_MS, to: at }), after: timeBetween({ from: at, to: LAST_MS }) };
  const { before, after } = await ask<Readonly<Record<"before" | "after", Edges<ImageNode>>>>(
    CLOSEST,
    { id, ...ranges },
    signal,
  );
  const distance = ({ timestamp }: ImageNode) => Math.abs(Date.parse(timestamp) - at);
  const images = [...before.edges, ...after.edges].map(({ node }) => node);
  return images.toSorted((a, b) => distance(a) - distance(b))[0];
}
