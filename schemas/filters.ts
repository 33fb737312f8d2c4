// The filter inputs of the GraphQL API as TypeScript sees them after parsing: a DateTimeOffset is a number of
// milliseconds since the epoch, everything else is as in the document. Shared by the SQL compiler and by the evaluation
// in memory, which must agree on what follows.
//
// - A member that is null counts as not given. A filter without members matches everything.
// - Several members of one filter object are joined by AND (this holds for FilterIDInput and its kind as well).
// - `in: []` and `or: []` match nothing, `and: []` matches everything.
// - Two-valued logic: a missing value fails every test but `ne` and `attributeExists: false`, and `not` turns any
//   answer round. So an object without modelId passes `{ modelId: { ne: "x" } }` and `{ not: { modelId: { eq: "x" } } }`.
// - Of a track's detections (`position`) and attributes some one must pass all members given. A track without attributes
//   is judged like one with an attribute whose type and value are missing; one without any position passes
//   `position: { attributeExists: false }` alone.
// - `like` looks for the text itself, in any case; % and _ stand for themselves.
// - `between` takes two values, from and to; both belong to it.
import type { MessageState } from "./events.ts";

type Maybe<T> = T | null | undefined;

interface Combined<Self> {
  readonly and?: Maybe<readonly Self[]>;
  readonly or?: Maybe<readonly Self[]>;
  readonly not?: Maybe<Self>;
}

export interface FilterIDInput {
  readonly eq?: Maybe<string>;
  readonly ne?: Maybe<string>;
  readonly in?: Maybe<readonly string[]>;
}

/** eq: exactly these; in: contains each of these. */
export interface FilterIDListInput {
  readonly eq?: Maybe<readonly string[]>;
  readonly in?: Maybe<readonly string[]>;
}

export type FilterStringListInput = FilterIDListInput;

export interface FilterNumberInput {
  readonly eq?: Maybe<number>;
  readonly ne?: Maybe<number>;
  readonly lt?: Maybe<number>;
  readonly le?: Maybe<number>;
  readonly gt?: Maybe<number>;
  readonly ge?: Maybe<number>;
  readonly in?: Maybe<readonly number[]>;
  readonly between?: Maybe<readonly number[]>;
  readonly attributeExists?: Maybe<boolean>;
}

type FilterIntInput = FilterNumberInput;
type FilterFloatInput = FilterNumberInput;

export interface FilterStringInput {
  readonly eq?: Maybe<string>;
  readonly ne?: Maybe<string>;
  readonly like?: Maybe<string>;
  readonly in?: Maybe<readonly string[]>;
  readonly attributeExists?: Maybe<boolean>;
}

/** Milliseconds. */
export interface FilterDateTimeOffsetInput {
  readonly eq?: Maybe<number>;
  readonly between?: Maybe<readonly number[]>;
  readonly attributeExists?: Maybe<boolean>;
}

export interface FilterBooleanInput {
  readonly eq?: Maybe<boolean>;
  readonly ne?: Maybe<boolean>;
  readonly attributeExists?: Maybe<boolean>;
}

export interface GeoJSONPolygonInput {
  readonly type: string;
  readonly coordinates: readonly (readonly (readonly number[])[])[];
}

interface GeoJSONPointInput {
  readonly type: string;
  readonly coordinates: readonly number[];
}

export interface FilterPointNearInput {
  readonly point: GeoJSONPointInput;
  /** Metres. */
  readonly radius: number;
}

export interface FilterPointInput {
  readonly in?: Maybe<GeoJSONPolygonInput>;
  readonly near?: Maybe<FilterPointNearInput>;
  readonly attributeExists?: Maybe<boolean>;
}

export interface FilterMessageStateInput {
  readonly eq?: Maybe<MessageState>;
  readonly ne?: Maybe<MessageState>;
  readonly in?: Maybe<readonly MessageState[]>;
}

/** Closed; a bound that is missing leaves that side open. Milliseconds. */
export interface TimeRangeInput {
  readonly start?: Maybe<number>;
  readonly end?: Maybe<number>;
}

/** Exactly one member; the GraphQL layer sees to that. */
export interface FilterTimeRangeInput {
  readonly containing?: Maybe<TimeRangeInput>;
  readonly containedBy?: Maybe<TimeRangeInput>;
  readonly intersecting?: Maybe<TimeRangeInput>;
  readonly startingWithin?: Maybe<TimeRangeInput>;
  readonly endingWithin?: Maybe<TimeRangeInput>;
  readonly containingInstant?: Maybe<number>;
  readonly before?: Maybe<number>;
  readonly after?: Maybe<number>;
}

interface FilterJSONFieldMode {
  readonly integer?: Maybe<FilterIntInput>;
  readonly float?: Maybe<FilterFloatInput>;
  readonly boolean?: Maybe<FilterBooleanInput>;
  readonly string?: Maybe<FilterStringInput>;
}

export interface FilterJSONFieldInput {
  /** Keys or array indexes (from 0); a missing path counts as null. */
  readonly path: readonly Maybe<string>[];
  readonly filter: FilterJSONFieldMode;
}

export interface FilterJSONFieldStringInput {
  readonly path: readonly Maybe<string>[];
  readonly filter: FilterStringInput;
}

