import type { ClickHouseClient } from "@clickhouse/client";
import type { FilterTrackInput, TracksSort } from "../../../schemas/filters.ts";
import type { History, Page, PageRequest, TrackRecord } from "./records.ts";

/** Closed; milliseconds. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The window of the root field `track`: 24 h around `timestamp`, without it the last 24 h. */
export declare function trackWindow(timestamp: number | null | undefined, now: number): Window;
/** The track if its activity (start to end or last detection) touches the window. */
export declare function trackById(
  client: ClickHouseClient,
  trackId: string,
  window?: Window,
): Promise<TrackRecord | undefined>;
/** In no particular order; unknown ids are left out. Serves loaders and the look-up of a track's data source. */
export declare function tracksByIds(client: ClickHouseClient, trackIds: readonly string[]): Promise<TrackRecord[]>;
export declare function tracksPage(
  history: History,
  request: PageRequest<FilterTrackInput, TracksSort>,
): Promise<Page<TrackRecord>>;
export declare function tracksCount(history: History, filter: FilterTrackInput): Promise<number>;
