// Asks the history where tracks were before this instance read the log for them, when a subscriber's filter needs it.
import type { FeedMessage, TrackMessage } from "../../../projections/feed/messages.ts";
import type { SeenPositions } from "../../../projections/feed/seen-positions.ts";
import type { TrackMemory } from "../../../projections/feed/track-memory.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import type { FeedFilter } from "./match-message.ts";
import type { Entry } from "./recent.ts";
import { within } from "./within.ts";

/** A track, and the offset of its partition from which on the log has shown its positions. */
export interface PositionsAsked {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly partition: number;
  readonly since: number;
}

/** Flat pairs by track id, all of them from before `since`; resolves when the history has come that far. */
export type FindPositions = (asked: readonly PositionsAsked[]) => Promise<ReadonlyMap<string, readonly number[]>>;

export interface PositionFinder {
  /** Whether the entry has a wanted message whose track's earlier positions are not known. */
  lacks(entry: Entry, isWanted: IsWanted): boolean;
  /** Resolves also when the history does not answer; the messages are then judged by what the log has shown. */
  find(entries: readonly Entry[], isWanted: IsWanted): Promise<void>;
}

export type IsWanted = (message: FeedMessage) => boolean;

export interface PositionFinderDeps {
  readonly findPositions: FindPositions;
  readonly log: Log;
}

const TIMEOUT_MS = 2_000;
/** How long a history that did not answer is not asked again: it must not hold up the feed. */
const AWAY_MS = 5_000;
const MAX_TRACKS = 50;

export function createPositionFinder(memory: TrackMemory, { findPositions, log }: PositionFinderDeps): PositionFinder {
  let awayUntil = 0;
  let last: Promise<void> = Promise.resolve();

  function* lacking(entry: Entry, isWanted: IsWanted): Generator<TrackMessage> {
    if (awayUntil > Date.now()) return;
    for (const message of entry.messages) {
      if (message.kind === "tracks" && message.seen.seen.before === undefined && isWanted(message)) yield message;
    }
  }

  async function ask(asked: ReadonlyMap<SeenPositions, PositionsAsked>): Promise<void> {
    try {
      const found = await within(findPositions([...asked.values()]), TIMEOUT_MS);
      for (const [seen, { trackId }] of asked) memory.learnPositions(trackId, seen, found.get(trackId) ?? []);
    } catch (error) {
      awayUntil = Date.now() + AWAY_MS;
      log.warn({ err: messageOf(error), tracks: asked.size }, "feed: positions cannot be looked up");
    }
  }

  async function findAll(entries: readonly Entry[], isWanted: IsWanted): Promise<void> {
    const asked = new Map<SeenPositions, PositionsAsked>();
    for (const entry of entries) {
      for (const { track, seen } of lacking(entry, isWanted)) {
        const { trackId, dataSourceId } = track;
        const since = seen.seen.since ?? entry.offset;
        asked.set(seen.seen, { trackId, dataSourceId, partition: entry.partition, since });
      }
      if (asked.size >= MAX_TRACKS) break;
    }
    if (asked.size > 0) await ask(asked);
  }

  return {
    lacks: (entry, isWanted) => !lacking(entry, isWanted).next().done,

    // One after the other: what one look-up has found need not be asked for again.
    find(entries, isWanted) {
      last = last.then(() => findAll(entries, isWanted));
      return last;
    },
  };
}

/** Whether the filter of a subscription asks where a track has been. */
export const asksForPositions = ({ kind, filter }: FeedFilter): boolean => kind === "tracks" && asks(filter);

interface MayAsk {
  readonly position?: unknown;
  readonly and?: readonly MayAsk[] | null | undefined;
  readonly or?: readonly MayAsk[] | null | undefined;
  readonly not?: MayAsk | null | undefined;
}

function asks(filter: MayAsk | null | undefined): boolean {
  if (filter == null) return false;
  const { position, and, or, not } = filter;
  return position != null || (and ?? []).some(asks) || (or ?? []).some(asks) || asks(not);
}
