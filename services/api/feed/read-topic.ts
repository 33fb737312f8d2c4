// Decodes, checks and folds messages of the log into messages for subscribers, once for all of them.
import type { FeedFoldDeps, FeedMessage, LogPlace, TopicFold } from "../../../projections/feed/kind.ts";
import { foldsOf } from "../../../projections/feed/kinds.ts";
import { hasHeader, type RememberedTrack, shownTrackOf } from "../../../projections/feed/remembered-track.ts";
import type { TrackRef } from "../../../projections/history/queries/records.ts";
import type { ShownTrack } from "../../../projections/track/header.ts";
import type { Topic } from "../../../schemas/topics.ts";
import type { TakenBatch } from "../../common/kafka/read/group-reader.ts";
import type { Log } from "../../common/log.ts";
import type { FindChronicles } from "./find-chronicles.ts";
import { createPositionFinder, type PositionFinder, type PositionFinderDeps } from "./find-positions.ts";
import { createTrackLookUp, type TrackLookUpDeps } from "./look-up-tracks.ts";
import type { RecentMessage } from "./recent.ts";

export interface TopicReader {
  /** Returns one entry per message, in order; the entry of an unreadable message is empty. */
  read(batch: TakenBatch): Promise<RecentMessage[]>;
  /** Returns the track after all messages read so far. */
  track(ref: TrackRef): ShownTrack | undefined;
  /** Returns the track seen last, among the tracks of several data sources with this id. */
  trackById(id: string): ShownTrack | undefined;
  readonly positions: PositionFinder;
}

export interface ReaderDeps extends PositionFinderDeps, TrackLookUpDeps, FeedFoldDeps {
  readonly log: Log;
  readonly findChronicles: FindChronicles;
}

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
  track !== undefined && hasHeader(track) ? shownTrackOf(track) : undefined;

type FoldAt = (index: number, place: LogPlace) => readonly FeedMessage[];

function createFoldReader(fold: TopicFold, deps: ReaderDeps): (batch: TakenBatch) => Promise<FoldAt> {
  const { tracks } = fold;
  const find = tracks === undefined ? undefined : createTrackLookUp(tracks.memory, deps);
  return async (batch) => {
    const { messages, partition } = batch;
    const events = messages.map((message) => fold.read(message, partition));
    await lookUpChronicles(fold, events, batch, deps);
    if (tracks !== undefined) await find?.(tracks.toFind(events), messages);
    return (i, place) => {
      const event = events[i];
      return event === undefined ? [] : fold.fold(event, place);
    };
  };
}

/**
 * Rejects while the chronicles cannot be looked up: without the whole object there would be no message, and a client
 * would miss it.
 */
async function lookUpChronicles(
  { chronicles }: TopicFold,
  events: readonly (object | undefined)[],
  { partition, messages }: TakenBatch,
  { findChronicles }: ReaderDeps,
): Promise<void> {
  const wanted = chronicles?.toFind(events) ?? [];
  if (chronicles === undefined || wanted.length === 0) return;
  const last = Number(messages[wanted.reduce((newest, { at }) => Math.max(newest, at), 0)]?.offset);
  const before = last > 0 ? [{ topic: "chronicles", partition, offset: last - 1 } as const] : [];
  const found = await findChronicles(wanted, before);
  for (const ref of wanted) chronicles.remember(ref, found(ref));
}

function toEntries({ partition, messages }: TakenBatch, fold: FoldAt): RecentMessage[] {
  return messages.map((message, i) => {
    const offset = Number(message.offset);
    const folded = fold(i, { offset, recordedAt: Number(message.timestamp) });
    return { partition, offset, bytes: message.value?.length ?? 0, messages: folded };
  });
}
