// The mutation inputs after GraphQL has parsed them: times are milliseconds since the epoch, JSON any JSON value.
import type { DataSourceType, TrackProperty } from "../../../schemas/events.ts";

type Maybe<T> = T | null | undefined;

export interface PolygonInput {
  readonly type: string;
  readonly coordinates: readonly (readonly (readonly number[])[])[];
  readonly crs?: Maybe<object>;
}

export interface PointInput {
  readonly type: string;
  readonly coordinates: readonly number[];
  readonly crs?: Maybe<object>;
}

export interface TrackDetectionInput {
  readonly timestamp: number;
  readonly position?: Maybe<PointInput>;
  readonly polygon?: Maybe<PolygonInput>;
  readonly direction?: Maybe<number>;
  readonly metadata?: unknown;
}

export interface CreateDetectionInput extends TrackDetectionInput {
  readonly trackId: string;
}

export interface TrackPropertiesInput {
  readonly identifier?: Maybe<TrackProperty>;
  readonly attributes?: Maybe<readonly TrackProperty[]>;
}

export interface CreateTrackInput {
  readonly id?: Maybe<string>;
  readonly dataSourceId: string;
  readonly tag: string;
  readonly startTime: number;
  readonly endTime?: Maybe<number>;
  readonly detections: readonly TrackDetectionInput[];
  readonly properties?: Maybe<TrackPropertiesInput>;
  readonly metadata?: unknown;
}

export interface UpdateTrackInput {
  readonly id: string;
  readonly tag?: Maybe<string>;
  readonly startTime?: Maybe<number>;
  readonly endTime?: Maybe<number>;
  readonly detections?: Maybe<readonly TrackDetectionInput[]>;
  readonly properties?: Maybe<TrackPropertiesInput>;
  readonly metadata?: unknown;
}

export interface CreateZoneInput {
  readonly dataSourceId: string;
  readonly name: string;
  readonly polygon: PolygonInput;
  readonly active?: Maybe<boolean>;
}

export interface UpdateZoneInput {
  readonly id: string;
  readonly dataSourceId?: Maybe<string>;
  readonly name?: Maybe<string>;
  readonly polygon?: Maybe<PolygonInput>;
  readonly active?: Maybe<boolean>;
}

export interface CreateDataSourceInput {
  readonly name: string;
  readonly type: DataSourceType;
  readonly labels?: Maybe<readonly string[]>;
}

export interface UpdateDataSourceInput {
  readonly id: string;
  readonly name?: Maybe<string>;
  readonly type?: Maybe<DataSourceType>;
  readonly labels?: Maybe<readonly string[]>;
}
