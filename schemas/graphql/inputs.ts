// Made of the SDL beside it by test/contract/graphql-inputs.test.ts.
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /**
   * ISO 8601 date, time and UTC offset, e.g. `2026-01-01T12:00:00.000+02:00` or `...Z`. The offset is required on
   * input; output is in UTC with milliseconds.
   */
  DateTimeOffset: { input: number; output: number; }
  /** ISO 8601 duration between two DateTimeOffsets, e.g. `PT5M`. */
  DateTimeDuration: { input: string; output: string; }
  /** Arbitrary JSON data, used for metadata. */
  JSON: { input: unknown; output: unknown; }
};

export type ActivityChronicleSummaryBucketField =
  | 'NAME'
  | 'DESCRIPTION'
  | 'PRIORITY'
  | 'STATUS'
  | 'CHRONICLE_PRODUCER'
  /** An activity counts in the bucket of each of its sites. */
  | 'SITE'
  /** An activity counts in the bucket of each of its data sources. */
  | 'DATA_SOURCE'
  /** An activity counts in the bucket of each of its labels. */
  | 'LABEL'
  | 'VALIDATION_STATUS'
  | 'APPROVAL_STATUS';

/** Resolution of H3: the higher, the smaller the cells. */
export type PositionBucketPrecision =
  | 'RESOLUTION_0'
  /** Resolution 0. */
  | 'CONTINENTAL'
  | 'RESOLUTION_1'
  | 'RESOLUTION_2'
  | 'RESOLUTION_3'
  | 'RESOLUTION_4'
  /** Resolution 5. */
  | 'REGIONAL'
  | 'RESOLUTION_5'
  | 'RESOLUTION_6'
  | 'RESOLUTION_7'
  /** Resolution 7. */
  | 'DISTRICT'
  | 'RESOLUTION_8'
  | 'RESOLUTION_9'
  /** Resolution 9. */
  | 'NEIGHBORHOOD'
  | 'RESOLUTION_10'
  | 'RESOLUTION_11'
  | 'RESOLUTION_12'
  /** Resolution 12. */
  | 'BUILDING'
  | 'RESOLUTION_13'
  | 'RESOLUTION_14'
  | 'RESOLUTION_15';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type ActivityChronicleSummaryBucketType = {
  readonly size?: InputMaybe<SummaryBucketSize>;
  /**
   * Takes precedence over the argument.
   * @deprecated Use the argument `bucketingStrategy`.
   */
  readonly bucketingStrategy?: InputMaybe<BucketingStrategy>;
  /** At most three. */
  readonly fields?: InputMaybe<ReadonlyArray<ActivityChronicleSummaryBucketField>>;
  /** Groups by the cell of the position. */
  readonly position?: InputMaybe<PositionBucketPrecision>;
  /** Groups by the text at each path; at most ten paths. */
  readonly metadata?: InputMaybe<ReadonlyArray<JsonFieldStringBucket>>;
};

export type JsonFieldStringBucket = {
  /** Keys or array indexes; a missing path counts as null. */
  readonly path: ReadonlyArray<Scalars['String']['input']>;
};

export type FilterActivityChronicleSummaryInput = {
  readonly startTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly description?: InputMaybe<FilterStringInput>;
  readonly chronicleProducerId?: InputMaybe<FilterIdInput>;
  readonly dataSourceIds?: InputMaybe<FilterIdListInput>;
  readonly siteIds?: InputMaybe<FilterIdListInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly status?: InputMaybe<FilterStringInput>;
  readonly validationStatus?: InputMaybe<FilterChronicleValidationStatusInput>;
  /** Nothing sets an approval: every activity is without one. */
  readonly approvalStatus?: InputMaybe<FilterStringInput>;
  readonly position?: InputMaybe<FilterPointInput>;
  readonly metadata?: InputMaybe<FilterJsonFieldStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterActivityChronicleSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterActivityChronicleSummaryInput>>;
  readonly not?: InputMaybe<FilterActivityChronicleSummaryInput>;
};

export type CreateActivityChronicleInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly chronicleProducerId: Scalars['ID']['input'];
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly startTime: Scalars['DateTimeOffset']['input'];
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  readonly imageIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** A video must cover each. */
  readonly clips?: InputMaybe<ReadonlyArray<CreateClipInput>>;
  readonly trackIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly dataSourceIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly tagIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly pointOfInterestIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** A member that is left out keeps its value; null clears it. A list replaces the present one. */
export type UpdateActivityChronicleInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly startTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  readonly imageIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** A video must cover each. */
  readonly clips?: InputMaybe<ReadonlyArray<CreateClipInput>>;
  readonly trackIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly dataSourceIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly tagIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly pointOfInterestIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

export type FilterActivityChronicleInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly description?: InputMaybe<FilterStringInput>;
  readonly startTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly endTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly timeRange?: InputMaybe<FilterTimeRangeInput>;
  readonly timezone?: InputMaybe<FilterStringInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly status?: InputMaybe<FilterStringInput>;
  readonly validation?: InputMaybe<FilterChronicleValidationStatusInput>;
  readonly position?: InputMaybe<FilterPointInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly locations?: InputMaybe<FilterStringListInput>;
  readonly chronicleProducerId?: InputMaybe<FilterIdInput>;
  readonly tagIds?: InputMaybe<FilterIdListInput>;
  readonly siteIds?: InputMaybe<FilterIdListInput>;
  readonly dataSourceIds?: InputMaybe<FilterIdListInput>;
  readonly pointOfInterestIds?: InputMaybe<FilterIdListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterActivityChronicleInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterActivityChronicleInput>>;
  readonly not?: InputMaybe<FilterActivityChronicleInput>;
};

export type FilterActivityChronicleInputSubscription = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly startTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly endTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly timezone?: InputMaybe<FilterStringInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly status?: InputMaybe<FilterStringInput>;
  readonly validation?: InputMaybe<FilterStringInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly locations?: InputMaybe<FilterStringListInput>;
  readonly chronicleProducerId?: InputMaybe<FilterIdInput>;
  readonly tagIds?: InputMaybe<FilterIdListInput>;
  readonly siteIds?: InputMaybe<FilterIdListInput>;
  readonly dataSourceIds?: InputMaybe<FilterIdListInput>;
  readonly pointOfInterestIds?: InputMaybe<FilterIdListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterActivityChronicleInputSubscription>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterActivityChronicleInputSubscription>>;
  readonly not?: InputMaybe<FilterActivityChronicleInputSubscription>;
};

