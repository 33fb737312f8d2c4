// Asks a GraphQL server for tracks with their detections of given stretches of time. Many tracks share one operation.
import type { z } from "zod";
import { inOrder, type Spot } from "../../../projections/snapshot/spot.ts";
import { EARLIEST_MS, LATEST_MS } from "../../../schemas/date-time.ts";
import { isoTime } from "../../../schemas/identity.ts";
import { Problem } from "../http/problem.ts";
import { closestAnswer, detectionsAnswer, factsOf, tracksAnswer } from "./answers.ts";
import { CLOSEST, DETECTIONS, TRACKS } from "./documents.ts";
import type { RecordedTrack, TrackFacts, Wanted } from "./recorded-track.ts";

export interface AskTracks {
  /** Resolves with the `data` of the answer; rejects with a Problem. */
  ask<Data>(query: string, variables: object, data: z.ZodType<Data>): Promise<Data>;
  /** Whether the server has to be asked for its zones, too. */
  readonly zones: boolean;
  readonly now: () => number;
}

const TRACKS_PER_OPERATION = 20;
/** Chunks of tracks that are asked for at a time. */
const AT_A_TIME = 4;
const PAGE = 1_000;
/** Of one request: about a hundred tracks with ten frames per second and the usual window. */
export const MAX_DETECTIONS = 50_000;

/** A track that the server does not know is left out. */
export async function askTracks(wanted: readonly Wanted[], asking: AskTracks): Promise<RecordedTrack[]> {
  const found: RecordedTrack[] = [];
  const budget = { left: MAX_DETECTIONS };
  const chunks = chunksOf(wanted, TRACKS_PER_OPERATION);
  const askInTurn = async () => {
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
      found.push(...(await askChunk(chunk, asking, budget)));
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, askInTurn));
  } finally {
    // The answer is a refusal already: the others need not go on.
    chunks.length = 0;
  }
  return found;
}

/** The detections on both sides of an instant; undefined: the server does not know the track. */
export async function askClosest(trackId: string, at: number, asking: AskTracks): Promise<RecordedTrack | undefined> {
  const variables = {
    filter: { id: { eq: trackId } },
    until: { time: between(EARLIEST_MS, at) },
    since: { time: between(at, LATEST_MS) },
    zones: asking.zones,
  };
  const { tracks } = await asking.ask(CLOSEST, variables, closestAnswer);
  const [track] = nodesOf(tracks).filter(({ id }) => id === trackId);
  if (track === undefined) return undefined;
  const { before, after, ...facts } = track;
  const [last] = before;
  const [next] = after;
  const askedAt = asking.now();
  const covered = [{ from: last?.at ?? EARLIEST_MS, to: next?.at ?? LATEST_MS, askedAt }];
  return { ...factsOf(facts), askedAt, covered, spots: inOrder([...before, ...after]) };
}

interface Budget {
  left: number;
}

async function askChunk(wanted: readonly Wanted[], asking: AskTracks, budget: Budget): Promise<RecordedTrack[]> {
  const facts = await askFacts(wanted, asking);
  const known = wanted.filter(({ trackId }) => facts.has(trackId));
  const spots = await askSpots(known, facts, asking, budget);
  return known.flatMap(({ trackId, from, to }) => {
    const track = facts.get(trackId);
    if (track === undefined) return [];
    const covered = [{ from, to, askedAt: track.askedAt }];
    return [{ ...track, covered, spots: inOrder(spots.get(trackId) ?? []) }];
  });
}

async function askFacts(wanted: readonly Wanted[], { ask, zones, now }: AskTracks): Promise<Map<string, TrackFacts>> {
  const ids = wanted.map(({ trackId }) => trackId);
  const { tracks } = await ask(TRACKS, { filter: { id: { in: ids } }, first: ids.length, zones }, tracksAnswer);
  const askedAt = now();
  return new Map(nodesOf(tracks).map((track) => [track.id, { ...factsOf(track), askedAt }]));
}

async function askSpots(
  wanted: readonly Wanted[],
  facts: ReadonlyMap<string, TrackFacts>,
  { ask }: AskTracks,
  budget: Budget,
): Promise<Map<string, Spot[]>> {
  const stretches = new Map(wanted.map((each) => [each.trackId, each]));
  const spots = new Map<string, Spot[]>(wanted.map(({ trackId }) => [trackId, []]));
  if (wanted.length === 0) return spots;
  const filter = filterOf(wanted, facts);
  for (let after: string | null = null; ; ) {
    const variables: object = { filter, first: PAGE, after };
    const { detections } = await ask(DETECTIONS, variables, detectionsAnswer);
    const page = nodesOf(detections);
    budget.left -= page.length;
    if (budget.left < 0) throw tooMany();
    for (const { trackId, spot } of page) {
      const stretch = stretches.get(trackId);
      if (stretch === undefined || spot.at < stretch.from || spot.at > stretch.to) continue;
      spots.get(trackId)?.push(spot);
    }
    const { hasNextPage, endCursor } = detections.pageInfo;
    if (!hasNextPage) return spots;
    // A page that brings nothing would never end.
    if (page.length === 0 || endCursor === null || endCursor === after)
      throw new Problem("upstream", "the GraphQL server: its pages do not go on");
    after = endCursor;
  }
}

/** The camera, if it is known, saves the server a search through all of them. */
function filterOf(wanted: readonly Wanted[], facts: ReadonlyMap<string, TrackFacts>): object {
  const from = Math.min(...wanted.map((each) => each.from));
  const to = Math.max(...wanted.map((each) => each.to));
  const or = wanted.map((each) => {
    const dataSourceId = facts.get(each.trackId)?.dataSourceId ?? null;
    const camera = dataSourceId === null ? {} : { dataSourceId: { eq: dataSourceId } };
    return { ...camera, trackId: { eq: each.trackId }, time: between(each.from, each.to) };
  });
  return { time: between(from, to), or };
}

const nodesOf = <Node>({ edges }: { readonly edges: readonly ({ readonly node: Node } | null)[] }): Node[] =>
  edges.flatMap((edge) => (edge === null ? [] : [edge.node]));

const between = (from: number, to: number) => ({ between: [isoTime(from), isoTime(to)] });

const tooMany = (): Problem =>
  new Problem(
    "validation",
    `the windows have more than ${MAX_DETECTIONS} detections: ask for fewer tracks or less time`,
  );

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}
