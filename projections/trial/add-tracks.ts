// Adds the detections of a piece to a trial in steps that do not hold the event loop, however many a track has.
import type { TrialDetections, TrialTrack } from "../history/queries/trial.ts";
import type { Steps } from "../live/pace.ts";
import type { ZoneTrial } from "./zone-trial.ts";

/**
 * With a reorder window, a detection may be folded before those of an earlier part, so a track is then added as a
 * whole.
 */
export function* addTracks(
  trial: Pick<ZoneTrial, "add">,
  tracks: Iterable<Pick<TrialTrack, "trackId" | "parts">>,
  reorderMs: number,
): Steps {
  for (const { trackId, parts } of tracks) {
    for (const found of reorderMs === 0 ? parts() : [yield* joined(trackId, parts())]) {
      yield* trial.add(found);
      yield;
    }
  }
}

function* joined(trackId: string, parts: Iterable<TrialDetections>): Generator<void, TrialDetections> {
  const times: number[] = [];
  const offsets: number[] = [];
  const kinds: number[] = [];
  const rings: TrialDetections["rings"][number][] = [];
  for (const part of parts) {
    times.push(...part.times);
    offsets.push(...part.offsets);
    kinds.push(...part.kinds);
    rings.push(...part.rings);
    yield;
  }
  return { trackId, times, offsets, kinds, rings };
}
