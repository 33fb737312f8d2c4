// Which tracks of a data source were seen about the same time. Tracks that came to rest lately still count for others, whose
// detections may come later.
import type { Track } from "../live/state.ts";
import type { Sight } from "./sight.ts";

/** Longer than what is kept of a track. */
const SPAN_MS = 4_096;
const RESTED_TRACKS = 64;
const NOBODY = new Set<Track>();

/** Of a data source. */
export interface SourceEncounters {
  /** The tracks by the time of their last detection. */
  readonly spans: Map<number, Set<Track>>;
  /** In the order in which they came to rest. */
  readonly rested: Track[];
}

/** In several groups, with the track itself. */
export function tracksAround(track: Track, sight: Sight): readonly Set<Track>[] {
  const { spans } = encountersAt(track);
  const span = spanOf(sight);
  return [span - 1, span, span + 1].map((each) => spans.get(each) ?? NOBODY);
}

/** The track came to rest. Returns one whose detections count no more; the figures stay, because an end can be taken back. */
export function restEncounters(track: Track): Track | undefined {
  if (track.encounters === null || track.encounters.recent.length === 0) return undefined;
  const { rested } = encountersAt(track);
  rested.push(track);
  const oldest = rested.length > RESTED_TRACKS ? rested.shift() : undefined;
  if (oldest === undefined) return undefined;
  leaveSpan(oldest);
  if (oldest.encounters !== null) oldest.encounters.recent = [];
  return oldest;
}

/** The track goes on. */
export function wakeEncounters(track: Track): void {
  const rested = track.source.encounters?.rested ?? [];
  const at = track.encounters === null ? -1 : rested.indexOf(track);
  if (at >= 0) rested.splice(at, 1);
}

export function forgetEncounters(track: Track): void {
  if (track.encounters === null) return;
  wakeEncounters(track);
  leaveSpan(track);
  track.encounters = null;
}

const encountersAt = ({ source }: Track): SourceEncounters => {
  source.encounters ??= { spans: new Map(), rested: [] };
  return source.encounters;
};

const spanOf = ({ at }: Sight): number => Math.floor(at / SPAN_MS);

export function enterSpan(track: Track): void {
  const newest = track.encounters?.recent.at(-1);
  if (newest === undefined) return;
  const { spans } = encountersAt(track);
  const tracks = spans.get(spanOf(newest));
  if (tracks === undefined) spans.set(spanOf(newest), new Set([track]));
  else tracks.add(track);
}

export function leaveSpan(track: Track): void {
  const newest = track.encounters?.recent.at(-1);
  if (newest === undefined) return;
  const { spans } = encountersAt(track);
  const tracks = spans.get(spanOf(newest));
  tracks?.delete(track);
  if (tracks?.size === 0) spans.delete(spanOf(newest));
}
