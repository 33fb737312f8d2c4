// Decodes, checks and folds messages of the log into messages for subscribers, once for all of them.
import { LRUCache } from "lru-cache";
import type { FeedMessage, FoldDeps, Place, TopicFold } from "../../../projections/feed/kind.ts";
import { foldsOf } from "../../../projections/feed/kinds.ts";
import {
  hasHeader,
  learnTrack,
  type RememberedTrack,
  snapshot,
  type TrackMemory,
} from "../../../projections/feed/track-memory.ts";
import type { TrackRef } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import type { ShownTrack, TrackHeader } from "../../../projections/track/header.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { Topic } from "../../../schemas/topics.ts";
import type { Taken } from "../../common/kafka/group-reader.ts";
import type { Log } from "../../common/log.ts";
import type { FindChronicles } from "./find-chronicles.ts";
import { createPositionFinder, type PositionFinder, type PositionFinderDeps, within } from "./find-positions.ts";
import type { Entry } from "./recent.ts";

export interface TopicReader {
  /** Returns one entry per message, in order; the entry of an unreadable message is empty. */
  read(batch: Taken): Promise<Entry[]>;
  /** The track as the messages read so far have left it. */
  track(ref: TrackRef): ShownTrack | undefined;
  /** Of several data sources' tracks with the id, the one that the log named last. */
  trackById(id: string): ShownTrack | undefined;
  readonly positions: PositionFinder;
}

export interface ReaderDeps extends PositionFinderDeps, FoldDeps {
  readonly log: Log;
  readonly findChronicles: FindChronicles;
  /** Leaves out unknown tracks. */
  readonly findTracks: (refs: readonly TrackRef[]) => Promise<readonly TrackHeader[]>;
}

/** How long a track that was not found is not looked up again. */
const UNFOUND_MS = 5_000;
const UNFOUND_TRACKS = 10_000;
/** A store that is away must not hold up the feed: clients then see the track as far as the log has shown it. */
const FIND_TIMEOUT_MS = 2_000;

const NO_POSITIONS: PositionFinder = { lacks: () => false, find: async () => {} };

/** Each reader has a memory of its own, so each pass through the log needs its own reader. */
export function createTopicReader(topic: Topic, deps: ReaderDeps): TopicReader {
  const folds = foldsOf(topic).map((create) => create(deps));
  const readers = folds.map((fold) => createFoldReader(fold, deps));
  const memory = folds.find(({ tracks }) => tracks !== undefined)?.tracks?.memory;
  return {
    async read(batch) {
      const opened = await Promise.all(readers.map((read) => read(batch)));
      return toEntries(batch, (i, place) => opened.flatMap((fold) => fold(i, place)));
    },
    track: (ref) => shown(memory?.peek(ref)),
    trackById: (id) => shown(memory?.peekById(id)),
    positions: memory === undefined ? NO_POSITIONS : createPositionFinder(memory, deps),
  };
}

const shown = (track: RememberedTrack | undefined): ShownTrack | undefined =>
  track !== undefined && hasHeader(track) ? snapshot(track) : undefined;

type FoldAt = (index: number, place: Place) => readonly FeedMessage[];

function createFoldReader(fold: TopicFold, deps: ReaderDeps): (batch: Taken) => Promise<FoldAt> {
  const { tracks } = fold;
  const find = tracks === undefined ? undefined : createFinder(tracks.memory, deps);
  return async (batch) => {
    const { messages, partition } = batch;
    const events = messages.map((message) => fold.read(message, partition));
    await learnChronicles(fold, events, batch, deps);
    await find?.(tracks?.toFind(events.filter((event) => event !== undefined)) ?? []);
    return (i, place) => {
      const event = events[i];
      return event === undefined ? [] : fold.fold(event, place);
    };
  };
}

/** Rejects while they cannot be looked up: a message without the whole object would be none, and a client would miss it. */
async function learnChronicles(
  { chronicles }: TopicFold,
  events: readonly (object | undefined)[],
  { partition, messages }: Taken,
  { findChronicles }: ReaderDeps,
): Promise<void> {
  const wanted = chronicles?.toFind(events) ?? [];
  if (chronicles === undefined || wanted.length === 0) return;
  const last = Number(messages[wanted.reduce((newest, { at }) => Math.max(newest, at), 0)]?.offset);
  const before = last > 0 ? [{ topic: "chronicles", partition, offset: last - 1 } as const] : [];
  const found = await findChronicles(wanted, before);
  for (const ref of wanted) chronicles.learn(ref, found(ref));
}

function toEntries({ partition, messages }: Taken, fold: FoldAt): Entry[] {
  return messages.map((message, i) => {
    const offset = Number(message.offset);
    const told = fold(i, { offset, recordedAt: Number(message.timestamp) });
    return { partition, offset, bytes: message.value?.length ?? 0, messages: told };
  });
}

/** Looks up the tracks that the memory needs before the events can be folded. */
function createFinder(memory: TrackMemory, { findTracks, log }: ReaderDeps) {
  const unfound = new LRUCache<string, true>({ max: UNFOUND_TRACKS, ttl: UNFOUND_MS });
  return async (wanted: readonly TrackRef[]): Promise<void> => {
    const refs = wanted.filter((ref) => !unfound.has(trackKeyOf(ref)));
    if (refs.length === 0) return;
    let found: readonly TrackHeader[] = [];
    try {
      found = await within(findTracks(refs), FIND_TIMEOUT_MS);
    } catch (error) {
      log.warn({ err: messageOf(error), tracks: refs.length }, "feed: tracks cannot be looked up");
    }
    for (const track of found) learnTrack(memory, track);
    const keys = new Set(found.map(trackKeyOf));
    for (const ref of refs) if (!keys.has(trackKeyOf(ref))) unfound.set(trackKeyOf(ref), true);
  };
}