export type ActivityChronicleSortField =
  | 'ID'
  | 'START_TIME'
  | 'END_TIME'
  | 'NAME'
  | 'PRIORITY'
  | 'STATUS';

export type ActivityChronicleSort = {
  readonly field: ActivityChronicleSortField;
  readonly direction: SortDirection;
};

export type SortDirection =
  | 'ASC'
  | 'DESC';

export type MessageState =
  /** Start of a group of messages. */
  | 'START'
  /** Update to an existing group. */
  | 'UPDATE'
  /** End of an existing group. */
  | 'END';

export type CreateChronicleProducerInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** IANA name. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly active: Scalars['Boolean']['input'];
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  readonly validationReasons?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** A member that is left out keeps its value; null clears it. */
export type UpdateChronicleProducerInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  readonly validationReasons?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type FilterChronicleProducerInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly active?: InputMaybe<FilterBooleanInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterChronicleProducerInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterChronicleProducerInput>>;
  readonly not?: InputMaybe<FilterChronicleProducerInput>;
};

export type ChronicleProducersSortField =
  | 'ID'
  | 'NAME';

export type ChronicleProducersSort = {
  readonly field: ChronicleProducersSortField;
  readonly direction: SortDirection;
};

export type EventProducerInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** True unless given. */
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/** A member that is left out keeps its value; null clears it. */
export type UpdateEventProducerInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

export type FilterEventProducerInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventProducerInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventProducerInput>>;
  readonly not?: InputMaybe<FilterEventProducerInput>;
};

export type EventProducersSortField =
  | 'ID'
  | 'EVENT_PRODUCER_NAME';

export type EventProducersSort = {
  readonly field: EventProducersSortField;
  readonly direction: SortDirection;
};

export type ChronicleValidationStatus =
  | 'VALID'
  | 'INVALID';

export type ChronicleValidationInput = {
  readonly status: ChronicleValidationStatus;
  /** The reason; required when the status is `INVALID`. */
  readonly summary?: InputMaybe<Scalars['String']['input']>;
  readonly details?: InputMaybe<Scalars['String']['input']>;
};

export type FilterChronicleValidationStatusInput = {
  readonly eq?: InputMaybe<ChronicleValidationStatus>;
  readonly ne?: InputMaybe<ChronicleValidationStatus>;
  readonly in?: InputMaybe<ReadonlyArray<ChronicleValidationStatus>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

export type CreateClipInput = {
  readonly dataSourceId: Scalars['ID']['input'];
  readonly startTime: Scalars['DateTimeOffset']['input'];
  readonly endTime: Scalars['DateTimeOffset']['input'];
};

export type CreateSnapshotInput = {
  readonly dataSourceId: Scalars['ID']['input'];
  readonly timestamp: Scalars['DateTimeOffset']['input'];
};

export type DataSourceType =
  /** Stored media. */
  | 'FOLDER'
  /** Camera that produces video. */
  | 'VIDEO_DEVICE'
  /** Camera that produces images. */
  | 'IMAGE_DEVICE'
  /** Reports tracks and detections directly. */
  | 'GEOPOSITION';

export type CreateDataSourceInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly type: DataSourceType;
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type UpdateDataSourceInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly type?: InputMaybe<DataSourceType>;
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type FilterDataSourceInput = {
  /** Tests the name of the type. */
  readonly type?: InputMaybe<FilterStringInput>;
  /** Position of the device of the data source. */
  readonly position?: InputMaybe<FilterPointInput>;
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDataSourceInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDataSourceInput>>;
  readonly not?: InputMaybe<FilterDataSourceInput>;
};

export type DataSourceSortField =
  | 'ID'
  | 'NAME';

export type DataSourceSort = {
  readonly field: DataSourceSortField;
  readonly direction: SortDirection;
};

export type CreateDetectionInput = {
  readonly trackId: Scalars['ID']['input'];
  readonly timestamp: Scalars['DateTimeOffset']['input'];
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** Bounds in the captured image, in pixels. */
  readonly polygon?: InputMaybe<GeoJsonPolygonInput>;
  /** Degrees clockwise from north: 0 north, 90 east, 180 south, 270 west; expected between 0 and 360. */
  readonly direction?: InputMaybe<Scalars['Float']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

export type FilterDetectionInput = {
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly trackId?: InputMaybe<FilterIdInput>;
  /** Zones that the detection intersects. */
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** Geofences that the detection intersects. */
  readonly geofenceId?: InputMaybe<FilterIdInput>;
  /** Case-insensitive. */
  readonly tag?: InputMaybe<FilterStringInput>;
  readonly time: FilterDateTimeOffsetInput;
  readonly position?: InputMaybe<FilterPointInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDetectionInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDetectionInput>>;
  readonly not?: InputMaybe<FilterDetectionInput>;
  /** @deprecated Use `dataSourceId`. */
  readonly deviceId?: InputMaybe<FilterIdInput>;
};

export type FilterDetectionActivityInput = {
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** Zones that the detection intersects. */
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** Geofences that the detection intersects. */
  readonly geofenceId?: InputMaybe<FilterIdInput>;
  /** Case-insensitive. */
  readonly tag?: InputMaybe<FilterStringInput>;
  readonly position?: InputMaybe<FilterPointInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDetectionActivityInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDetectionActivityInput>>;
  readonly not?: InputMaybe<FilterDetectionActivityInput>;
  /** @deprecated Use `dataSourceId`. */
  readonly deviceId?: InputMaybe<FilterIdInput>;
};

export type DetectionsSortField =
  | 'DETECTION_TIME'
  | 'GLOBAL_TRACK_ID';

export type DetectionsSort = {
  readonly field: DetectionsSortField;
  readonly direction: SortDirection;
};

export type DeviceMessageState =
  /** A device is created. */
  | 'CREATE'
  /** A device is updated. */
  | 'UPDATE'
  /** A device receives a new `lastHeartbeat`. */
  | 'HEARTBEAT';

export type CreateDeviceInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** Its data source. Without it one is made: a VIDEO_DEVICE of the same name, with the device's uuid as id. */
  readonly dataSourceId?: InputMaybe<Scalars['ID']['input']>;
  /** Without it the site of the point of interest, if one is given. */
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  /** It must be in the device's site. */
  readonly pointOfInterestId?: InputMaybe<Scalars['ID']['input']>;
  readonly transcoderId?: InputMaybe<Scalars['ID']['input']>;
  readonly externalId?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly address?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly enabled: Scalars['Boolean']['input'];
};

/** A member that is left out keeps its value; null clears it. */
export type UpdateDeviceInput = {
  readonly id: Scalars['ID']['input'];
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  readonly pointOfInterestId?: InputMaybe<Scalars['ID']['input']>;
  readonly transcoderId?: InputMaybe<Scalars['ID']['input']>;
  readonly externalId?: InputMaybe<Scalars['ID']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly address?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
};

export type CreateDeviceCalibrationInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly deviceId: Scalars['ID']['input'];
  readonly timestamp: Scalars['DateTimeOffset']['input'];
  readonly markers: ReadonlyArray<DeviceCalibrationMarkerInput>;
};