export interface FilterTrackPropertyInput {
  readonly type?: Maybe<FilterStringInput>;
  readonly value?: Maybe<FilterStringInput>;
}

/** What can be said of the data source of a track; answered from memory, never by the history. */
export interface FilterOfDataSource {
  readonly pointOfInterestId?: Maybe<FilterIDInput>;
  readonly siteId?: Maybe<FilterIDInput>;
  readonly dataSourceType?: Maybe<FilterStringInput>;
  readonly dataSourceLabels?: Maybe<FilterStringListInput>;
  readonly deviceId?: Maybe<FilterIDInput>;
}

interface FilterOfTrack extends FilterOfDataSource {
  readonly id?: Maybe<FilterIDInput>;
  readonly dataSourceId?: Maybe<FilterIDInput>;
  readonly tag?: Maybe<FilterStringInput>;
  readonly position?: Maybe<FilterPointInput>;
  readonly identifier?: Maybe<FilterTrackPropertyInput>;
  readonly attribute?: Maybe<FilterTrackPropertyInput>;
  readonly modelId?: Maybe<FilterIDInput>;
}

export interface FilterTrackInput extends FilterOfTrack, Combined<FilterTrackInput> {
  readonly time?: Maybe<FilterDateTimeOffsetInput>;
  readonly timeRange?: Maybe<FilterTimeRangeInput>;
  readonly finished?: Maybe<FilterBooleanInput>;
}

export interface FilterTrackMessageInput extends FilterOfTrack, Combined<FilterTrackMessageInput> {
  readonly state?: Maybe<FilterMessageStateInput>;
}

export interface FilterTrackDetectionInput extends Combined<FilterTrackDetectionInput> {
  readonly zoneId?: Maybe<FilterIDInput>;
  readonly geofenceId?: Maybe<FilterIDInput>;
  readonly time?: Maybe<FilterDateTimeOffsetInput>;
  readonly position?: Maybe<FilterPointInput>;
}

export interface FilterDetectionInput extends Combined<FilterDetectionInput> {
  readonly dataSourceId?: Maybe<FilterIDInput>;
  readonly trackId?: Maybe<FilterIDInput>;
  readonly zoneId?: Maybe<FilterIDInput>;
  readonly geofenceId?: Maybe<FilterIDInput>;
  readonly tag?: Maybe<FilterStringInput>;
  readonly time?: Maybe<FilterDateTimeOffsetInput>;
  readonly position?: Maybe<FilterPointInput>;
  readonly deviceId?: Maybe<FilterIDInput>;
}

export interface FilterDetectionActivityInput extends Combined<FilterDetectionActivityInput> {
  readonly dataSourceId?: Maybe<FilterIDInput>;
  readonly zoneId?: Maybe<FilterIDInput>;
  readonly geofenceId?: Maybe<FilterIDInput>;
  readonly tag?: Maybe<FilterStringInput>;
  readonly position?: Maybe<FilterPointInput>;
  readonly deviceId?: Maybe<FilterIDInput>;
}

export interface FilterZoneInput extends Combined<FilterZoneInput> {
  readonly id?: Maybe<FilterIDInput>;
  readonly name?: Maybe<FilterStringInput>;
  readonly dataSourceId?: Maybe<FilterIDInput>;
  readonly active?: Maybe<FilterBooleanInput>;
  readonly createdAt?: Maybe<FilterDateTimeOffsetInput>;
  readonly updatedAt?: Maybe<FilterDateTimeOffsetInput>;
}

export interface FilterZoneIntersectionInput extends Combined<FilterZoneIntersectionInput> {
  readonly zoneId?: Maybe<FilterIDInput>;
  readonly time?: Maybe<FilterDateTimeOffsetInput>;
  readonly tag?: Maybe<FilterStringInput>;
  readonly dataSourceId?: Maybe<FilterIDInput>;
}

export interface FilterZoneIntersectionMessageInput extends Combined<FilterZoneIntersectionMessageInput> {
  readonly zoneId?: Maybe<FilterIDInput>;
  readonly dataSourceId?: Maybe<FilterIDInput>;
  readonly state?: Maybe<FilterMessageStateInput>;
}

export interface FilterDataSourceInput extends Combined<FilterDataSourceInput> {
  readonly id?: Maybe<FilterIDInput>;
  readonly name?: Maybe<FilterStringInput>;
  /** Over the name of the type, in any case that FilterStringInput allows. */
  readonly type?: Maybe<FilterStringInput>;
  readonly labels?: Maybe<FilterStringListInput>;
  readonly position?: Maybe<FilterPointInput>;
}

export type SortDirection = "ASC" | "DESC";

export interface Sort<Field extends string> {
  readonly field: Field;
  readonly direction: SortDirection;
}

export type TracksSort = Sort<"ID" | "TRACK_START_TIME">;
/** TRACK_ID is the later name of GLOBAL_TRACK_ID. */
export type DetectionsSort = Sort<"DETECTION_TIME" | "GLOBAL_TRACK_ID" | "TRACK_ID">;
export type ZoneIntersectionsSort = Sort<"ID" | "START_TIME">;
export type ZonesSort = Sort<"ID" | "NAME">;
export type DataSourceSort = Sort<"ID" | "NAME">;
