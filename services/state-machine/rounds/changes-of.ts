// Chooses the texts that a round writes to Redis: the touched ones, if Redis can take them in one step without making
// others wait; otherwise the whole state, in portions.
import {
  clearTouched,
  countTouched,
  type PartitionState,
  takeTouched,
  textsOf,
} from "../../../projections/live/partition.ts";
import type { StoredChanges } from "../store/live-store.ts";

/** Redis takes this many tracks in about 50 ms. */
const MOST_TEXTS = 10_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** `redisLostIt` is true when Redis does not have the state and must receive all of it. */
export function changesOf(state: PartitionState, redisLostIt: boolean): StoredChanges {
  const everything = { everything: () => textsOf(state) };
  if (redisLostIt || countTouched(state) > MOST_TEXTS) {
    clearTouched(state);
    return everything;
  }
  const touched = takeTouched(state);
  let characters = 0;
  for (const texts of Object.values(touched)) {
    for (const [, json] of texts) characters += json?.length ?? 0;
  }
  return characters > MOST_CHARACTERS ? everything : { touched };
}