export type DeviceCalibrationMarkerInput = {
  readonly name: Scalars['String']['input'];
  readonly position: GeoJsonPointInput;
  /** In image coordinates. */
  readonly pixel: GeoJsonPointInput;
};

export type FilterDeviceInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly uuid?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly externalId?: InputMaybe<FilterStringInput>;
  readonly address?: InputMaybe<FilterStringInput>;
  readonly enabled?: InputMaybe<FilterBooleanInput>;
  /** A device without a site does not match. */
  readonly site?: InputMaybe<FilterSiteInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDeviceInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDeviceInput>>;
  readonly not?: InputMaybe<FilterDeviceInput>;
};

export type DevicesSortField =
  | 'ID'
  | 'NAME';

export type DevicesSort = {
  readonly field: DevicesSortField;
  readonly direction: SortDirection;
};

export type FilterDeviceMessageInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly uuid?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly externalId?: InputMaybe<FilterStringInput>;
  readonly address?: InputMaybe<FilterStringInput>;
  readonly enabled?: InputMaybe<FilterBooleanInput>;
  readonly state?: InputMaybe<FilterDeviceMessageStateInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDeviceMessageInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDeviceMessageInput>>;
  readonly not?: InputMaybe<FilterDeviceMessageInput>;
};

export type FilterDeviceMessageStateInput = {
  readonly eq?: InputMaybe<DeviceMessageState>;
  readonly ne?: InputMaybe<DeviceMessageState>;
  readonly in?: InputMaybe<ReadonlyArray<DeviceMessageState>>;
};

export type CreateEventChronicleInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly chronicleProducerId: Scalars['ID']['input'];
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly timestamp: Scalars['DateTimeOffset']['input'];
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  readonly activityChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** A member that is left out keeps its value; null clears it. A list replaces the present one. */
export type UpdateEventChronicleInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly timestamp?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  readonly activityChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

export type FilterEventChronicleInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly chronicleProducerId?: InputMaybe<FilterIdInput>;
  readonly timestamp?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly timezone?: InputMaybe<FilterStringInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly status?: InputMaybe<FilterStringInput>;
  readonly validation?: InputMaybe<FilterChronicleValidationStatusInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly locations?: InputMaybe<FilterStringListInput>;
  readonly activityChronicleIds?: InputMaybe<FilterIdListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventChronicleInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventChronicleInput>>;
  readonly not?: InputMaybe<FilterEventChronicleInput>;
};

export type FilterEventChronicleInputSubscription = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly chronicleProducerId?: InputMaybe<FilterIdInput>;
  readonly timestamp?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly timezone?: InputMaybe<FilterStringInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly status?: InputMaybe<FilterStringInput>;
  readonly validation?: InputMaybe<FilterStringInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly locations?: InputMaybe<FilterStringListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventChronicleInputSubscription>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventChronicleInputSubscription>>;
  readonly not?: InputMaybe<FilterEventChronicleInputSubscription>;
};

export type EventChronicleSortField =
  | 'ID'
  | 'TIMESTAMP'
  | 'NAME'
  | 'PRIORITY'
  | 'STATUS';

export type EventChronicleSort = {
  readonly field: EventChronicleSortField;
  readonly direction: SortDirection;
};

export type EventsSummaryBucketField =
  | 'TYPE'
  | 'SUB_TYPE'
  | 'EVENT_PRODUCER_ID'
  | 'PRIORITY'
  | 'DRAFT'
  | 'VALIDATION_STATUS';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type EventsSummaryBucketType = {
  readonly size?: InputMaybe<SummaryBucketSize>;
  /**
   * Takes precedence over the argument.
   * @deprecated Use the argument `bucketingStrategy`.
   */
  readonly bucketingStrategy?: InputMaybe<BucketingStrategy>;
  /** At most three. */
  readonly fields?: InputMaybe<ReadonlyArray<EventsSummaryBucketField>>;
  /** Groups by the text at each path; at most ten paths. */
  readonly metadata?: InputMaybe<ReadonlyArray<JsonFieldStringBucket>>;
};

export type FilterEventsSummaryInput = {
  readonly eventProducerId?: InputMaybe<FilterIdInput>;
  readonly type?: InputMaybe<FilterStringInput>;
  readonly subType?: InputMaybe<FilterStringInput>;
  readonly draft?: InputMaybe<FilterBooleanInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly validation?: InputMaybe<FilterEventValidationStatusInput>;
  readonly metadata?: InputMaybe<FilterJsonFieldStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventsSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventsSummaryInput>>;
  readonly not?: InputMaybe<FilterEventsSummaryInput>;
};

export type EventValidationStatus =
  | 'VALID'
  | 'INVALID';

export type EventValidationInput = {
  readonly status: EventValidationStatus;
  /** Required when the status is `INVALID`. */
  readonly reason?: InputMaybe<Scalars['String']['input']>;
  readonly details?: InputMaybe<Scalars['String']['input']>;
};

export type EventPropertiesInput = {
  readonly siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly dataSourceIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Names of tags; a new name makes a tag. */
  readonly tags?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly pointOfInterestIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

export type CreateEventInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly eventProducerId: Scalars['String']['input'];
  readonly type: Scalars['String']['input'];
  readonly subType?: InputMaybe<Scalars['String']['input']>;
  readonly startTime: Scalars['DateTimeOffset']['input'];
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  readonly snapshots?: InputMaybe<ReadonlyArray<CreateSnapshotInput>>;
  readonly uploads?: InputMaybe<ReadonlyArray<UploadImageInput>>;
  readonly imageIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** A video must cover each. */
  readonly clips?: InputMaybe<ReadonlyArray<CreateClipInput>>;
  readonly trackIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly properties?: InputMaybe<EventPropertiesInput>;
  readonly draft: Scalars['Boolean']['input'];
  readonly validation?: InputMaybe<EventValidationInput>;
  readonly priority?: InputMaybe<Scalars['String']['input']>;
};

