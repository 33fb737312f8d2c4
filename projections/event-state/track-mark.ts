// Finds out, from a track's live state at two checks, whether the track expired in between.
import type { StoredTrack } from "../live/stored.ts";

/** The stage of a track in its life at the time of a check. */
export interface TrackMark {
  readonly partition: number;
  /** Offset up to which the log was folded at the time of the check. */
  readonly next: number;
  /** Position in the log at which the track last began to rest: every end of a track gives it another one. */
  readonly rest: string;
  /** Time of the first detection of the present stretch; NaN before the first detection. */
  readonly firstSeen: number;
  readonly isLive: boolean;
  /** Undefined in marks of earlier versions. */
  readonly dataSourceId: string | undefined;
}

type Stored = Pick<StoredTrack, "dataSourceId" | "restOffset" | "restIndex" | "firstSeen" | "phase">;

export const markOf = (partition: number, next: number, track: Stored): TrackMark => ({
  partition,
  next,
  rest: `${track.restOffset}.${track.restIndex}`,
  firstSeen: track.firstSeen,
  isLive: track.phase === "live",
  dataSourceId: track.dataSourceId,
});

export const writeMark = ({ partition, next, rest, firstSeen, isLive, dataSourceId = "" }: TrackMark): string =>
  [partition, next, rest, firstSeen, isLive ? "live" : "resting", dataSourceId].join(":");

export function readMark(text: string): TrackMark {
  const [partition, next, rest = "", firstSeen, phase, ...dataSource] = text.split(":");
  return {
    partition: Number(partition),
    next: Number(next),
    rest,
    firstSeen: Number(firstSeen),
    isLive: phase === "live",
    dataSourceId: dataSource.join(":") || undefined,
  };
}

/** A gap in event time begins a new stretch of a live track without a rest in between. */
export const expiredSince = (before: TrackMark, now: TrackMark): boolean =>
  before.rest !== now.rest || (before.isLive && before.firstSeen !== now.firstSeen);

/** @returns true when the track was resting and is live now. */
export const hasWoken = (before: TrackMark, now: TrackMark): boolean => !before.isLive && now.isLive;
