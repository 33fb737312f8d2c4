// Tells from two looks at the live state of a track whether the track expired in between.
import type { StoredTrack } from "../live/stored.ts";

/** Where a track is in its life. */
export interface TrackMark {
  readonly partition: number;
  /** Position in the log at which the track last began to rest: every end of a track gives it another one. */
  readonly rest: string;
  /** First detection of the present stretch, NaN before the first. */
  readonly firstSeen: number;
  readonly isLive: boolean;
}

export const markOf = (partition: number, track: StoredTrack): TrackMark => ({
  partition,
  rest: `${track.restOffset}.${track.restIndex}`,
  firstSeen: track.firstSeen,
  isLive: track.phase === "live",
});

export const writeMark = ({ partition, rest, firstSeen, isLive }: TrackMark): string =>
  [partition, rest, firstSeen, isLive ? "live" : "resting"].join(":");

export function readMark(text: string): TrackMark {
  const [partition, rest = "", firstSeen, phase] = text.split(":");
  return { partition: Number(partition), rest, firstSeen: Number(firstSeen), isLive: phase === "live" };
}

/** A gap in event time opens a new stretch of a live track without a rest between. */
export const expiredSince = (before: TrackMark, now: TrackMark): boolean =>
  before.rest !== now.rest || (before.isLive && before.firstSeen !== now.firstSeen);
