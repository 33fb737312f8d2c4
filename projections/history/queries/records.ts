// The answers of the history's queries. Times are milliseconds since the epoch, rings are flat
// (schemas/log/polygon.ts).
import type { GeoPosition, Polygon, VideoFields } from "../../../schemas/events.ts";
import type {
  FilterDataSourceInput,
  FilterIDInput,
  FilterStringInput,
  FilterStringListInput,
} from "../../../schemas/filters.ts";
import type { FilterPointOfInterestInput, FilterSiteInput } from "../../../schemas/graphql/inputs.ts";
import type { DetectionSpan, TrackHeader } from "../../track/header.ts";
import type { Asked } from "./run.ts";

export type TrackRecord = TrackHeader & DetectionSpan;

/** Enough to find a track's detections; the times, if known, save reading the whole history of a camera. */
export type TrackRef = Pick<TrackHeader, "trackId" | "dataSourceId"> & Partial<DetectionSpan>;

export interface DetectionRecord {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly timestamp: number;
  readonly polygon: Polygon | null;
  readonly position: GeoPosition | null;
  /** Degrees clockwise from north. */
  readonly direction: number | null;
  /** JSON text. */
  readonly metadata: string | null;
  /** When the broker recorded it. */
  readonly recordedAt: number;
}

export interface IntersectionRecord {
  readonly intersectionId: string;
  readonly zoneId: string;
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly tag: string;
  readonly startTime: number;
  readonly endTime: number | null;
  readonly lastInside: number;
}

export interface GeofenceIntersectionRecord extends Omit<IntersectionRecord, "zoneId"> {
  readonly geofenceId: string;
}

export interface VideoRecord extends VideoFields {
  readonly id: string;
  readonly dataSourceId: string;
}

/** A period of a data source; milliseconds. */
export interface PeriodRef {
  readonly dataSourceId: string;
  readonly from: number;
  readonly to: number;
}

/** One question about data sources by a field of theirs. */
export type DataSourceFieldPredicate =
  | { readonly field: "type"; readonly filter: FilterStringInput }
  | { readonly field: "labels"; readonly filter: FilterStringListInput }
  | { readonly field: "siteId" | "pointOfInterestId" | "deviceId"; readonly filter: FilterIDInput };

/** One question about data sources; the catalog in memory answers it. */
export type DataSourcePredicate =
  | DataSourceFieldPredicate
  | { readonly field: "dataSource"; readonly filter: FilterDataSourceInput }
  | { readonly field: "site"; readonly filter: FilterSiteInput }
  | { readonly field: "pointOfInterest"; readonly filter: FilterPointOfInterestInput };

export type DataSourceIds = (predicate: DataSourcePredicate) => readonly string[];

/** What every filtered query needs. */
export interface History {
  readonly client: Asked;
  readonly dataSourceIds: DataSourceIds;
}

export interface PageRequest<Filter, Sort> {
  readonly filter: Filter;
  readonly sort: readonly Sort[];
  /** 1 or more; the caller sets the maximum. */
  readonly first: number;
  /** A cursor of an earlier answer to the same filter and sort. */
  readonly after?: string | null | undefined;
}

export interface Page<T> {
  readonly edges: readonly { readonly node: T; readonly cursor: string }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}
