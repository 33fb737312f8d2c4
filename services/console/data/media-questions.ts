// Images and videos of a camera in a range of time.
import type { Range } from "../past/scale.ts";
import type { Asks } from "./asks.ts";

export interface ShownImage {
  readonly id: string;
  readonly at: number;
  readonly url: string;
}

/** The part of a video that lies in the range. */
export interface ShownClip {
  readonly id: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Link to the video with a fragment for the part, as players understand it. */
  readonly url: string;
  readonly thumbnailUrl: string | null;
}

export interface Media {
  readonly images: readonly ShownImage[];
  /** Images of the range, shown or not. */
  readonly imageCount: number;
  readonly clips: readonly ShownClip[];
}

const MEDIA = /* GraphQL */ `
  query Media($id: ID!, $time: FilterDateTimeOffsetInput!, $starts: FilterDateTimeOffsetInput!) {
    images(filter: { dataSourceId: { eq: $id }, timestamp: $time }, first: 12) {
      totalCount
      edges { node { id timestamp url } }
    }
    videos(
      filter: { dataSourceId: { eq: $id }, startTime: $starts }
      first: 20
      sort: [{ field: START_TIME, direction: DESC }]
    ) {
      edges { node { id startTime endTime url thumbnailUrl displayName } }
    }
  }
`;

interface VideoNode {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly url: string;
  readonly thumbnailUrl: string | null;
  readonly displayName: string | null;
}

interface MediaAnswer {
  readonly images: {
    readonly totalCount: number;
    readonly edges: readonly { readonly node: { id: string; timestamp: string; url: string } }[];
  };
  readonly videos: { readonly edges: readonly { readonly node: VideoNode }[] };
}

export async function askMedia(
  { ask }: Asks,
  { id, range, signal }: { readonly id: string; readonly range: Range; readonly signal: AbortSignal },
): Promise<Media> {
  const [from, to] = [range.from, range.to].map((ms) => new Date(ms).toISOString());
  const variables = { id, time: { between: [from, to] }, starts: { between: ["1900-01-01T00:00:00Z", to] } };
  const { images, videos } = await ask<MediaAnswer>(MEDIA, variables, signal);
  return {
    images: images.edges.map(({ node }) => ({ id: node.id, at: Date.parse(node.timestamp), url: node.url })),
    imageCount: images.totalCount,
    clips: videos.edges.flatMap(({ node }) => clipOf(node, range) ?? []),
  };
}

/** @internal @returns undefined when the video ended before the range. */
export function clipOf(
  { id, startTime, endTime, url, thumbnailUrl, displayName }: VideoNode,
  range: Range,
): ShownClip | undefined {
  const began = Date.parse(startTime);
  const from = Math.max(began, range.from);
  const to = Math.min(endTime === null ? range.to : Date.parse(endTime), range.to);
  if (to < from) return undefined;
  const fragment = `#t=${(from - began) / 1_000},${(to - began) / 1_000}`;
  return { id, name: displayName ?? "Video", from, to, url: url + fragment, thumbnailUrl };
}
