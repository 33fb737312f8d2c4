// Finds the segments that a session needs. ClickHouse has the times at which its part of the log was recorded, the
// broker has the offsets of these times.
import type { ReplaySelection } from "../../projections/replay/selection.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { PlanDeps } from "./plan-deps.ts";
import { planOffsets } from "./plan-offsets.ts";
import { planRange } from "./plan-range.ts";
import { planTracks } from "./plan-tracks.ts";

/**
 * Resolves with segments, sorted by their beginning. Rejects with SessionFailed when nothing is known of the selection
 * or of one of its tracks, and when neither the log nor the history has its offsets.
 */
export async function makePlan(selection: ReplaySelection, deps: PlanDeps): Promise<Segment[]> {
  const segments = await segmentsOf(selection, deps);
  return segments.sort((a, b) => a.beginAt - b.beginAt || a.partition - b.partition);
}

function segmentsOf(selection: ReplaySelection, deps: PlanDeps): Promise<Segment[]> {
  switch (selection.kind) {
    case "tracks":
      return planTracks(selection.trackIds, deps);
    case "range":
      return planRange(selection, deps);
    case "offsets":
      return planOffsets(selection.spans, deps);
    default:
      return selection satisfies never;
  }
}
