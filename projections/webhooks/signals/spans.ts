// Groups the tracks of a data source by the time at which they were last seen, as the data source's slot. Tracks that
// came to rest recently still count, because detections of others may arrive later.
import type { Source } from "../../live/state.ts";
import type { Sight } from "./sight.ts";
import type { TrackEncounters } from "./track-encounters.ts";

/**
 * Length of a span of event time. It exceeds the time for which a track's detections are kept, so `around` needs only
 * the neighbouring spans.
 */
const SPAN_MS = 4_096;
const RESTED_TRACKS = 64;
const NOBODY: ReadonlySet<TrackEncounters> = new Set();

export class SourceEncounters {
  /** The tracks by the span of their last detection. */
  readonly #spans = new Map<number, Set<TrackEncounters>>();
  /** The tracks that came to rest, in that order. */
  readonly #rested: TrackEncounters[] = [];

  /** The tracks seen about that time, in several groups. */
  around(sight: Sight): readonly ReadonlySet<TrackEncounters>[] {
    const span = spanOf(sight);
    return [span - 1, span, span + 1].map((each) => this.#spans.get(each) ?? NOBODY);
  }

  enterSpan(track: TrackEncounters): void {
    const newest = track.recent.at(-1);
    if (newest === undefined) return;
    const tracks = this.#spans.get(spanOf(newest));
    if (tracks === undefined) this.#spans.set(spanOf(newest), new Set([track]));
    else tracks.add(track);
  }

  leaveSpan(track: TrackEncounters): void {
    const newest = track.recent.at(-1);
    if (newest === undefined) return;
    const tracks = this.#spans.get(spanOf(newest));
    tracks?.delete(track);
    if (tracks?.size === 0) this.#spans.delete(spanOf(newest));
  }

  /** @returns a track whose detections no longer count, because many have come to rest after it. */
  rest(track: TrackEncounters): TrackEncounters | undefined {
    this.#rested.push(track);
    const oldest = this.#rested.length > RESTED_TRACKS ? this.#rested.shift() : undefined;
    if (oldest !== undefined) this.leaveSpan(oldest);
    return oldest;
  }

  wake(track: TrackEncounters): void {
    const at = this.#rested.indexOf(track);
    if (at >= 0) this.#rested.splice(at, 1);
  }
}

export function encountersAt(source: Source): SourceEncounters {
  if (source.slot instanceof SourceEncounters) return source.slot;
  const encounters = new SourceEncounters();
  source.slot = encounters;
  return encounters;
}

const spanOf = ({ at }: Sight): number => Math.floor(at / SPAN_MS);