/** A member left out keeps its value; null clears it. `uploads` and `snapshots` are added; other lists are replaced. */
export type UpdateEventInput = {
  readonly id: Scalars['ID']['input'];
  readonly type?: InputMaybe<Scalars['String']['input']>;
  readonly subType?: InputMaybe<Scalars['String']['input']>;
  readonly startTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Taken by the first update that sets `endTime`. */
  readonly snapshots?: InputMaybe<ReadonlyArray<CreateSnapshotInput>>;
  readonly uploads?: InputMaybe<ReadonlyArray<UploadImageInput>>;
  readonly imageIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** A video must cover each. */
  readonly clips?: InputMaybe<ReadonlyArray<CreateClipInput>>;
  readonly trackIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly properties?: InputMaybe<EventPropertiesInput>;
  readonly draft?: InputMaybe<Scalars['Boolean']['input']>;
  readonly validation?: InputMaybe<EventValidationInput>;
  readonly priority?: InputMaybe<Scalars['String']['input']>;
};

export type FilterEventValidationStatusInput = {
  readonly eq?: InputMaybe<EventValidationStatus>;
  readonly ne?: InputMaybe<EventValidationStatus>;
  readonly in?: InputMaybe<ReadonlyArray<EventValidationStatus>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FilterEventInput = {
  readonly eventProducerId?: InputMaybe<FilterIdInput>;
  readonly type?: InputMaybe<FilterStringInput>;
  readonly subType?: InputMaybe<FilterStringInput>;
  /** Start time of the event. */
  readonly time: FilterDateTimeOffsetInput;
  readonly draft?: InputMaybe<FilterBooleanInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly validation?: InputMaybe<FilterEventValidationStatusInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventInput>>;
  readonly not?: InputMaybe<FilterEventInput>;
};

export type FilterEventActivityInput = {
  readonly eventProducerId?: InputMaybe<FilterIdInput>;
  readonly type?: InputMaybe<FilterStringInput>;
  readonly subType?: InputMaybe<FilterStringInput>;
  readonly draft?: InputMaybe<FilterBooleanInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventActivityInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventActivityInput>>;
  readonly not?: InputMaybe<FilterEventActivityInput>;
};

export type EventsSortField =
  | 'ID'
  | 'START_TIME';

export type EventsSort = {
  readonly field: EventsSortField;
  readonly direction: SortDirection;
};

export type FilterIdInput = {
  readonly ne?: InputMaybe<Scalars['ID']['input']>;
  readonly eq?: InputMaybe<Scalars['ID']['input']>;
  readonly in?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

export type FilterIdListInput = {
  /** Exactly these. */
  readonly eq?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Contains each of these, and may contain more. */
  readonly in?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

export type FilterStringListInput = {
  /** Exactly these. */
  readonly eq?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Contains each of these, and may contain more. */
  readonly in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type FilterIntInput = {
  readonly ne?: InputMaybe<Scalars['Int']['input']>;
  readonly eq?: InputMaybe<Scalars['Int']['input']>;
  readonly le?: InputMaybe<Scalars['Int']['input']>;
  readonly lt?: InputMaybe<Scalars['Int']['input']>;
  readonly ge?: InputMaybe<Scalars['Int']['input']>;
  readonly gt?: InputMaybe<Scalars['Int']['input']>;
  readonly in?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
  /** Two values, both included. */
  readonly between?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FilterFloatInput = {
  readonly ne?: InputMaybe<Scalars['Float']['input']>;
  readonly eq?: InputMaybe<Scalars['Float']['input']>;
  readonly le?: InputMaybe<Scalars['Float']['input']>;
  readonly lt?: InputMaybe<Scalars['Float']['input']>;
  readonly ge?: InputMaybe<Scalars['Float']['input']>;
  readonly gt?: InputMaybe<Scalars['Float']['input']>;
  readonly in?: InputMaybe<ReadonlyArray<Scalars['Float']['input']>>;
  /** Two values, both included. */
  readonly between?: InputMaybe<ReadonlyArray<Scalars['Float']['input']>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FilterStringInput = {
  readonly ne?: InputMaybe<Scalars['String']['input']>;
  readonly eq?: InputMaybe<Scalars['String']['input']>;
  /** Case-insensitive substring match. */
  readonly like?: InputMaybe<Scalars['String']['input']>;
  readonly in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FilterDateTimeOffsetInput = {
  readonly eq?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Two values, both included. */
  readonly between?: InputMaybe<ReadonlyArray<Scalars['DateTimeOffset']['input']>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FilterBooleanInput = {
  readonly eq?: InputMaybe<Scalars['Boolean']['input']>;
  readonly ne?: InputMaybe<Scalars['Boolean']['input']>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FilterPointInput = {
  /** Positions inside the polygon. One on a border, of a hole too, is outside. */
  readonly in?: InputMaybe<GeoJsonPolygonInput>;
  readonly near?: InputMaybe<FilterPointNearInput>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FilterPointNearInput = {
  readonly point: GeoJsonPointInput;
  /** Greatest distance from the point, in metres. */
  readonly radius: Scalars['Float']['input'];
};

/** `UPDATE` excludes `START` and `END` messages. */
export type FilterMessageStateInput = {
  readonly eq?: InputMaybe<MessageState>;
  readonly ne?: InputMaybe<MessageState>;
  readonly in?: InputMaybe<ReadonlyArray<MessageState>>;
};

export type FilterJsonFieldInput = {
  /** Keys or array indexes; a missing path counts as null. */
  readonly path: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  readonly filter: FilterJsonFieldMode;
};

/** The value is cast to the type of the given field. */
export type FilterJsonFieldMode =
  { readonly integer: FilterIntInput; readonly float?: never; readonly boolean?: never; readonly string?: never; }
  |  { readonly integer?: never; readonly float: FilterFloatInput; readonly boolean?: never; readonly string?: never; }
  |  { readonly integer?: never; readonly float?: never; readonly boolean: FilterBooleanInput; readonly string?: never; }
  |  { readonly integer?: never; readonly float?: never; readonly boolean?: never; readonly string: FilterStringInput; };

/** All values are treated as strings. */
export type FilterJsonFieldStringInput = {
  /** Keys or array indexes; a missing path counts as null. */
  readonly path: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  readonly filter: FilterStringInput;
};

/** A closed interval; a null bound leaves that side unbounded. */
export type TimeRangeInput = {
  readonly start?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly end?: InputMaybe<Scalars['DateTimeOffset']['input']>;
};

/** An object that has not ended is treated as running to the end of time. */
export type FilterTimeRangeInput =
  /** The object's period fully contains the given period. */
  { readonly containing: TimeRangeInput; readonly containedBy?: never; readonly intersecting?: never; readonly startingWithin?: never; readonly endingWithin?: never; readonly containingInstant?: never; readonly before?: never; readonly after?: never; }
  |  /**
   * The object's period lies entirely inside the given period; an object that has not ended matches only when the given
   * period is unbounded in the future.
   */
  { readonly containing?: never; readonly containedBy: TimeRangeInput; readonly intersecting?: never; readonly startingWithin?: never; readonly endingWithin?: never; readonly containingInstant?: never; readonly before?: never; readonly after?: never; }
  |  /** The periods overlap; touching at an endpoint counts as overlap. */
  { readonly containing?: never; readonly containedBy?: never; readonly intersecting: TimeRangeInput; readonly startingWithin?: never; readonly endingWithin?: never; readonly containingInstant?: never; readonly before?: never; readonly after?: never; }
  |  /** The object's start lies within the given period; its end is ignored. */
  { readonly containing?: never; readonly containedBy?: never; readonly intersecting?: never; readonly startingWithin: TimeRangeInput; readonly endingWithin?: never; readonly containingInstant?: never; readonly before?: never; readonly after?: never; }
  |  /** The object's end lies within the given period; an object that has not ended never matches. */
  { readonly containing?: never; readonly containedBy?: never; readonly intersecting?: never; readonly startingWithin?: never; readonly endingWithin: TimeRangeInput; readonly containingInstant?: never; readonly before?: never; readonly after?: never; }
  |  /** The period includes the instant, endpoints included. */
  { readonly containing?: never; readonly containedBy?: never; readonly intersecting?: never; readonly startingWithin?: never; readonly endingWithin?: never; readonly containingInstant: Scalars['DateTimeOffset']['input']; readonly before?: never; readonly after?: never; }
  |  /** The period ended before the instant; an object that has not ended never matches. */
  { readonly containing?: never; readonly containedBy?: never; readonly intersecting?: never; readonly startingWithin?: never; readonly endingWithin?: never; readonly containingInstant?: never; readonly before: Scalars['DateTimeOffset']['input']; readonly after?: never; }
  |  /** The period starts after the instant. */
  { readonly containing?: never; readonly containedBy?: never; readonly intersecting?: never; readonly startingWithin?: never; readonly endingWithin?: never; readonly containingInstant?: never; readonly before?: never; readonly after: Scalars['DateTimeOffset']['input']; };

export type GeoJsonPointInput = {
  readonly type: Scalars['String']['input'];
  /** Without `crs`: longitude (degrees), latitude (degrees), altitude (metres, optional). */
  readonly coordinates: ReadonlyArray<Scalars['Float']['input']>;
  readonly crs?: InputMaybe<GeoJsoncrsInput>;
};

export type GeoJsonPolygonInput = {
  readonly type: Scalars['String']['input'];
  /** Closed rings of four or more points; the first is the exterior, later ones are holes. */
  readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<Scalars['Float']['input']>>>;
  readonly crs?: InputMaybe<GeoJsoncrsInput>;
};

export type GeoJsonMultiPolygonInput = {
  readonly type: Scalars['String']['input'];
  readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<ReadonlyArray<Scalars['Float']['input']>>>>;
  readonly crs?: InputMaybe<GeoJsoncrsInput>;
};

export type GeoJsoncrsInput = {
  readonly type?: InputMaybe<Scalars['String']['input']>;
  readonly properties?: InputMaybe<Scalars['JSON']['input']>;
};

export type FilterGeofenceIntersectionInput = {
  readonly geofenceId?: InputMaybe<FilterIdInput>;
  /** The start of the intersection. */
  readonly time: FilterDateTimeOffsetInput;
  readonly and?: InputMaybe<ReadonlyArray<FilterGeofenceIntersectionInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterGeofenceIntersectionInput>>;
  readonly not?: InputMaybe<FilterGeofenceIntersectionInput>;
};

export type FilterGeofenceIntersectionMessageInput = {
  readonly geofenceId?: InputMaybe<FilterIdInput>;
  readonly tag?: InputMaybe<FilterStringInput>;
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly state?: InputMaybe<FilterMessageStateInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterGeofenceIntersectionMessageInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterGeofenceIntersectionMessageInput>>;
  readonly not?: InputMaybe<FilterGeofenceIntersectionMessageInput>;
};

export type GeofenceIntersectionsSortField =
  | 'ID'
  | 'START_TIME';

export type GeofenceIntersectionsSort = {
  readonly field: GeofenceIntersectionsSortField;
  readonly direction: SortDirection;
};

export type GeofenceBoundsInput = {
  /** In degrees. It may not cross itself or the antimeridian. */
  readonly polygon: GeoJsonPolygonInput;
};

export type CreateGeofenceInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly siteId: Scalars['ID']['input'];
  /** It must belong to the site. */
  readonly pointOfInterestId?: InputMaybe<Scalars['ID']['input']>;
  readonly bounds: GeofenceBoundsInput;
  readonly active: Scalars['Boolean']['input'];
};

/** A member that is left out keeps its value; null clears it. */
export type UpdateGeofenceInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  readonly pointOfInterestId?: InputMaybe<Scalars['ID']['input']>;
  readonly bounds?: InputMaybe<GeofenceBoundsInput>;
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FilterGeofenceInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly active?: InputMaybe<FilterBooleanInput>;
  readonly siteId?: InputMaybe<FilterIdInput>;
  readonly pointOfInterestId?: InputMaybe<FilterIdInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterGeofenceInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterGeofenceInput>>;
  readonly not?: InputMaybe<FilterGeofenceInput>;
};

export type GeofencesSortField =
  | 'ID'
  | 'NAME';

export type GeofencesSort = {
  readonly field: GeofencesSortField;
  readonly direction: SortDirection;
};

export type UploadImageInput = {
  readonly dataSourceId?: InputMaybe<Scalars['ID']['input']>;
  readonly fileName?: InputMaybe<Scalars['String']['input']>;
  readonly timestamp?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** The bytes of a PNG, JPEG, WebP or GIF in base64. */
  readonly data: Scalars['String']['input'];
  /** Adds the image to these events. */
  readonly eventIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Adds the image to these activity chronicles. */
  readonly activityChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

export type FilterImageInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly timestamp?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterImageInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterImageInput>>;
  readonly not?: InputMaybe<FilterImageInput>;
};

export type ImagesSortField =
  | 'ID'
  | 'DATA_SOURCE_ID'
  | 'TIMESTAMP';

export type ImagesSort = {
  readonly field: ImagesSortField;
  readonly direction: SortDirection;
};

export type CreatePointOfInterestInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly siteId: Scalars['ID']['input'];
  readonly name: Scalars['String']['input'];
  readonly position: GeoJsonPointInput;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/** A member that is left out keeps its value; null clears it. */
export type UpdatePointOfInterestInput = {
  readonly id: Scalars['ID']['input'];
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

export type FilterPointOfInterestInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly siteId?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterPointOfInterestInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterPointOfInterestInput>>;
  readonly not?: InputMaybe<FilterPointOfInterestInput>;
};

export type PointOfInterestSortField =
  | 'ID'
  | 'NAME';

export type PointOfInterestSort = {
  readonly field: PointOfInterestSortField;
  readonly direction: SortDirection;
};

export type SensorType =
  | 'NUMBER'
  | 'BOOLEAN'
  | 'TEXT';

export type SensorInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly type: SensorType;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly address?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/** A member that is left out keeps its value; null clears it. */
export type UpdateSensorInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** Measurements that exist already stay unchanged. */
  readonly type?: InputMaybe<SensorType>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly address?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

export type MeasurementInput = {
  readonly sensorId: Scalars['ID']['input'];
  readonly timestamp: Scalars['DateTimeOffset']['input'];
  /** A NUMBER sends a decimal number such as `-1.5` or `2e3`, a BOOLEAN `true` or `false`. */
  readonly value: Scalars['String']['input'];
};

export type FilterMeasurementInput = {
  readonly sensorId?: InputMaybe<FilterIdInput>;
  readonly time: FilterDateTimeOffsetInput;
  readonly and?: InputMaybe<ReadonlyArray<FilterMeasurementInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterMeasurementInput>>;
  readonly not?: InputMaybe<FilterMeasurementInput>;
};

export type FilterMeasurementActivityInput = {
  readonly sensorId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterMeasurementActivityInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterMeasurementActivityInput>>;
  readonly not?: InputMaybe<FilterMeasurementActivityInput>;
};

export type FilterSensorInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly type?: InputMaybe<FilterStringInput>;
  readonly position?: InputMaybe<FilterPointInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterSensorInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterSensorInput>>;
  readonly not?: InputMaybe<FilterSensorInput>;
};

export type SensorsSortField =
  | 'ID'
  | 'NAME';

export type SensorsSort = {
  readonly field: SensorsSortField;
  readonly direction: SortDirection;
};

export type MeasurementsSortField =
  | 'ID'
  | 'TIMESTAMP';

export type MeasurementsSort = {
  readonly field: MeasurementsSortField;
  readonly direction: SortDirection;
};

export type CreateSiteInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  /** IANA name; UTC unless given. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly polygon?: InputMaybe<GeoJsonMultiPolygonInput>;
};

/** A member that is left out keeps its value; null clears it. */
export type UpdateSiteInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  readonly polygon?: InputMaybe<GeoJsonMultiPolygonInput>;
};

export type FilterSiteInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterSiteInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterSiteInput>>;
  readonly not?: InputMaybe<FilterSiteInput>;
};

export type SitesSortField =
  | 'ID'
  | 'NAME';

export type SitesSort = {
  readonly field: SitesSortField;
  readonly direction: SortDirection;
};

/** Length of a time bucket. Buckets are aligned to UTC; the first one is that in which the range begins. */
export type SummaryBucketSize =
  /** For ranges of up to a day. */
  | 'MINUTES'
  /** For ranges of up to a day. */
  | 'MINUTES_10'
  /** For ranges of up to a day. */
  | 'MINUTES_12'
  /** For ranges of up to a day. */
  | 'MINUTES_15'
  /** For ranges of up to a day. */
  | 'MINUTES_20'
  /** For ranges of up to a day. */
  | 'MINUTES_30'
  /** For ranges of up to seven days. */
  | 'HOURS'
  | 'DAYS';

/** Which objects a range or a bucket counts. */
export type BucketingStrategy =
  /** Counts all objects that are active in it: an object may be in several time buckets. */
  | 'ACTIVE'
  /** Counts the objects that start in it. `startedCount` is the total, `endedCount` 0. */
  | 'STARTED'
  /** Counts the objects that end in it. `endedCount` is the total, `startedCount` 0. */
  | 'ENDED';

export type TracksSummaryBucketField =
  | 'TAG'
  | 'DATA_SOURCE_ID'
  | 'DATA_SOURCE_SITE'
  | 'DATA_SOURCE_POINT_OF_INTEREST';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type TracksSummaryBucketType = {
  readonly size?: InputMaybe<SummaryBucketSize>;
  /**
   * Takes precedence over the argument.
   * @deprecated Use the argument `bucketingStrategy`.
   */
  readonly bucketingStrategy?: InputMaybe<BucketingStrategy>;
  /** At most three. */
  readonly fields?: InputMaybe<ReadonlyArray<TracksSummaryBucketField>>;
};

/** A track must match all members. A member about an object that is missing does not match. */
export type FilterTracksSummaryInput = {
  readonly tag?: InputMaybe<FilterTagInput>;
  readonly dataSource?: InputMaybe<FilterDataSourceInput>;
  /** Site of the data source. */
  readonly site?: InputMaybe<FilterSiteInput>;
  /** Point of interest of the data source. */
  readonly pointOfInterest?: InputMaybe<FilterPointOfInterestInput>;
};

export type ZoneIntersectionSummaryBucketField =
  /** Zones of the same name are one bucket. */
  | 'ZONE_NAME'
  | 'TAG'
  | 'DATA_SOURCE';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type ZoneIntersectionSummaryBucketType = {
  readonly size?: InputMaybe<SummaryBucketSize>;
  /**
   * Takes precedence over the argument.
   * @deprecated Use the argument `bucketingStrategy`.
   */
  readonly bucketingStrategy?: InputMaybe<BucketingStrategy>;
  /** At most three. */
  readonly fields?: InputMaybe<ReadonlyArray<ZoneIntersectionSummaryBucketField>>;
};

export type FilterZoneIntersectionSummaryInput = {
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** Id of the tag. */
  readonly classId?: InputMaybe<FilterIdInput>;
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterZoneIntersectionSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterZoneIntersectionSummaryInput>>;
  readonly not?: InputMaybe<FilterZoneIntersectionSummaryInput>;
};

export type DetectionsSummaryBucketField =
  | 'TAG'
  | 'DATA_SOURCE_ID'
  | 'SITE';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type DetectionsSummaryBucketType = {
  readonly size?: InputMaybe<SummaryBucketSize>;
  /** At most three. */
  readonly fields?: InputMaybe<ReadonlyArray<DetectionsSummaryBucketField>>;
};

/** A member about an object that is missing does not match. */
export type FilterDetectionsSummaryInput = {
  readonly tag?: InputMaybe<FilterTagInput>;
  readonly dataSource?: InputMaybe<FilterDataSourceInput>;
  /** Site of the data source. */
  readonly site?: InputMaybe<FilterSiteInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDetectionsSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDetectionsSummaryInput>>;
  readonly not?: InputMaybe<FilterDetectionsSummaryInput>;
};

export type DeviceSummaryBucketField =
  | 'SITE'
  | 'POINT_OF_INTEREST';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type DeviceSummaryBucketType = {
  readonly size?: InputMaybe<SummaryBucketSize>;
  /** At most three. */
  readonly fields?: InputMaybe<ReadonlyArray<DeviceSummaryBucketField>>;
};

export type FilterDeviceSummaryInput = {
  readonly siteId?: InputMaybe<FilterIdInput>;
  /** A device without a site does not match. */
  readonly site?: InputMaybe<FilterSiteInput>;
  readonly pointOfInterestId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDeviceSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDeviceSummaryInput>>;
  readonly not?: InputMaybe<FilterDeviceSummaryInput>;
};

export type CreateSummaryChronicleInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly chronicleProducerId: Scalars['ID']['input'];
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly startTime: Scalars['DateTimeOffset']['input'];
  readonly endTime: Scalars['DateTimeOffset']['input'];
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  readonly activityChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly eventChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** A member that is left out keeps its value; null clears it. A list replaces the present one. */
export type UpdateSummaryChronicleInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly startTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  readonly activityChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly eventChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

export type FilterSummaryChronicleInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly chronicleProducerId?: InputMaybe<FilterIdInput>;
  readonly startTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly endTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly timezone?: InputMaybe<FilterStringInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly status?: InputMaybe<FilterStringInput>;
  readonly validation?: InputMaybe<FilterChronicleValidationStatusInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly locations?: InputMaybe<FilterStringListInput>;
  readonly activityChronicleIds?: InputMaybe<FilterIdListInput>;
  readonly eventChronicleIds?: InputMaybe<FilterIdListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterSummaryChronicleInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterSummaryChronicleInput>>;
  readonly not?: InputMaybe<FilterSummaryChronicleInput>;
};

export type FilterSummaryChronicleInputSubscription = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly chronicleProducerId?: InputMaybe<FilterIdInput>;
  readonly startTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly endTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly timezone?: InputMaybe<FilterStringInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly status?: InputMaybe<FilterStringInput>;
  readonly validation?: InputMaybe<FilterStringInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly locations?: InputMaybe<FilterStringListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterSummaryChronicleInputSubscription>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterSummaryChronicleInputSubscription>>;
  readonly not?: InputMaybe<FilterSummaryChronicleInputSubscription>;
};

export type SummaryChronicleSortField =
  | 'ID'
  | 'START_TIME'
  | 'END_TIME'
  | 'NAME'
  | 'PRIORITY'
  | 'STATUS';

export type SummaryChronicleSort = {
  readonly field: SummaryChronicleSortField;
  readonly direction: SortDirection;
};

export type FilterTagInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  /** In any case. */
  readonly name?: InputMaybe<FilterStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterTagInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterTagInput>>;
  readonly not?: InputMaybe<FilterTagInput>;
};

export type TagsSortField =
  | 'ID'
  | 'LABEL_NAME';

export type TagsSort = {
  readonly field: TagsSortField;
  readonly direction: SortDirection;
};

export type FilterTrackInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** Start time of the track. */
  readonly time?: InputMaybe<FilterDateTimeOffsetInput>;
  /** Period from `startTime` to `endTime`; a track that has not ended runs to the end of time. */
  readonly timeRange?: InputMaybe<FilterTimeRangeInput>;
  readonly finished?: InputMaybe<FilterBooleanInput>;
  /** Case-insensitive. */
  readonly tag?: InputMaybe<FilterStringInput>;
  /** Positions of the track's detections. */
  readonly position?: InputMaybe<FilterPointInput>;
  readonly identifier?: InputMaybe<FilterTrackPropertyInput>;
  readonly attribute?: InputMaybe<FilterTrackPropertyInput>;
  readonly pointOfInterestId?: InputMaybe<FilterIdInput>;
  /** Site of the track's data source. */
  readonly siteId?: InputMaybe<FilterIdInput>;
  readonly modelId?: InputMaybe<FilterIdInput>;
  /** Tests the name of the type. */
  readonly dataSourceType?: InputMaybe<FilterStringInput>;
  readonly dataSourceLabels?: InputMaybe<FilterStringListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterTrackInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterTrackInput>>;
  readonly not?: InputMaybe<FilterTrackInput>;
  /** @deprecated Use `dataSourceId`. */
  readonly deviceId?: InputMaybe<FilterIdInput>;
};

export type FilterTrackMessageInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** Case-insensitive. */
  readonly tag?: InputMaybe<FilterStringInput>;
  /** Positions of the track's detections. */
  readonly position?: InputMaybe<FilterPointInput>;
  readonly identifier?: InputMaybe<FilterTrackPropertyInput>;
  readonly attribute?: InputMaybe<FilterTrackPropertyInput>;
  readonly pointOfInterestId?: InputMaybe<FilterIdInput>;
  /** Site of the track's data source. */
  readonly siteId?: InputMaybe<FilterIdInput>;
  readonly modelId?: InputMaybe<FilterIdInput>;
  /** Tests the name of the type. */
  readonly dataSourceType?: InputMaybe<FilterStringInput>;
  readonly dataSourceLabels?: InputMaybe<FilterStringListInput>;
  readonly state?: InputMaybe<FilterMessageStateInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterTrackMessageInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterTrackMessageInput>>;
  readonly not?: InputMaybe<FilterTrackMessageInput>;
};

