// A GraphQL server with tracks, as far as snapshots ask for them: it reads the variables, not the document.
import { type Answering, startGraphQLServer } from "./graphql-server.ts";

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
  readonly dataSource: { readonly id: string; readonly zones?: readonly unknown[] } | null;
  readonly zoneIntersections: readonly unknown[] | null;
  readonly detections: readonly RawDetection[];
}

interface Period {
  readonly between: readonly [string, string];
}

export interface TrackVariables {
  readonly filter: {
    readonly id?: { readonly in?: readonly string[]; readonly eq?: string };
    readonly or?: readonly { readonly id: { readonly eq: string }; readonly dataSourceId?: { readonly eq: string } }[];
    readonly dataSourceId?: { readonly in?: readonly string[] };
    readonly trackId?: { readonly eq: string };
    readonly time?: Period;
  };
  readonly windows?: { readonly time: Period; readonly or?: readonly { readonly time: Period }[] };
  readonly most?: number;
  readonly first: number;
  readonly after?: string | null;
  readonly until?: { readonly time: Period };
  readonly since?: { readonly time: Period };
}

export const startTrackServer = startGraphQLServer<TrackVariables>;

/** Answers truly, with at most `pageSize` detections, or tracks, on a page. */
export function withTracks(tracks: () => readonly RawTrack[], pageSize = 1_000): Answering<TrackVariables> {
  return ({ variables: { filter, first, after, until, since, windows, most } }) => {
    const { id, or, trackId, time, dataSourceId: sources } = filter;
    const isOf = ({ dataSource }: RawTrack) => sources?.in?.includes(dataSource?.id ?? "") ?? true;
    const isOneOf = (track: RawTrack) =>
      or?.some(
        (each) =>
          each.id.eq === track.id &&
          (each.dataSourceId === undefined || each.dataSourceId.eq === (track.dataSource?.id ?? "")),
      ) ?? true;
    const wanted = tracks()
      .filter((track) => id?.eq === track.id || id?.in?.includes(track.id) || trackId?.eq === track.id)
      .filter((track) => isOf(track) && isOneOf(track))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    if (until !== undefined && since !== undefined) {
      const nodes = wanted.map((track) => ({
        ...track,
        before: during(track, until.time).slice(-1),
        after: during(track, since.time).slice(0, 1),
      }));
      return { data: { tracks: { edges: edgesOf(nodes.slice(0, 2)) } } };
    }
    if (windows !== undefined) {
      const periods = (windows.or ?? [windows]).map((each) => each.time);
      const nodes = wanted.slice(0, first).map((track) => {
        const seen = track.detections.filter((each) => periods.some((period) => isIn(each, period)));
        return { ...track, detections: seen.slice(0, most) };
      });
      return { data: { tracks: { edges: edgesOf(nodes) } } };
    }
    if (trackId === undefined) {
      const sightings = wanted.map((track) => ({ ...track, last: track.detections.slice(-1) }));
      return { data: { tracks: pageOf(sightings, after, pageSize) } };
    }
    const found = wanted.flatMap((track) => (time === undefined ? [] : during(track, time)));
    return { data: { detections: pageOf(found, after, pageSize) } };
  };
}

function pageOf(nodes: readonly unknown[], after: string | null | undefined, size: number) {
  const begin = Number(after ?? 0);
  const end = begin + size;
  const pageInfo = { hasNextPage: end < nodes.length, endCursor: String(end) };
  return { pageInfo, edges: edgesOf(nodes.slice(begin, end)) };
}

const isIn = ({ timestamp }: RawDetection, { between: [from, to] }: Period): boolean =>
  from <= timestamp && timestamp <= to;

const during = ({ detections }: RawTrack, period: Period): RawDetection[] =>
  detections.filter((each) => isIn(each, period));

const edgesOf = (nodes: readonly unknown[]) => nodes.map((node) => ({ node }));
