// A GraphQL server with tracks, as far as snapshots ask for them: it reads the variables, not the document.
import { type Answering, type AskedOf, startGraphQLServer } from "./graphql-server.ts";

export interface RawDetection {
  readonly timestamp: string;
  readonly polygon: unknown;
  readonly position: unknown;
  readonly createdAt: string | null;
}

export interface RawTrack {
  readonly id: string;
  readonly tag: string;
  readonly endTime: string | null;
  readonly dataSource: unknown;
  readonly zoneIntersections: readonly unknown[] | null;
  readonly detections: readonly RawDetection[];
}

interface Period {
  readonly between: readonly [string, string];
}

export interface TrackVariables {
  readonly filter: {
    readonly id?: { readonly in?: readonly string[]; readonly eq?: string };
    readonly or?: readonly { readonly trackId: { readonly eq: string }; readonly time: Period }[];
  };
  readonly first: number;
  readonly after?: string | null;
  readonly until?: { readonly time: Period };
  readonly since?: { readonly time: Period };
}

export const startTrackServer = startGraphQLServer<TrackVariables>;

export type TrackQuestion = AskedOf<TrackVariables>;

/** Answers truly, with at most `pageSize` detections on a page. */
export function withTracks(tracks: () => readonly RawTrack[], pageSize = 1_000): Answering<TrackVariables> {
  return ({ variables: { filter, after, until, since } }) => {
    const { id, or } = filter;
    const wanted = tracks().filter((track) => id?.eq === track.id || id?.in?.includes(track.id));
    if (until !== undefined && since !== undefined) {
      const nodes = wanted.map((track) => ({
        ...track,
        before: during(track, until.time).slice(-1),
        after: during(track, since.time).slice(0, 1),
      }));
      return { data: { tracks: { edges: edgesOf(nodes) } } };
    }
    if (or === undefined) return { data: { tracks: { edges: edgesOf(wanted) } } };
    const found = or.flatMap(({ trackId, time }) => {
      const ofId = tracks().filter((track) => track.id === trackId.eq);
      return ofId.flatMap((track) => during(track, time).map((seen) => ({ ...seen, track: { id: track.id } })));
    });
    const begin = Number(after ?? 0);
    const end = begin + pageSize;
    const pageInfo = { hasNextPage: end < found.length, endCursor: String(end) };
    return { data: { detections: { pageInfo, edges: edgesOf(found.slice(begin, end)) } } };
  };
}

const during = ({ detections }: RawTrack, { between: [from, to] }: Period): RawDetection[] =>
  detections.filter(({ timestamp }) => from <= timestamp && timestamp <= to);

const edgesOf = (nodes: readonly unknown[]) => nodes.map((node) => ({ node }));