/** Detections of a track. */
export type FilterTrackDetectionInput = {
  /** Zones that the detection intersects. */
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** Geofences that the detection intersects. */
  readonly geofenceId?: InputMaybe<FilterIdInput>;
  readonly time: FilterDateTimeOffsetInput;
  readonly position?: InputMaybe<FilterPointInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterTrackDetectionInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterTrackDetectionInput>>;
  readonly not?: InputMaybe<FilterTrackDetectionInput>;
};

export type FilterTrackPropertyInput = {
  readonly type?: InputMaybe<FilterStringInput>;
  readonly value?: InputMaybe<FilterStringInput>;
};

export type TrackDetectionInput = {
  readonly timestamp: Scalars['DateTimeOffset']['input'];
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** Bounds in the captured image, in pixels. */
  readonly polygon?: InputMaybe<GeoJsonPolygonInput>;
  /** Degrees clockwise from north: 0 north, 90 east, 180 south, 270 west; expected between 0 and 360. */
  readonly direction?: InputMaybe<Scalars['Float']['input']>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

export type TrackPropertiesInput = {
  readonly identifier?: InputMaybe<TrackPropertyInput>;
  readonly attributes?: InputMaybe<ReadonlyArray<TrackPropertyInput>>;
};

export type TrackPropertyInput = {
  readonly type: Scalars['String']['input'];
  readonly value: Scalars['String']['input'];
};

export type CreateTrackInput = {
  /** Generated when omitted. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly dataSourceId: Scalars['ID']['input'];
  readonly tag: Scalars['String']['input'];
  readonly startTime: Scalars['DateTimeOffset']['input'];
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly detections: ReadonlyArray<TrackDetectionInput>;
  readonly properties?: InputMaybe<TrackPropertiesInput>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

export type UpdateTrackInput = {
  readonly id: Scalars['ID']['input'];
  readonly tag?: InputMaybe<Scalars['String']['input']>;
  readonly startTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Created and attached to the existing track. */
  readonly detections?: InputMaybe<ReadonlyArray<TrackDetectionInput>>;
  readonly properties?: InputMaybe<TrackPropertiesInput>;
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

export type TracksSortField =
  | 'ID'
  | 'TRACK_START_TIME';

export type TracksSort = {
  readonly field: TracksSortField;
  readonly direction: SortDirection;
};

export type VideosSummaryBucketField =
  | 'DATA_SOURCE_ID';

export type VideosSummaryBucketType = {
  readonly fields?: InputMaybe<ReadonlyArray<VideosSummaryBucketField>>;
};

export type FilterVideosSummaryInput = {
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterVideosSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterVideosSummaryInput>>;
  readonly not?: InputMaybe<FilterVideosSummaryInput>;
};

export type CreateVideoInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly dataSourceId: Scalars['ID']['input'];
  readonly startTime: Scalars['DateTimeOffset']['input'];
  /** Left out: the video is ongoing. */
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Path of the video in the media store, for example `recordings/gate/2026-01-01.mp4`. */
  readonly path: Scalars['String']['input'];
  /** Path of a preview image of the video in the media store. */
  readonly thumbnailPath?: InputMaybe<Scalars['String']['input']>;
  readonly displayName?: InputMaybe<Scalars['String']['input']>;
  readonly resolutionHeight?: InputMaybe<Scalars['String']['input']>;
  readonly resolutionWidth?: InputMaybe<Scalars['String']['input']>;
  readonly frameRate?: InputMaybe<Scalars['Float']['input']>;
};

/** A member that is left out keeps its value; null clears it. A video stays with its data source. */
export type UpdateVideoInput = {
  readonly id: Scalars['ID']['input'];
  readonly startTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  readonly path?: InputMaybe<Scalars['String']['input']>;
  readonly thumbnailPath?: InputMaybe<Scalars['String']['input']>;
  readonly displayName?: InputMaybe<Scalars['String']['input']>;
  readonly resolutionHeight?: InputMaybe<Scalars['String']['input']>;
  readonly resolutionWidth?: InputMaybe<Scalars['String']['input']>;
  readonly frameRate?: InputMaybe<Scalars['Float']['input']>;
};

export type FilterVideoInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly startTime: FilterDateTimeOffsetInput;
  readonly endTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterVideoInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterVideoInput>>;
  readonly not?: InputMaybe<FilterVideoInput>;
};

