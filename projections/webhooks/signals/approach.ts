// The figures of one track about another one that came near it.
import { isoTime } from "../../../schemas/identity.ts";
import type { Interaction } from "../../live/view-types.ts";
import type { Thresholds } from "./settings.ts";
import { boxDistance, coveredShare, groundDistance, type Sight } from "./sight.ts";
import type { Proximity } from "./subscribers.ts";

/** Distances of one kind: pixels or metres. */
interface Distances {
  samples: number;
  sum: number;
  least: number;
  leastAt: number;
}

export interface Approach {
  readonly trackId: string;
  /** The other track's tag at the last sample. */
  tag: string;
  readonly firstAt: number;
  lastAt: number;
  samples: number;
  readonly pixels: Distances;
  readonly metres: Distances;
  overlaps: number;
  /** Time between successive detections that both overlapped. */
  overlapMs: number;
  mostShare: number;
  mostShareAt: number;
  /** Time of the last detection that overlapped. Null when none did. */
  overlapAt: number | null;
}

/** The approaches of a track, by the id of the other track. */
export type Approaches = Map<string, Approach>;

/** The relation of two tracks at a detection of the first one. */
export interface Sample {
  readonly at: number;
  readonly previousAt: number;
  readonly pixels: number;
  readonly metres: number;
  readonly share: number;
}

export const sampleOf = (self: Sight, other: Sight): Sample => ({
  at: self.at,
  previousAt: self.previousAt,
  pixels: boxDistance(self, other),
  metres: groundDistance(self, other),
  share: coveredShare(self, other),
});

export const isNear = ({ pixels, metres }: Sample, within: Proximity["widest"]): boolean =>
  pixels <= within.pixels || metres <= within.metres;

type Other = Pick<Approach, "trackId" | "tag">;

/**
 * Adds a sample. The samples of one pair must arrive in the order of time. `within` must be the thresholds of these
 * approaches.
 */
export function addSample(
  approaches: Approaches,
  other: Other,
  sample: Sample,
  within: Pick<Thresholds, "mostOthers">,
): void {
  const { at } = sample;
  let approach = approaches.get(other.trackId);
  if (approach === undefined) {
    if (approaches.size >= within.mostOthers) dropOldest(approaches);
    approach = begin(approaches, other, at);
  }
  approach.tag = other.tag;
  approach.lastAt = at;
  approach.samples++;
  addDistance(approach.pixels, sample.pixels, at);
  addDistance(approach.metres, sample.metres, at);
  if (sample.share > 0) addOverlap(approach, sample);
}

function begin(approaches: Approaches, { trackId, tag }: Other, at: number): Approach {
  const none = { samples: 0, sum: 0, least: 0, leastAt: 0 };
  const approach: Approach = {
    trackId,
    tag,
    firstAt: at,
    lastAt: at,
    samples: 0,
    pixels: { ...none },
    metres: { ...none },
    overlaps: 0,
    overlapMs: 0,
    mostShare: 0,
    mostShareAt: 0,
    overlapAt: null,
  };
  approaches.set(trackId, approach);
  return approach;
}

function dropOldest(approaches: Approaches): void {
  let oldest: Approach | undefined;
  for (const each of approaches.values()) {
    const order = oldest === undefined ? -1 : each.lastAt - oldest.lastAt || (each.trackId < oldest.trackId ? -1 : 1);
    if (order < 0) oldest = each;
  }
  if (oldest !== undefined) approaches.delete(oldest.trackId);
}

function addDistance(distances: Distances, distance: number, at: number): void {
  if (Number.isNaN(distance)) return;
  if (distances.samples === 0 || distance < distances.least) {
    distances.least = distance;
    distances.leastAt = at;
  }
  distances.samples++;
  distances.sum += distance;
}

function addOverlap(approach: Approach, { at, previousAt, share }: Sample): void {
  if (approach.overlapAt === previousAt) approach.overlapMs += at - previousAt;
  approach.overlapAt = at;
  approach.overlaps++;
  if (share <= approach.mostShare) return;
  approach.mostShare = share;
  approach.mostShareAt = at;
}

export function interactionOf(approach: Approach): Interaction {
  const { pixels, metres } = approach;
  return {
    track_id: approach.trackId,
    tag: approach.tag,
    first_interaction_at: isoTime(approach.firstAt),
    last_interaction_at: isoTime(approach.lastAt),
    total_duration: (approach.lastAt - approach.firstAt) / 1_000,
    proximity: {
      interaction_count: approach.samples,
      ...(pixels.samples === 0 ? undefined : { pix: inPixels(pixels) }),
      ...(metres.samples === 0 ? undefined : { geo: inMetres(metres) }),
    },
    ...(approach.overlaps === 0 ? undefined : { overlap: overlapOf(approach) }),
  };
}

const inPixels = ({ least, sum, samples, leastAt }: Distances) => ({
  min_distance: least,
  avg_distance: sum / samples,
  min_distance_at: isoTime(leastAt),
});

const inMetres = ({ least, sum, samples, leastAt }: Distances) => ({
  min_distance_m: least,
  avg_distance_m: sum / samples,
  min_distance_at: isoTime(leastAt),
});

const overlapOf = ({ overlaps, mostShare, mostShareAt, overlapMs }: Approach) => ({
  overlap_count: overlaps,
  max_overlap_percent: mostShare,
  max_overlap_at: isoTime(mostShareAt),
  total_overlap_duration: overlapMs / 1_000,
});
