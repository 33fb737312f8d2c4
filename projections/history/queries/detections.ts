import type { DetectionsSort, FilterDetectionInput, FilterTrackDetectionInput } from "../../../schemas/filters.ts";
import type { DetectionRecord, History, Page, PageRequest, TrackRef } from "./records.ts";

export interface TrackDetectionsRequest {
  readonly tracks: readonly TrackRef[];
  readonly filter?: FilterTrackDetectionInput | null | undefined;
  /** At most this many of each track; all without it. */
  readonly first?: number | null | undefined;
  readonly sort: readonly DetectionsSort[];
}

export declare function detectionsPage(
  history: History,
  request: PageRequest<FilterDetectionInput, DetectionsSort>,
): Promise<Page<DetectionRecord>>;
export declare function detectionsCount(history: History, filter: FilterDetectionInput): Promise<number>;
/** One query for many tracks; the answer has one list per asked track, in the order asked. */
export declare function detectionsOfTracks(
  history: History,
  request: TrackDetectionsRequest,
): Promise<DetectionRecord[][]>;