export type FilterVideoActivityInput = {
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterVideoActivityInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterVideoActivityInput>>;
  readonly not?: InputMaybe<FilterVideoActivityInput>;
};

export type VideosSortField =
  | 'ID'
  | 'DATA_SOURCE_ID'
  | 'START_TIME'
  | 'END_TIME';

export type VideosSort = {
  readonly field: VideosSortField;
  readonly direction: SortDirection;
};

export type FilterZoneIntersectionInput = {
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** Start time of the intersection. */
  readonly time: FilterDateTimeOffsetInput;
  readonly tag?: InputMaybe<FilterStringInput>;
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterZoneIntersectionInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterZoneIntersectionInput>>;
  readonly not?: InputMaybe<FilterZoneIntersectionInput>;
};

export type FilterZoneIntersectionMessageInput = {
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** Data source of the intersection's track. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly state?: InputMaybe<FilterMessageStateInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterZoneIntersectionMessageInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterZoneIntersectionMessageInput>>;
  readonly not?: InputMaybe<FilterZoneIntersectionMessageInput>;
};

export type ZoneIntersectionsSortField =
  | 'ID'
  | 'START_TIME';

export type ZoneIntersectionsSort = {
  readonly field: ZoneIntersectionsSortField;
  readonly direction: SortDirection;
};

export type CreateZoneInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly dataSourceId: Scalars['ID']['input'];
  readonly name: Scalars['String']['input'];
  readonly polygon: GeoJsonPolygonInput;
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
};

export type UpdateZoneInput = {
  readonly id: Scalars['ID']['input'];
  readonly dataSourceId?: InputMaybe<Scalars['ID']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly polygon?: InputMaybe<GeoJsonPolygonInput>;
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
};

export type FilterZoneInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly active?: InputMaybe<FilterBooleanInput>;
  readonly createdAt?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly updatedAt?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterZoneInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterZoneInput>>;
  readonly not?: InputMaybe<FilterZoneInput>;
};

export type ZonesSortField =
  | 'ID'
  | 'NAME';

export type ZonesSort = {
  readonly field: ZonesSortField;
  readonly direction: SortDirection;
};
