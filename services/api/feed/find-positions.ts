// Queries the history for the positions of tracks from before this instance read the log, if a subscriber's filter
// needs them.
import type { FeedMessage } from "../../../projections/feed/kind.ts";
import type { TrackMemory } from "../../../projections/feed/track-memory.ts";
import type { SeenPositions, SeenSoFar } from "../../../projections/filters/seen-positions.ts";
import { positionsOfTracks } from "../../../projections/history/queries/positions-of-tracks.ts";
import type { History } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import type { ShownTrack } from "../../../projections/track/header.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Log } from "../../common/log.ts";
import { withTimeout } from "../../common/with-timeout.ts";
import type { PositionGate } from "../read/await-position.ts";
import type { RecentMessage } from "./recent.ts";

/** A track whose earlier positions are wanted. This instance has read its partition from the offset `since` on. */
export interface PositionsRequest {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly partition: number;
  readonly since: number;
}

/**
 * Waits until the history has reached `since`. Resolves with the positions from before `since`, by the key of the
 * track: longitude and latitude alternate.
 */
export type FindPositions = (asked: readonly PositionsRequest[]) => Promise<ReadonlyMap<string, readonly number[]>>;

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
  /** @returns true when the entry has a wanted message whose track's earlier positions are unknown. */
  lacks(entry: RecentMessage, isWanted: IsWanted): boolean;
  /** Resolves even if the history does not answer; filters then use only the positions that the log has shown. */
  find(entries: readonly RecentMessage[], isWanted: IsWanted): Promise<void>;
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
/**
 * Milliseconds for which the feed does not query the history after a failure, so that an unavailable history does not
 * delay the feed.
 */
const AWAY_MS = 5_000;
const MAX_TRACKS = 50;

export function createPositionFinder(memory: TrackMemory, { findPositions, log }: PositionFinderDeps): PositionFinder {
  let awayUntil = 0;
  let last: Promise<void> = Promise.resolve();

  function* lacking(entry: RecentMessage, isWanted: IsWanted): Generator<Lacking> {
    if (awayUntil > performance.now()) return;
    for (const message of entry.messages) {
      const { track, seen } = message;
      if (track === undefined || seen === undefined) continue;
      if (seen.seen.before === undefined && isWanted(message)) yield { track, seen };
    }
  }

  async function ask(asked: ReadonlyMap<SeenPositions, PositionsRequest>): Promise<void> {
    try {
      const found = await withTimeout(findPositions([...asked.values()]), TIMEOUT_MS);
      for (const [seen, ref] of asked) memory.addPositionsBefore(ref, seen, found.get(trackKeyOf(ref)) ?? []);
    } catch (error) {
      awayUntil = performance.now() + AWAY_MS;
      log.warn({ err: messageOf(error), tracks: asked.size }, "feed: positions cannot be looked up");
    }
  }

  async function findAll(entries: readonly RecentMessage[], isWanted: IsWanted): Promise<void> {
    const asked = new Map<SeenPositions, PositionsRequest>();
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

    // Look-ups run one after the other, so that the next one need not query the positions that the last one found.
    find(entries, isWanted) {
      last = last.then(() => findAll(entries, isWanted));
      return last;
    },
  };
}
