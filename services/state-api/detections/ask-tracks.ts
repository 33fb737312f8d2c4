// Asks a GraphQL server for tracks with their detections of given stretches of time. Many tracks share one operation.
import type { z } from "zod";
import { inOrder, type Spot, within } from "../../../projections/snapshot/spot.ts";
import { EARLIEST_MS, LATEST_MS } from "../../../schemas/date-time.ts";
import { isoTime } from "../../../schemas/identity.ts";
import { Problem } from "../http/problem.ts";
import { createPageSize, type PageSize } from "../upstream/page-size.ts";
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
  const pages = createPageSize(PAGE);
  // Neighbours in time share their windows.
  const inTime = [...wanted].sort((a, b) => a.from - b.from);
  const chunks = chunksOf(inTime, TRACKS_PER_OPERATION);
  const askInTurn = async () => {
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
      const { most } = pages;
      if (chunk.length > most) {
        chunks.push(...chunksOf(chunk, most));
        continue;
      }
      try {
        found.push(...(await askChunk(chunk, { ...asking, budget, pages })));
      } catch (error) {
        if (!pages.shrink(error, most)) throw error;
        chunks.push(chunk);
      }
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

interface Asking extends AskTracks {
  readonly budget: Budget;
  readonly pages: PageSize;
}

async function askChunk(wanted: readonly Wanted[], asking: Asking): Promise<RecordedTrack[]> {
  const { most } = asking.pages;
  const byId = new Map(wanted.map((each) => [each.trackId, each]));
  const variables = {
    filter: { id: { in: [...byId.keys()] } },
    first: byId.size,
    zones: asking.zones,
    windows: windowsOf(wanted),
    most,
  };
  const { tracks } = await asking.ask(TRACKS, variables, tracksAnswer);
  const askedAt = asking.now();
  const found: RecordedTrack[] = [];
  for (const { detections, ...node } of nodesOf(tracks)) {
    const stretch = byId.get(node.id);
    if (stretch === undefined) continue;
    const facts = { ...factsOf(node), askedAt };
    take(asking.budget, detections.length);
    // As many as there may be: what is missing are perhaps the last ones.
    const all = detections.length < most ? detections : await askPages(stretch, facts, asking);
    const { from, to } = stretch;
    found.push({ ...facts, covered: [{ from, to, askedAt }], spots: within(inOrder(all), from, to) });
  }
  return found;
}

/** A track that is there in several windows comes with the detections of all of them. */
function windowsOf(wanted: readonly Wanted[]): object {
  const from = Math.min(...wanted.map((each) => each.from));
  const to = Math.max(...wanted.map((each) => each.to));
  const distinct = new Map(wanted.map((each) => [`${each.from} ${each.to}`, { time: between(each.from, each.to) }]));
  return { time: between(from, to), ...(distinct.size === 1 ? {} : { or: [...distinct.values()] }) };
}

async function askPages(wanted: Wanted, facts: TrackFacts, { ask, budget, pages }: Asking): Promise<Spot[]> {
  // The camera, if it is known, saves the server a search through all of them.
  const camera = facts.dataSourceId === null ? {} : { dataSourceId: { eq: facts.dataSourceId } };
  const filter = { ...camera, trackId: { eq: wanted.trackId }, time: between(wanted.from, wanted.to) };
  const pageBehind = (after: string | null) =>
    pages.ask((first) => ask(DETECTIONS, { filter, first, after }, detectionsAnswer));
  const spots: Spot[] = [];
  for (let after: string | null = null; ; ) {
    const { detections }: z.output<typeof detectionsAnswer> = await pageBehind(after);
    const page = nodesOf(detections);
    take(budget, page.length);
    spots.push(...page);
    const { hasNextPage, endCursor } = detections.pageInfo;
    if (!hasNextPage) return spots;
    // A page that brings nothing would never end.
    if (page.length === 0 || endCursor === null || endCursor === after)
      throw new Problem("upstream", "the GraphQL server: its pages do not go on");
    after = endCursor;
  }
}

function take(budget: Budget, detections: number): void {
  budget.left -= detections;
  if (budget.left < 0) throw tooMany();
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
