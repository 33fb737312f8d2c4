// Queries a GraphQL server for tracks with their detections of given time ranges. Many tracks share one operation.
import type { z } from "zod";
import { inOrder, type Spot, spotsWithin } from "../../../projections/snapshot/spot.ts";
import { EARLIEST_MS, LATEST_MS } from "../../../schemas/date-time.ts";
import { isoTime } from "../../../schemas/identity.ts";
import { Problem } from "../http/problem.ts";
import { createPageSize, type PageSize } from "../upstream/page-size.ts";
import { closestAnswer, detectionsAnswer, factsOf, tracksAnswer } from "./answers.ts";
import { haveTwins, seenLastFilter } from "./ask-twins.ts";
import { CLOSEST, DETECTIONS, TRACKS } from "./documents.ts";
import { nodesOf, type PageBudget, walkPages } from "./pages.ts";
import type { DetectionRange, RecordedTrack, TrackFacts } from "./recorded-track.ts";

export interface AskTracks {
  /** Resolves with the `data` of the answer; rejects with a Problem. */
  ask<Data>(query: string, variables: object, data: z.ZodType<Data>): Promise<Data>;
  /** True when the query must include the zones of the server. */
  readonly zones: boolean;
  readonly now: () => number;
}

const TRACKS_PER_OPERATION = 20;
/** Chunks of tracks that are requested at the same time. */
const AT_A_TIME = 4;
const PAGE = 1_000;
/**
 * The maximum number of detections of one request: about a hundred tracks with ten frames per second and the usual
 * window.
 */
export const MAX_DETECTIONS = 50_000;

/** A track that the server does not know is left out. */
export async function askTracks(wanted: readonly DetectionRange[], asking: AskTracks): Promise<RecordedTrack[]> {
  const found: RecordedTrack[] = [];
  const budget = { left: MAX_DETECTIONS };
  const pages = createPageSize(PAGE);
  // Sorting puts tracks with similar windows into one operation: each track of an operation is answered with the
  // detections of all its windows.
  const inTime = [...wanted].sort((a, b) => a.from - b.from);
  const chunks = chunksOf(inTime, TRACKS_PER_OPERATION);
  const askInTurn = async () => {
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
      const { most } = pages;
      // A page takes one track more than it has ids, so that an id used by several data sources shows up twice.
      const largest = Math.max(1, most - 1);
      if (chunk.length > largest) {
        chunks.push(...chunksOf(chunk, largest));
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
    // After a failure the other chunks are not needed.
    chunks.length = 0;
  }
  return found;
}

/**
 * Resolves with the track and its nearest detections on both sides of an instant.
 * @returns undefined when the server does not know the track.
 */
export async function askClosest(trackId: string, at: number, asking: AskTracks): Promise<RecordedTrack | undefined> {
  const variables = {
    until: { time: between(EARLIEST_MS, at) },
    since: { time: between(at, LATEST_MS) },
    zones: asking.zones,
  };
  const askFor = async (filter: object) => {
    const { tracks } = await asking.ask(CLOSEST, { ...variables, filter }, closestAnswer);
    return nodesOf(tracks).filter(({ id }) => id === trackId);
  };
  const pages = createPageSize(PAGE);
  const found = await askFor({ id: { eq: trackId } });
  const [track] = haveTwins(found) ? await askFor(await seenLastFilter([trackId], { ...asking, pages })) : found;
  if (track === undefined) return undefined;
  const { before, after, ...facts } = track;
  const [last] = before;
  const [next] = after;
  const askedAt = asking.now();
  const covered = [{ from: last?.at ?? EARLIEST_MS, to: next?.at ?? LATEST_MS, askedAt }];
  return { ...factsOf(facts), askedAt, covered, spots: inOrder([...before, ...after]) };
}

interface Asking extends AskTracks {
  readonly budget: PageBudget;
  readonly pages: PageSize;
}

async function askChunk(wanted: readonly DetectionRange[], asking: Asking): Promise<RecordedTrack[]> {
  const { most } = asking.pages;
  const byId = new Map(wanted.map((each) => [each.trackId, each]));
  const ids = [...byId.keys()];
  const first = Math.min(byId.size + 1, most);
  const variables = { first, zones: asking.zones, windows: windowsOf(wanted), most };
  const askFor = async (filter: object) =>
    nodesOf((await asking.ask(TRACKS, { ...variables, filter }, tracksAnswer)).tracks);
  // A page of one track never shows an id twice, so the track is determined first.
  const byIds = most === 1 ? undefined : await askFor({ id: { in: ids } });
  const nodes = byIds === undefined || haveTwins(byIds) ? await askFor(await seenLastFilter(ids, asking)) : byIds;
  const askedAt = asking.now();
  const found: RecordedTrack[] = [];
  for (const { detections, ...node } of nodes) {
    const stretch = byId.get(node.id);
    if (stretch === undefined) continue;
    const facts = { ...factsOf(node), askedAt };
    take(asking.budget, detections.length);
    // A full page may be cut: the last detections may be missing.
    const all = detections.length < most ? detections : await askPages(stretch, facts, asking);
    const { from, to } = stretch;
    found.push({ ...facts, covered: [{ from, to, askedAt }], spots: spotsWithin(inOrder(all), from, to) });
  }
  return found;
}

/** Returns one filter for all tracks of an operation. Each track is answered with the detections of all windows. */
function windowsOf(wanted: readonly DetectionRange[]): object {
  const from = Math.min(...wanted.map((each) => each.from));
  const to = Math.max(...wanted.map((each) => each.to));
  const distinct = new Map(wanted.map((each) => [`${each.from} ${each.to}`, { time: between(each.from, each.to) }]));
  return { time: between(from, to), ...(distinct.size === 1 ? {} : { or: [...distinct.values()] }) };
}

async function askPages(wanted: DetectionRange, facts: TrackFacts, { ask, budget, pages }: Asking): Promise<Spot[]> {
  // With a known camera the server need not search through all cameras.
  const camera = facts.dataSourceId === null ? {} : { dataSourceId: { eq: facts.dataSourceId } };
  const filter = { ...camera, trackId: { eq: wanted.trackId }, time: between(wanted.from, wanted.to) };
  const pageBehind = (after: string | null) =>
    pages.ask(async (first) => (await ask(DETECTIONS, { filter, first, after }, detectionsAnswer)).detections);
  const spots: Spot[] = [];
  for await (const page of walkPages(pageBehind)) {
    take(budget, page.length);
    spots.push(...page);
  }
  return spots;
}

function take(budget: PageBudget, detections: number): void {
  budget.left -= detections;
  if (budget.left < 0) throw tooMany();
}

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
