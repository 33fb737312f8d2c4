import type { ClickHouseClient } from "@clickhouse/client";
import type { FilterZoneIntersectionInput, ZoneIntersectionsSort } from "../../../schemas/filters.ts";
import type { History, IntersectionRecord, Page, PageRequest } from "./records.ts";

export declare function intersectionsPage(
  history: History,
  request: PageRequest<FilterZoneIntersectionInput, ZoneIntersectionsSort>,
): Promise<Page<IntersectionRecord>>;
export declare function intersectionsCount(history: History, filter: FilterZoneIntersectionInput): Promise<number>;
/** One list per asked track, in the order asked; each by start time, then id. */
export declare function intersectionsOfTracks(
  client: ClickHouseClient,
  trackIds: readonly string[],
): Promise<IntersectionRecord[][]>;
/** Ids of the zones each detection was in, sorted; in the order asked. */
export declare function zonesOfDetections(
  client: ClickHouseClient,
  detections: readonly { readonly trackId: string; readonly timestamp: number }[],
): Promise<string[][]>;
