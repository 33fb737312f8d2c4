// Counts the positions of all remembered tracks together. Beyond the limit, the positions of the tracks that moved
// least recently are dropped.
import type { GeoPosition } from "../../schemas/events.ts";
import { addPosition, pairCount, type SeenPositions } from "../filters/seen-positions.ts";

export interface PositionBudget {
  see(key: string, seen: SeenPositions, position: GeoPosition): void;
  /** Counts the positions before and after the change. The track counts as the one that moved last. */
  grow(key: string, seen: SeenPositions, change: () => void): void;
  /** Stops counting the positions of the track. */
  drop(key: string): void;
}

/** `onDrop` is called with the key of a track whose positions the caller must then drop. */
export function createPositionBudget(maxPositions: number, onDrop: (key: string) => void): PositionBudget {
  // A Map keeps the order of insertion, so its first track is the one that moved least recently.
  const moved = new Map<string, SeenPositions>();
  let positions = 0;

  function drop(key: string): void {
    const seen = moved.get(key);
    if (seen === undefined) return;
    moved.delete(key);
    positions -= pairCount(seen);
    onDrop(key);
  }

  function grow(key: string, seen: SeenPositions, change: () => void): void {
    const before = pairCount(seen);
    change();
    positions += pairCount(seen) - before;
    moved.delete(key);
    moved.set(key, seen);
    while (positions > maxPositions && moved.size > 1) {
      const [stillest] = moved.keys();
      if (stillest !== undefined) drop(stillest);
    }
  }

  return {
    grow,
    drop,
    see: (key, seen, { longitude, latitude }) => grow(key, seen, () => addPosition(seen, longitude, latitude)),
  };
}
