// Interactions by brute force over a whole recording. Shares nothing with the fold but the shape of the answer.
import type { Interaction } from "../../../../../projections/live/view-types.ts";

export interface Seen {
  readonly trackId: string;
  readonly at: number;
  readonly box: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number } | null;
  readonly place: { readonly longitude: number; readonly latitude: number } | null;
}

interface Found {
  readonly at: number;
  /** The number of the track's detection. */
  readonly number: number;
  readonly pixels: number | null;
  readonly metres: number | null;
  readonly share: number;
}

export function expectedInteractions(
  recording: readonly Seen[],
  trackId: string,
  thresholds: { readonly pixels: number; readonly metres: number },
  iso: (at: number) => string,
): Interaction[] {
  const own = recording.filter((each) => each.trackId === trackId).sort((a, b) => a.at - b.at);
  const others = [...new Set(recording.map((each) => each.trackId))].filter((each) => each !== trackId);
  return others
    .map((other) => {
      const theirs = recording.filter((each) => each.trackId === other).sort((a, b) => a.at - b.at);
      const found = own.flatMap((each, number) => compare(each, number, theirs));
      return { other, near: found.filter((each) => isNear(each, thresholds)) };
    })
    .filter(({ near }) => near.length > 0)
    .sort((a, b) => (a.near[0]?.at ?? 0) - (b.near[0]?.at ?? 0) || a.other.localeCompare(b.other))
    .map(({ other, near }) => describe(other, near, own, iso));
}

function compare(self: Seen, number: number, theirs: readonly Seen[]): Found[] {
  const exact = theirs.find(({ at }) => at === self.at);
  const before = exact ?? theirs.findLast(({ at }) => at < self.at);
  const after = exact ?? theirs.find(({ at }) => at > self.at);
  if (before === undefined || after === undefined) return [];
  if (self.at - before.at > 1_000 || after.at - self.at > 1_000) return [];
  const share = after.at === before.at ? 0 : (self.at - before.at) / (after.at - before.at);
  const mid = (from: number, to: number) => from * (1 - share) + to * share;
  let pixels: number | null = null;
  let metres: number | null = null;
  let covered = 0;
  if (self.box !== null && before.box !== null && after.box !== null) {
    const left = mid(before.box.left, after.box.left);
    const right = mid(before.box.right, after.box.right);
    // All boxes have the same height.
    pixels = Math.max(0, left - self.box.right, self.box.left - right);
    const shared = Math.min(right, self.box.right) - Math.max(left, self.box.left);
    if (shared * 10 > 1e-9) covered = shared / (self.box.right - self.box.left);
  }
  if (self.place !== null && before.place !== null && after.place !== null) {
    const longitude = mid(before.place.longitude, after.place.longitude);
    metres = alongParallel(longitude - self.place.longitude, self.place.latitude);
  }
  return [{ at: self.at, number, pixels, metres, share: covered }];
}

/** The chord between two points of one parallel gives their angle on the sphere. */
function alongParallel(degrees: number, latitude: number): number {
  const radius = 6_371_008.8;
  const chord = 2 * Math.cos((latitude * Math.PI) / 180) * Math.sin((Math.abs(degrees) * Math.PI) / 360);
  return 2 * radius * Math.asin(chord / 2);
}

const isNear = ({ pixels, metres }: Found, thresholds: { readonly pixels: number; readonly metres: number }): boolean =>
  (pixels !== null && pixels <= thresholds.pixels) || (metres !== null && metres <= thresholds.metres);

function describe(trackId: string, near: readonly Found[], own: readonly Seen[], iso: (at: number) => string) {
  const first = near[0]?.at ?? 0;
  const last = near.at(-1)?.at ?? 0;
  const pixels = near.flatMap((each) => (each.pixels === null ? [] : [{ at: each.at, value: each.pixels }]));
  const metres = near.flatMap((each) => (each.metres === null ? [] : [{ at: each.at, value: each.metres }]));
  const overlaps = near.filter(({ share }) => share > 0);
  const least = (values: readonly { at: number; value: number }[]) =>
    values.reduce((best, each) => (each.value < best.value ? each : best));
  const mean = (values: readonly { value: number }[]) =>
    values.reduce((sum, { value }) => sum + value, 0) / values.length;
  const most = Math.max(...overlaps.map(({ share }) => share));
  return {
    ...{ track_id: trackId, tag: "" },
    ...{ first_interaction_at: iso(first), last_interaction_at: iso(last), total_duration: (last - first) / 1_000 },
    proximity: {
      interaction_count: near.length,
      ...(pixels.length > 0 && {
        pix: { min_distance: least(pixels).value, avg_distance: mean(pixels), min_distance_at: iso(least(pixels).at) },
      }),
      ...(metres.length > 0 && {
        geo: {
          min_distance_m: least(metres).value,
          avg_distance_m: mean(metres),
          min_distance_at: iso(least(metres).at),
        },
      }),
    },
    ...(overlaps.length > 0 && {
      overlap: {
        overlap_count: overlaps.length,
        max_overlap_percent: most,
        max_overlap_at: iso(overlaps.find(({ share }) => share === most)?.at ?? 0),
        total_overlap_duration: inSuccession(overlaps, own) / 1_000,
      },
    }),
  };
}

function inSuccession(overlaps: readonly Found[], own: readonly Seen[]): number {
  return overlaps.reduce((sum, each) => {
    const previous = own[each.number - 1];
    const isOverlap = previous !== undefined && overlaps.some(({ number }) => number === each.number - 1);
    return isOverlap ? sum + each.at - previous.at : sum;
  }, 0);
}
