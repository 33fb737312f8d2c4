// The rules of the filter inputs. Their types are generated from the SDL (graphql/inputs.ts). The SQL compiler and the
// evaluation in memory both follow these rules:
//
// - A null member counts as not given. A filter without members matches everything.
// - Several members of one filter object are joined by AND (this holds for FilterIDInput and its kind as well).
// - `in: []` and `or: []` match nothing, `and: []` matches everything.
// - Two-valued logic: a missing value fails every test but `ne` and `attributeExists: false`, and `not` inverts any
//   answer. So an object without modelId passes `{ modelId: { ne: "x" } }` and `{ not: { modelId: { eq: "x" } } }`.
// - A single detection of a track (`position`), or a single attribute, must pass all given members. A track without
//   attributes is treated like one with an attribute whose type and value are missing; a track without any position
//   passes only `position: { attributeExists: false }`.
// - `like` searches for the text itself and ignores case; % and _ have no special meaning.
// - `between` takes two values, from and to; both bounds are included.
import type * as inputs from "./graphql/inputs.ts";
import type { InputMaybe, SortDirection } from "./graphql/inputs.ts";

export type {
  FilterBooleanInput,
  FilterDataSourceInput,
  FilterDateTimeOffsetInput,
  FilterDetectionActivityInput,
  FilterGeofenceIntersectionMessageInput,
  FilterIdInput as FilterIDInput,
  FilterIdListInput as FilterIDListInput,
  FilterImageInput,
  FilterJsonFieldInput as FilterJSONFieldInput,
  FilterJsonFieldStringInput as FilterJSONFieldStringInput,
  FilterMeasurementActivityInput,
  FilterPointInput,
  FilterPointNearInput,
  FilterStringInput,
  FilterStringListInput,
  FilterTimeRangeInput,
  FilterTrackInput,
  FilterTrackMessageInput,
  FilterTrackPropertyInput,
  FilterVideoActivityInput,
  FilterZoneInput,
  FilterZoneIntersectionMessageInput,
  GeofenceIntersectionsSort,
  GeoJsonPolygonInput as GeoJSONPolygonInput,
  ImagesSort,
  MeasurementsSort,
  SortDirection,
  TimeRangeInput,
  TracksSort,
  VideosSort,
  ZoneIntersectionsSort,
  ZonesSort,
} from "./graphql/inputs.ts";

/** The API requires this member of clients; the evaluation does not need it. */
type Without<Input, Name extends keyof Input> = Omit<Input, Name | "and" | "or" | "not"> &
  Partial<Pick<Input, Name>> & {
    readonly and?: InputMaybe<readonly Without<Input, Name>[]>;
    readonly or?: InputMaybe<readonly Without<Input, Name>[]>;
    readonly not?: InputMaybe<Without<Input, Name>>;
  };

export type DetectionFilter = Without<inputs.FilterDetectionInput, "time">;
export type MeasurementFilter = Without<inputs.FilterMeasurementInput, "time">;
export type VideoFilter = Without<inputs.FilterVideoInput, "startTime">;
export type TrackDetectionFilter = Without<inputs.FilterTrackDetectionInput, "time">;
export type ZoneIntersectionFilter = Without<inputs.FilterZoneIntersectionInput, "time">;
export type GeofenceIntersectionFilter = Without<inputs.FilterGeofenceIntersectionInput, "time">;

/** FilterIntInput and FilterFloatInput have the same members. */
export type FilterNumberInput = inputs.FilterFloatInput;

/** The members about the data source of a track. The catalog in memory evaluates them, never the history. */
export type FilterOfDataSource = Pick<
  inputs.FilterTrackInput,
  "pointOfInterestId" | "siteId" | "dataSourceType" | "dataSourceLabels" | "deviceId"
>;

export interface Sort<Field extends string> {
  readonly field: Field;
  readonly direction: SortDirection;
}

/** TRACK_ID is the later name of GLOBAL_TRACK_ID. */
export type DetectionOrder = Sort<inputs.DetectionsSort["field"] | "TRACK_ID">;
