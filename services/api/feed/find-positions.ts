// Asks the history where tracks were before this instance read the log for them, if a subscriber's filter needs it.
import type { FeedMessage } from "../../../projections/feed/kind.ts";
import type { SeenPositions, SeenSoFar } from "../../../projections/feed/seen-positions.ts";
import type { TrackMemory } from "../../../projections/feed/track-memory.ts";
import { positionsOfTracks } from "../../../projections/history/queries/positions-of-tracks.ts";
import type { History } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import type { ShownTrack } from "../../../projections/track/header.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Log } from "../../common/log.ts";
import type { PositionGate } from "../read/await-position.ts";
import type { Entry } from "./recent.ts";

/** A track, and the offset of its partition from which on the log has shown its positions. */
export interface PositionsAsked {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly partition: number;
  readonly since: number;
}

/** Returns flat pairs by the key of the track, all from before `since`; resolves when the history has come that far. */
export type FindPositions = (asked: readonly PositionsAsked[]) => Promise<ReadonlyMap<string, readonly number[]>>;

/** Waits for the history to reach `since`, like a query with a position. */
export function createFindPositions(gate: PositionGate, { client }: History): FindPositions {
  return async (asked) => {
    const before = asked.flatMap(({ partition, since }): LogPosition[] =>
      since > 0 ? [{ topic: "camera-log", partition, offset: since - 1 }] : [],
    );
    await gate.history(before);
    return positionsOfTracks(client, asked);
  };
}

export interface PositionFinder {
  /** Whether the entry has a wanted message whose track's earlier positions are not known. */
  lacks(entry: Entry, isWanted: IsWanted): boolean;
  /** Resolves also when the history does not answer; filters then judge the messages by what the log has shown. */
  find(entries: readonly Entry[], isWanted: IsWanted): Promise<void>;
}

interface Lacking {
  readonly track: ShownTrack;
  readonly seen: SeenSoFar;
}

export type IsWanted = (message: FeedMessage) => boolean;

export interface PositionFinderDeps {
  readonly findPositions: FindPositions;
  readonly log: Log;
}

const TIMEOUT_MS = 2_000;
/** How long the feed does not ask a history that did not answer: it must not hold up the feed. */
const AWAY_MS = 5_000;
const MAX_TRACKS = 50;

export function createPositionFinder(memory: TrackMemory, { findPositions, log }: PositionFinderDeps): PositionFinder {
  let awayUntil = 0;
  let last: Promise<void> = Promise.resolve();

  function* lacking(entry: Entry, isWanted: IsWanted): Generator<Lacking> {
    if (awayUntil > performance.now()) return;
    for (const message of entry.messages) {
      const { track, seen } = message;
      if (track === undefined || seen === undefined) continue;
      if (seen.seen.before === undefined && isWanted(message)) yield { track, seen };
    }
  }

  async function ask(asked: ReadonlyMap<SeenPositions, PositionsAsked>): Promise<void> {
    try {
      const found = await within(findPositions([...asked.values()]), TIMEOUT_MS);
      for (const [seen, ref] of asked) memory.learnPositions(ref, seen, found.get(trackKeyOf(ref)) ?? []);
    } catch (error) {
      awayUntil = performance.now() + AWAY_MS;
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

    // Look-ups run one after the other: the next need not ask for what the last one found.
    find(entries, isWanted) {
      last = last.then(() => findAll(entries, isWanted));
      return last;
    },
  };
}

/** Rejects when the work takes longer; does not stop the work. */
export async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("timed out")), timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
