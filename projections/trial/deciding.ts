// Drops the detections of a track that decide nothing.
import { DETECTION, rowKind, rowTime, type TrialTrack } from "../history/queries/trial-rows.ts";

const NO_KIND = -1;

/**
 * Returns the rows that decide, in the order of the log, in which `rows` are. Of a run of detections that are not near
 * the zone, the first may end a stay, and the last may end it after its exit delay. Others are kept so that no gap
 * becomes longer than `longestGapMs` that was not. All detections of a track with a late one are kept.
 */
export function decidingRows(track: TrialTrack, rows: readonly number[], longestGapMs: number): readonly number[] {
  const halfMs = longestGapMs / 2;
  const kept: number[] = [];
  let [before, kindBefore] = [Number.NEGATIVE_INFINITY, NO_KIND];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const next = rows[i + 1];
    const [time, kind] = [rowTime(track, row), rowKind(track, row)];
    if (time <= before) return rows;
    const decides =
      kind >= DETECTION.NEAR ||
      kind !== kindBefore ||
      next === undefined ||
      kind !== rowKind(track, next) ||
      Math.floor(time / halfMs) !== Math.floor(before / halfMs) ||
      time - before > halfMs ||
      rowTime(track, next) - time > halfMs;
    if (decides) kept.push(row);
    [before, kindBefore] = [time, kind];
  }
  return kept;
}
