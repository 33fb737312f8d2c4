// The records that queries of the history return. Times are milliseconds since the epoch, rings are flat
// (schemas/log/polygon.ts).
import type { GeoPosition, Polygon } from "../../../schemas/events.ts";
import type {
  FilterDataSourceInput,
  FilterIDInput,
  FilterStringInput,
  FilterStringListInput,
} from "../../../schemas/filters.ts";
import type { FilterPointOfInterestInput, FilterSiteInput } from "../../../schemas/graphql/inputs.ts";
import type { VideoFields } from "../../../schemas/records/video-changed.ts";
import type { DetectionSpan, TrackHeader } from "../../track/header.ts";
import type { BinaryClient, QueryClient } from "./run.ts";

export type TrackRecord = TrackHeader & DetectionSpan;

/**
 * The fields by which a track's detections are found. When they contain its times, ClickHouse need not read all
 * detections of a camera.
 */
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
  /** Time at which the broker recorded it. */
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

/** A period of a data source, in milliseconds. */
export interface PeriodRef {
  readonly dataSourceId: string;
  readonly from: number;
  readonly to: number;
}

/** A condition on one field of data sources. */
export type DataSourceFieldPredicate =
  | { readonly field: "type"; readonly filter: FilterStringInput }
  | { readonly field: "labels"; readonly filter: FilterStringListInput }
  | { readonly field: "siteId" | "pointOfInterestId" | "deviceId"; readonly filter: FilterIDInput };

/** A condition on data sources, which the catalog in memory answers. */
export type DataSourcePredicate =
  | DataSourceFieldPredicate
  | { readonly field: "dataSource"; readonly filter: FilterDataSourceInput }
  | { readonly field: "site"; readonly filter: FilterSiteInput }
  | { readonly field: "pointOfInterest"; readonly filter: FilterPointOfInterestInput };

export type DataSourceIds = (predicate: DataSourcePredicate) => readonly string[];

/** The store and the catalog, as every filtered query needs them. */
export interface History {
  readonly client: QueryClient;
  readonly dataSourceIds: DataSourceIds;
}

/** The same with a client for binary formats. */
export interface BinaryHistory extends History {
  readonly client: BinaryClient;
}

export interface PageRequest<Filter, Sort> {
  readonly filter: Filter;
  readonly sort: readonly Sort[];
  /** Number of items, 1 or more. The caller bounds it. */
  readonly first: number;
  /** A cursor of an earlier answer to the same filter and sort. */
  readonly after?: string | null | undefined;
}

export interface Page<T> {
  readonly edges: readonly { readonly node: T; readonly cursor: string }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}
