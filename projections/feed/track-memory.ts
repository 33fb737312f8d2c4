// The tracks that the feed remembers: enough to distinguish a repeated creation, detection or end from a new one, and
// to show the track when an event names only its id. The memory is bounded: it forgets the tracks whose last event is
// oldest.
import type { Detection } from "../../schemas/events.ts";
import { createSeen, type SeenPositions } from "../filters/seen-positions.ts";
import type { TrackRef } from "../history/queries/records.ts";
import { trackKeyOf } from "../history/queries/track-refs.ts";
import { headerCharacters, MEAN_CHARACTERS, type TrackHeader } from "../track/header.ts";
import { createPositionBudget } from "./position-budget.ts";
import { hasHeader, noteDetection, type RememberedTrack, rememberedFrom } from "./remembered-track.ts";
import { createTracksById, type MemorySlot } from "./tracks-by-id.ts";

export interface TrackMemory {
  get(track: TrackRef): RememberedTrack | undefined;
  /** Must also be called after the track's header has changed. */
  set(track: RememberedTrack): void;
  /** Unlike `get`, this does not count as a use of the track. */
  peek(track: TrackRef): RememberedTrack | undefined;
  /** The track with the id. When several data sources have one, it is the one seen last. */
  peekById(trackId: string): RememberedTrack | undefined;
  /**
   * Records the detection and its position.
   * @returns "late" when the memory no longer knows whether a detection this old is a repetition.
   */
  note(track: RememberedTrack, detection: Detection): "new" | "known" | "late";
  /** Stores the positions that the track had before the feed began to read the log for it. */
  addPositionsBefore(track: TrackRef, seen: SeenPositions, before: readonly number[]): void;
}

export interface TrackMemoryLimits {
  /**
   * The maximum number of tracks. Their headers together have at most `MEAN_CHARACTERS` characters for each track;
   * beyond that the memory also forgets tracks.
   */
  readonly maxTracks: number;
  /**
   * The maximum number of positions of all tracks together. Beyond it the memory drops those of the tracks that moved
   * least recently.
   */
  readonly maxPositions: number;
}

export function createTrackMemory({ maxTracks, maxPositions }: TrackMemoryLimits): TrackMemory {
  // A Map keeps the order of insertion, so its first slot is the one that was used least recently.
  const slots = new Map<string, MemorySlot>();
  const byId = createTracksById();
  let characters = 0;
  const positions = createPositionBudget(maxPositions, (key) => {
    const slot = slots.get(key);
    // Messages that were made from this track keep the old object.
    if (slot !== undefined) slot.track.seen = createSeen(undefined);
  });

  function keep(slot: MemorySlot): void {
    slots.delete(slot.key);
    slots.set(slot.key, slot);
  }

  function forget(slot: MemorySlot): void {
    positions.drop(slot.key);
    characters -= slot.characters;
    slots.delete(slot.key);
    byId.remove(slot);
  }

  return {
    peek: (ref) => slots.get(trackKeyOf(ref))?.track,
    peekById: (trackId) => byId.seenLast(trackId),
    get(ref) {
      const slot = slots.get(trackKeyOf(ref));
      if (slot !== undefined) keep(slot);
      return slot?.track;
    },
    set(track) {
      const key = trackKeyOf(track);
      const own = slots.get(key) ?? byId.add(key, track);
      own.track = track;
      keep(own);
      characters += weighAgain(own);
      for (const oldest of slots.values()) {
        if (oldest === own || (slots.size <= maxTracks && characters <= maxTracks * MEAN_CHARACTERS)) return;
        forget(oldest);
      }
    },
    note(track, detection) {
      const key = trackKeyOf(track);
      const noted = noteDetection(track, detection);
      if (noted === "new") byId.raise(slots.get(key));
      // A late detection also counts here: the history keeps it, so the track was there.
      if (noted !== "known" && detection.position !== null) positions.see(key, track.seen, detection.position);
      return noted;
    },
    addPositionsBefore(ref, seen, before) {
      const key = trackKeyOf(ref);
      const add = () => Object.assign(seen, { before });
      if (slots.get(key)?.track.seen === seen) positions.grow(key, seen, add);
      else add();
    },
  };
}

/** @returns the number of characters by which the header has grown. */
function weighAgain(slot: MemorySlot): number {
  const before = slot.characters;
  slot.characters = headerCharacters(slot.track);
  return slot.characters - before;
}

/**
 * Adds the header from a look-up to what the log has shown of the track so far. Changes nothing when the track's header
 * is known.
 */
export function rememberTrack(memory: TrackMemory, found: TrackHeader): void {
  const known = memory.peek(found);
  if (hasHeader(known)) return;
  const fresh = rememberedFrom(found);
  const { recent, firstDetectionAt, explicitEnd, expiredEnd, endSetAt, setFields, seen } = known ?? fresh;
  memory.set({
    ...fresh,
    found: found.tag !== "",
    recent,
    firstDetectionAt,
    explicitEnd,
    expiredEnd,
    endSetAt,
    setFields,
    seen,
  });
}
