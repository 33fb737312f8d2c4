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

/** Values by which activities are put into buckets. */
export type ActivityChronicleSummaryBucketField =
  /** One bucket for each name. */
  | 'NAME'
  /** One bucket for each text. */
  | 'DESCRIPTION'
  /** One bucket for each text. */
  | 'PRIORITY'
  /** One bucket for each text. */
  | 'STATUS'
  /** One bucket for each producer that exists. */
  | 'CHRONICLE_PRODUCER'
  /** An activity counts in the bucket of each of its sites. */
  | 'SITE'
  /** An activity counts in the bucket of each of its data sources. */
  | 'DATA_SOURCE'
  /** An activity counts in the bucket of each of its labels. */
  | 'LABEL'
  /** One bucket for `VALID`, one for `INVALID`, and one for activities without a validation. */
  | 'VALIDATION_STATUS'
  /** One bucket for all, because no input sets an approval. */
  | 'APPROVAL_STATUS';

/** Resolution of H3: the higher, the smaller the cells. */
export type PositionBucketPrecision =
  /** Hexagons with sides of about 1 280 km. */
  | 'RESOLUTION_0'
  /** The same as `RESOLUTION_0`. */
  | 'CONTINENTAL'
  /** Hexagons with sides of about 480 km. */
  | 'RESOLUTION_1'
  /** Hexagons with sides of about 180 km. */
  | 'RESOLUTION_2'
  /** Hexagons with sides of about 69 km. */
  | 'RESOLUTION_3'
  /** Hexagons with sides of about 26 km. */
  | 'RESOLUTION_4'
  /** The same as `RESOLUTION_5`. */
  | 'REGIONAL'
  /** Hexagons with sides of about 9.9 km. */
  | 'RESOLUTION_5'
  /** Hexagons with sides of about 3.7 km. */
  | 'RESOLUTION_6'
  /** Hexagons with sides of about 1.4 km. */
  | 'RESOLUTION_7'
  /** The same as `RESOLUTION_7`. */
  | 'DISTRICT'
  /** Hexagons with sides of about 530 m. */
  | 'RESOLUTION_8'
  /** Hexagons with sides of about 200 m. */
  | 'RESOLUTION_9'
  /** The same as `RESOLUTION_9`. */
  | 'NEIGHBORHOOD'
  /** Hexagons with sides of about 76 m. */
  | 'RESOLUTION_10'
  /** Hexagons with sides of about 29 m. */
  | 'RESOLUTION_11'
  /** Hexagons with sides of about 11 m. */
  | 'RESOLUTION_12'
  /** The same as `RESOLUTION_12`. */
  | 'BUILDING'
  /** Hexagons with sides of about 4 m. */
  | 'RESOLUTION_13'
  /** Hexagons with sides of about 1.5 m. */
  | 'RESOLUTION_14'
  /** Hexagons with sides of about 0.6 m. */
  | 'RESOLUTION_15';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type ActivityChronicleSummaryBucketType = {
  /** Cuts the range into time buckets. At most 20 000 buckets in all (`API_MAX_BUCKETS`). */
  readonly size?: InputMaybe<SummaryBucketSize>;
  /**
   * Takes precedence over the argument.
   * @deprecated Use the argument `bucketingStrategy`.
   */
  readonly bucketingStrategy?: InputMaybe<BucketingStrategy>;
  /** At most three. */
  readonly fields?: InputMaybe<ReadonlyArray<ActivityChronicleSummaryBucketField>>;
  /** Groups by the H3 cell of the position. Activities without a position are one bucket. */
  readonly position?: InputMaybe<PositionBucketPrecision>;
  /** Groups by the text at each path; at most ten paths. */
  readonly metadata?: InputMaybe<ReadonlyArray<JsonFieldStringBucket>>;
};

/** A place in the metadata by which buckets are made. An object or array there is its JSON text. */
export type JsonFieldStringBucket = {
  /** Keys, and indexes of arrays from 0; at most 30. A missing path counts as null. */
  readonly path: ReadonlyArray<Scalars['String']['input']>;
};

/** Conditions on activities. All members must match. */
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
  /** No input sets an approval: every activity is without one. */
  readonly approvalStatus?: InputMaybe<FilterStringInput>;
  readonly position?: InputMaybe<FilterPointInput>;
  readonly metadata?: InputMaybe<FilterJsonFieldStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterActivityChronicleSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterActivityChronicleSummaryInput>>;
  readonly not?: InputMaybe<FilterActivityChronicleSummaryInput>;
};

/** A new activity. A text has 1 to 1 024 characters, a list at most 1 000 entries. */
export type CreateActivityChronicleInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  /** No update changes it. */
  readonly chronicleProducerId: Scalars['ID']['input'];
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** In the years 1900 to 2299. */
  readonly startTime: Scalars['DateTimeOffset']['input'];
  /** Not before `startTime`. Left out: the activity has not ended. */
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. No time depends on it. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** Free words to filter by. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Names of places, as any texts. */
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  /** Images that exist already. */
  readonly imageIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** A video must cover each, else NOT_FOUND. */
  readonly clips?: InputMaybe<ReadonlyArray<CreateClipInput>>;
  /** Tracks that exist already. */
  readonly trackIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Sites that exist already. */
  readonly siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Data sources that exist already. */
  readonly dataSourceIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Tags that exist already. */
  readonly tagIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Points of interest that exist already. */
  readonly pointOfInterestIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/**
 * Changes of an activity. A member that is left out keeps its value; null clears it, or is BAD_USER_INPUT if there
 * must be a value. A list replaces the present one. A text has 1 to 1 024 characters, a list at most 1 000 entries.
 */
export type UpdateActivityChronicleInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** In the years 1900 to 2299. */
  readonly startTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Not before `startTime`. Null: the activity goes on. */
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. No time depends on it. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** Free words to filter by. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Names of places, as any texts. */
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  /** Images that exist already. */
  readonly imageIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** A video must cover each, else NOT_FOUND. */
  readonly clips?: InputMaybe<ReadonlyArray<CreateClipInput>>;
  /** Tracks that exist already. */
  readonly trackIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Sites that exist already. */
  readonly siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Data sources that exist already. */
  readonly dataSourceIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Tags that exist already. */
  readonly tagIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Points of interest that exist already. */
  readonly pointOfInterestIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** Conditions on activities. All members must match. */
export type FilterActivityChronicleInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly description?: InputMaybe<FilterStringInput>;
  readonly startTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly endTime?: InputMaybe<FilterDateTimeOffsetInput>;
  /** Tests the period from `startTime` to `endTime`. */
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

/** Conditions on activities that were created or changed, as they are then. All members must match. */
export type FilterActivityChronicleInputSubscription = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly startTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly endTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly timezone?: InputMaybe<FilterStringInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly status?: InputMaybe<FilterStringInput>;
  /** Tests the name of the status: `VALID` or `INVALID`. A chronicle without a validation has none. */
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

/** Values by which activities are sorted. */
export type ActivityChronicleSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The beginning, in chronological order. */
  | 'START_TIME'
  /** Activities that have not ended come last in `ASC` and first in `DESC`. */
  | 'END_TIME'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME'
  /** The priority, compared as text. Missing ones come last in `ASC` and first in `DESC`. */
  | 'PRIORITY'
  /** The status, compared as text. Missing ones come last in `ASC` and first in `DESC`. */
  | 'STATUS';

/** One criterion of the order. Later ones decide between equal entries. */
export type ActivityChronicleSort = {
  readonly field: ActivityChronicleSortField;
  readonly direction: SortDirection;
};

/** Direction of a sort. A missing value counts as the last one. */
export type SortDirection =
  /** Lowest or earliest first; missing values last. */
  | 'ASC'
  /** Highest or latest first; missing values first. */
  | 'DESC';

/** Place of a message in the group of messages about one object, such as one track. */
export type MessageState =
  /** Start of a group of messages. */
  | 'START'
  /** Update to an existing group. */
  | 'UPDATE'
  /** End of an existing group. */
  | 'END';

/** A new chronicle producer. A text has 1 to 1 024 characters, a list at most 1 000 entries. */
export type CreateChronicleProducerInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** A mark for clients: chronicles may refer to an inactive producer, too. */
  readonly active: Scalars['Boolean']['input'];
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Suggestions for the reason of an `INVALID` validation; empty unless given. */
  readonly validationReasons?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/**
 * Changes of a chronicle producer. A member that is left out keeps its value; null clears it, or is BAD_USER_INPUT if
 * there must be a value. A text has 1 to 1 024 characters, a list at most 1 000 entries.
 */
export type UpdateChronicleProducerInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** A mark for clients: chronicles may refer to an inactive producer, too. */
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Suggestions for the reason of an `INVALID` validation; they replace the present ones. */
  readonly validationReasons?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** Conditions on chronicle producers. All members must match. */
export type FilterChronicleProducerInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly active?: InputMaybe<FilterBooleanInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterChronicleProducerInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterChronicleProducerInput>>;
  readonly not?: InputMaybe<FilterChronicleProducerInput>;
};

/** Values by which chronicle producers are sorted. */
export type ChronicleProducersSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME';

/** One criterion of the order. Later ones decide between equal entries. */
export type ChronicleProducersSort = {
  readonly field: ChronicleProducersSortField;
  readonly direction: SortDirection;
};

/** A new chronicle producer. A text has 1 to 1 024 characters, a list at most 1 000 entries. */
export type EventProducerInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** True unless given. A mark for clients: chronicles may refer to an inactive producer, too. */
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/**
 * Changes of a chronicle producer. A member that is left out keeps its value; null clears it, or is BAD_USER_INPUT if
 * there must be a value. A text has 1 to 1 024 characters, a list at most 1 000 entries.
 */
export type UpdateEventProducerInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** A mark for clients: chronicles may refer to an inactive producer, too. */
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/** Conditions on chronicle producers. All members must match. */
export type FilterEventProducerInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventProducerInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventProducerInput>>;
  readonly not?: InputMaybe<FilterEventProducerInput>;
};

/** Values by which chronicle producers are sorted. */
export type EventProducersSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The name, compared as text: upper case comes before lower case. */
  | 'EVENT_PRODUCER_NAME';

/** One criterion of the order. Later ones decide between equal entries. */
export type EventProducersSort = {
  readonly field: EventProducersSortField;
  readonly direction: SortDirection;
};

/** Result of the check of a chronicle. */
export type ChronicleValidationStatus =
  /** The chronicle was confirmed. */
  | 'VALID'
  /** The chronicle was rejected, with a reason. */
  | 'INVALID';

/** A judgement about a chronicle. It replaces the present one as a whole. A text has 1 to 1 024 characters. */
export type ChronicleValidationInput = {
  readonly status: ChronicleValidationStatus;
  /** Becomes the `reason`. An `INVALID` chronicle needs one, but not one of the producer's `validationReasons`. */
  readonly summary?: InputMaybe<Scalars['String']['input']>;
  /** Additional text. */
  readonly details?: InputMaybe<Scalars['String']['input']>;
};

/** Tests the status of a chronicle's validation. A chronicle without one has no status. */
export type FilterChronicleValidationStatusInput = {
  readonly eq?: InputMaybe<ChronicleValidationStatus>;
  /** Any other status, or none. */
  readonly ne?: InputMaybe<ChronicleValidationStatus>;
  readonly in?: InputMaybe<ReadonlyArray<ChronicleValidationStatus>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A period of a data source. One video must cover it, else NOT_FOUND. */
export type CreateClipInput = {
  /** NOT_FOUND if the data source does not exist. */
  readonly dataSourceId: Scalars['ID']['input'];
  /** In the years 1900 to 2299. */
  readonly startTime: Scalars['DateTimeOffset']['input'];
  /** Not before `startTime`; an equal time makes a clip of one instant. */
  readonly endTime: Scalars['DateTimeOffset']['input'];
};

/** An instant of a data source, from whose video a frame is taken. */
export type CreateSnapshotInput = {
  /** NOT_FOUND if the data source does not exist. */
  readonly dataSourceId: Scalars['ID']['input'];
  /** In the years 1900 to 2299. */
  readonly timestamp: Scalars['DateTimeOffset']['input'];
};

/** Origin of the detections of a data source. */
export type DataSourceType =
  /** Stored media. */
  | 'FOLDER'
  /** Camera that produces video. */
  | 'VIDEO_DEVICE'
  /** Camera that produces images. */
  | 'IMAGE_DEVICE'
  /** Reports tracks and detections directly. */
  | 'GEOPOSITION';

/** A new data source. A text has 1 to 1 024 characters, a list at most 1 000 entries. */
export type CreateDataSourceInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly type: DataSourceType;
  /** Free words to filter by. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/**
 * Changes of a data source. A member that is left out keeps its value; null clears it, or is BAD_USER_INPUT if there
 * must be a value. A text has 1 to 1 024 characters, a list at most 1 000 entries.
 */
export type UpdateDataSourceInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly type?: InputMaybe<DataSourceType>;
  /** Replaces all labels. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** Conditions on data sources. All members must match. */
export type FilterDataSourceInput = {
  /** Tests the name of the type, such as `VIDEO_DEVICE`. */
  readonly type?: InputMaybe<FilterStringInput>;
  /** Tests the position of its device. */
  readonly position?: InputMaybe<FilterPointInput>;
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDataSourceInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDataSourceInput>>;
  readonly not?: InputMaybe<FilterDataSourceInput>;
};

/** Values by which data sources are sorted. */
export type DataSourceSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME';

/** One criterion of the order. Later ones decide between equal entries. */
export type DataSourceSort = {
  readonly field: DataSourceSortField;
  readonly direction: SortDirection;
};

/** A detection of a track that exists. */
export type CreateDetectionInput = {
  /** NOT_FOUND if the track does not exist. Of several tracks with this id, the one seen last. */
  readonly trackId: Scalars['ID']['input'];
  /** Not before the start of the track, and at most five minutes in the future (`MAX_FUTURE_MS`). */
  readonly timestamp: Scalars['DateTimeOffset']['input'];
  /** In degrees. Without it, the calibration of the camera gives a position to a detection with a polygon. */
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /**
   * Bounds in the captured image, in pixels: closed rings that do not cross, of at most 256 vertices together
   * (`MAX_DETECTION_VERTICES`).
   */
  readonly polygon?: InputMaybe<GeoJsonPolygonInput>;
  /**
   * Degrees clockwise from north: 0 north, 90 east, 180 south, 270 west; expected between 0 and 360. Any other number
   * is brought into this range.
   */
  readonly direction?: InputMaybe<Scalars['Float']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/** Conditions on detections. All members must match. */
export type FilterDetectionInput = {
  /** Data source of the track. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** Id of the track, which tracks of several data sources may have. */
  readonly trackId?: InputMaybe<FilterIdInput>;
  /** One of the zones that the detection intersects must match; `ne` must hold for all of them. */
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** One of the geofences that the detection intersects must match; `ne` must hold for all of them. */
  readonly geofenceId?: InputMaybe<FilterIdInput>;
  /** Present tag of the track. Case-insensitive. */
  readonly tag?: InputMaybe<FilterStringInput>;
  /** Timestamp of the detection. An empty object matches every time. */
  readonly time: FilterDateTimeOffsetInput;
  /** In degrees, also of a position that a calibration gave. */
  readonly position?: InputMaybe<FilterPointInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDetectionInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDetectionInput>>;
  readonly not?: InputMaybe<FilterDetectionInput>;
  /**
   * Id of the data source's device, or of the data source if it has none.
   * @deprecated Use `dataSourceId`.
   */
  readonly deviceId?: InputMaybe<FilterIdInput>;
};

/** Conditions on new detections. All members must match. */
export type FilterDetectionActivityInput = {
  /** Data source of the track. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** One of the active zones that the detection intersects must match; `ne` must hold for all of them. */
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** One of the active geofences that the detection intersects must match; `ne` must hold for all of them. */
  readonly geofenceId?: InputMaybe<FilterIdInput>;
  /** Tag of the track. Case-insensitive. */
  readonly tag?: InputMaybe<FilterStringInput>;
  /** In degrees, also of a position that a calibration gave. */
  readonly position?: InputMaybe<FilterPointInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDetectionActivityInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDetectionActivityInput>>;
  readonly not?: InputMaybe<FilterDetectionActivityInput>;
  /**
   * Id of the data source's device, or of the data source if it has none.
   * @deprecated Use `dataSourceId`.
   */
  readonly deviceId?: InputMaybe<FilterIdInput>;
};

/** Values by which detections are sorted. */
export type DetectionsSortField =
  /** The detection's `timestamp`. */
  | 'DETECTION_TIME'
  /** The id of the track, compared as text. */
  | 'GLOBAL_TRACK_ID';

/** One criterion of the order. Later ones decide between equal entries. */
export type DetectionsSort = {
  readonly field: DetectionsSortField;
  readonly direction: SortDirection;
};

/** Reason of a message about a device. */
export type DeviceMessageState =
  /** The device is new. */
  | 'CREATE'
  /** The device has changed. */
  | 'UPDATE'
  /** The device has a new `lastHeartbeat`. */
  | 'HEARTBEAT';

/** A new device. A text has 1 to 1 024 characters. */
export type CreateDeviceInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** A data source without a device. Left out: one is made, a `VIDEO_DEVICE` with the device's name and id. */
  readonly dataSourceId?: InputMaybe<Scalars['ID']['input']>;
  /** Left out: that of the point of interest. */
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  /** It must belong to the device's site, otherwise BAD_USER_INPUT. */
  readonly pointOfInterestId?: InputMaybe<Scalars['ID']['input']>;
  /** Any text. */
  readonly transcoderId?: InputMaybe<Scalars['ID']['input']>;
  /** The device's id in another system. It need not be unique. */
  readonly externalId?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  /** Address of the feed, for example an RTSP URL. */
  readonly address?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** Whether the feed is persisted. Detections are accepted either way. */
  readonly enabled: Scalars['Boolean']['input'];
};

/**
 * Changes of a device. A member that is left out keeps its value; null clears it, or is BAD_USER_INPUT if there must
 * be a value. A text has 1 to 1 024 characters.
 */
export type UpdateDeviceInput = {
  readonly id: Scalars['ID']['input'];
  /** BAD_USER_INPUT when the point of interest belongs to another site. */
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  /** It must belong to the device's site, otherwise BAD_USER_INPUT. */
  readonly pointOfInterestId?: InputMaybe<Scalars['ID']['input']>;
  /** Any text. */
  readonly transcoderId?: InputMaybe<Scalars['ID']['input']>;
  /** The device's id in another system. It need not be unique. */
  readonly externalId?: InputMaybe<Scalars['ID']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Address of the feed, for example an RTSP URL. */
  readonly address?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** Whether the feed is persisted. Detections are accepted either way. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A new calibration of a device. */
export type CreateDeviceCalibrationInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** NOT_FOUND if the device does not exist. */
  readonly deviceId: Scalars['ID']['input'];
  /** The calibration applies to detections from this instant on. */
  readonly timestamp: Scalars['DateTimeOffset']['input'];
  /** 1 to 100. Four are needed to compute positions; more make them more exact. */
  readonly markers: ReadonlyArray<DeviceCalibrationMarkerInput>;
};

/** Pairs a point of the world with a point of the image. */
export type DeviceCalibrationMarkerInput = {
  readonly name: Scalars['String']['input'];
  readonly position: GeoJsonPointInput;
  /** In image coordinates: x to the right, y downwards. It has no `crs`. */
  readonly pixel: GeoJsonPointInput;
};

/** Conditions on devices. All members must match. */
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

/** Values by which devices are sorted. */
export type DevicesSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME';

/** One criterion of the order. Later ones decide between equal entries. */
export type DevicesSort = {
  readonly field: DevicesSortField;
  readonly direction: SortDirection;
};

/** Conditions on messages about devices. All members must match. */
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

/** Conditions on the state of a message. */
export type FilterDeviceMessageStateInput = {
  readonly eq?: InputMaybe<DeviceMessageState>;
  readonly ne?: InputMaybe<DeviceMessageState>;
  readonly in?: InputMaybe<ReadonlyArray<DeviceMessageState>>;
};

/** A new event. A text has 1 to 1 024 characters, a list at most 1 000 entries. */
export type CreateEventChronicleInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  /** No update changes it. */
  readonly chronicleProducerId: Scalars['ID']['input'];
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** In the years 1900 to 2299. */
  readonly timestamp: Scalars['DateTimeOffset']['input'];
  /** IANA name of a time zone, for example `Europe/Amsterdam`. No time depends on it. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  /** Free words to filter by. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Names of places, as any texts. */
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  /** Activities that exist already. */
  readonly activityChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/**
 * Changes of an event. A member that is left out keeps its value; null clears it, or is BAD_USER_INPUT if there must
 * be a value. A list replaces the present one. A text has 1 to 1 024 characters, a list at most 1 000 entries.
 */
export type UpdateEventChronicleInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** In the years 1900 to 2299. */
  readonly timestamp?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. No time depends on it. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  /** Free words to filter by. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Names of places, as any texts. */
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  /** Activities that exist already. */
  readonly activityChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** Conditions on events. All members must match. */
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
  /** Deleted activities do not count. */
  readonly activityChronicleIds?: InputMaybe<FilterIdListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventChronicleInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventChronicleInput>>;
  readonly not?: InputMaybe<FilterEventChronicleInput>;
};

/** Conditions on events that were created or changed, as they are then. All members must match. */
export type FilterEventChronicleInputSubscription = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly chronicleProducerId?: InputMaybe<FilterIdInput>;
  readonly timestamp?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly timezone?: InputMaybe<FilterStringInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly status?: InputMaybe<FilterStringInput>;
  /** Tests the name of the status: `VALID` or `INVALID`. A chronicle without a validation has none. */
  readonly validation?: InputMaybe<FilterStringInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly locations?: InputMaybe<FilterStringListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventChronicleInputSubscription>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventChronicleInputSubscription>>;
  readonly not?: InputMaybe<FilterEventChronicleInputSubscription>;
};

/** Values by which events are sorted. */
export type EventChronicleSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The instant, in chronological order. */
  | 'TIMESTAMP'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME'
  /** The priority, compared as text. Missing ones come last in `ASC` and first in `DESC`. */
  | 'PRIORITY'
  /** The status, compared as text. Missing ones come last in `ASC` and first in `DESC`. */
  | 'STATUS';

/** One criterion of the order. Later ones decide between equal entries. */
export type EventChronicleSort = {
  readonly field: EventChronicleSortField;
  readonly direction: SortDirection;
};

/** Values by which events are put into buckets. */
export type EventsSummaryBucketField =
  /** Name of the activity. */
  | 'TYPE'
  /** First label of the activity. */
  | 'SUB_TYPE'
  /** One bucket for each producer that exists. */
  | 'EVENT_PRODUCER_ID'
  /** One bucket for each text. */
  | 'PRIORITY'
  /** Mark that a mutation of events has set. */
  | 'DRAFT'
  /** One bucket for `VALID`, one for `INVALID`, and one for events without a validation. */
  | 'VALIDATION_STATUS';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type EventsSummaryBucketType = {
  /** Cuts the range into time buckets. At most 20 000 buckets in all (`API_MAX_BUCKETS`). */
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

/** Conditions on events. All members must match. */
export type FilterEventsSummaryInput = {
  /** The chronicle producer of the activity. */
  readonly eventProducerId?: InputMaybe<FilterIdInput>;
  /** Name of the activity. Case-sensitive, except `like`. */
  readonly type?: InputMaybe<FilterStringInput>;
  /** First label of the activity. Case-sensitive, except `like`. */
  readonly subType?: InputMaybe<FilterStringInput>;
  /** An event whose mark is null passes only `ne` and `attributeExists: false`. */
  readonly draft?: InputMaybe<FilterBooleanInput>;
  /** Case-sensitive, except `like`. */
  readonly priority?: InputMaybe<FilterStringInput>;
  /** Status of the validation. */
  readonly validation?: InputMaybe<FilterEventValidationStatusInput>;
  /** The text at a path. */
  readonly metadata?: InputMaybe<FilterJsonFieldStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventsSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventsSummaryInput>>;
  readonly not?: InputMaybe<FilterEventsSummaryInput>;
};

/** Result of the check of an event. */
export type EventValidationStatus =
  /** The event was confirmed. */
  | 'VALID'
  /** The event was rejected, with a reason. */
  | 'INVALID';

/** A judgement about an event. It replaces the present one as a whole. A text has 1 to 1 024 characters. */
export type EventValidationInput = {
  /** Result of the check. */
  readonly status: EventValidationStatus;
  /** Required when the status is `INVALID`. It need not be one of the producer's `invalidReasons`. */
  readonly reason?: InputMaybe<Scalars['String']['input']>;
  /** Additional text. */
  readonly details?: InputMaybe<Scalars['String']['input']>;
};

/** Objects to which an event refers. Each list has at most 1 000 entries; NOT_FOUND if one does not exist. */
export type EventPropertiesInput = {
  /** Sites that the event concerns. */
  readonly siteIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Data sources that the event concerns. */
  readonly dataSourceIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Names of tags; a new name makes a tag. */
  readonly tags?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Points of interest that the event concerns. */
  readonly pointOfInterestIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** A new activity chronicle, under its former name. A text has 1 to 1 024 characters. */
export type CreateEventInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** Id of a chronicle producer; NOT_FOUND if it does not exist. */
  readonly eventProducerId: Scalars['String']['input'];
  /** Becomes the name of the activity. */
  readonly type: Scalars['String']['input'];
  /** Becomes the only label of the activity. */
  readonly subType?: InputMaybe<Scalars['String']['input']>;
  /** In the years 1900 to 2299. */
  readonly startTime: Scalars['DateTimeOffset']['input'];
  /** Not before `startTime`. Left out: the event has not ended. */
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** In degrees. */
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Adds the images that the query `snapshot` gives for these instants. At most 50, together with `uploads`. */
  readonly snapshots?: InputMaybe<ReadonlyArray<CreateSnapshotInput>>;
  /** Adds these images, as `uploadImage` does. At most 50, together with `snapshots`. */
  readonly uploads?: InputMaybe<ReadonlyArray<UploadImageInput>>;
  /** Images that exist already; at most 1 000. */
  readonly imageIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** A video must cover each. At most 1 000. */
  readonly clips?: InputMaybe<ReadonlyArray<CreateClipInput>>;
  /** Tracks that exist already; at most 1 000. */
  readonly trackIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Further objects to which the event refers. */
  readonly properties?: InputMaybe<EventPropertiesInput>;
  /** A mark for clients, without an effect here. */
  readonly draft: Scalars['Boolean']['input'];
  /** Left out: nobody has checked the event yet. */
  readonly validation?: InputMaybe<EventValidationInput>;
  /** Any text. */
  readonly priority?: InputMaybe<Scalars['String']['input']>;
};

/**
 * Changes of an event. A member left out keeps its value; null clears it, but is BAD_USER_INPUT for `type` and
 * `startTime`. `uploads` and `snapshots` are added; other lists are replaced.
 */
export type UpdateEventInput = {
  /** NOT_FOUND if the event does not exist. */
  readonly id: Scalars['ID']['input'];
  /** Becomes the name of the activity. */
  readonly type?: InputMaybe<Scalars['String']['input']>;
  /** Replaces the first label of the activity. Null removes that label, so the next one becomes the subtype. */
  readonly subType?: InputMaybe<Scalars['String']['input']>;
  /** In the years 1900 to 2299. */
  readonly startTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Not before `startTime`. Null: the event goes on. */
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** In degrees. */
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** Replaces all metadata. At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Taken only by an update that ends an open event, and added to the images. At most 50, together with `uploads`. */
  readonly snapshots?: InputMaybe<ReadonlyArray<CreateSnapshotInput>>;
  /** Added to the images. At most 50, together with `snapshots`. */
  readonly uploads?: InputMaybe<ReadonlyArray<UploadImageInput>>;
  /** Replaces the images; those of `uploads` and `snapshots` are added to them. At most 1 000. */
  readonly imageIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** A video must cover each. At most 1 000. */
  readonly clips?: InputMaybe<ReadonlyArray<CreateClipInput>>;
  /** Tracks that exist already; at most 1 000. */
  readonly trackIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** A list left out stays. Null clears all four lists. */
  readonly properties?: InputMaybe<EventPropertiesInput>;
  /** A mark for clients, without an effect here. */
  readonly draft?: InputMaybe<Scalars['Boolean']['input']>;
  /** Replaces the present validation as a whole; null removes it. */
  readonly validation?: InputMaybe<EventValidationInput>;
  /** Any text. */
  readonly priority?: InputMaybe<Scalars['String']['input']>;
};

/** Tests the status of an event's validation. An event without one passes only `ne` and `attributeExists: false`. */
export type FilterEventValidationStatusInput = {
  /** Exactly this status. */
  readonly eq?: InputMaybe<EventValidationStatus>;
  /** Any other status, or none. */
  readonly ne?: InputMaybe<EventValidationStatus>;
  /** One of these statuses. */
  readonly in?: InputMaybe<ReadonlyArray<EventValidationStatus>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Conditions on events. All members must match. */
export type FilterEventInput = {
  /** The chronicle producer of the activity. */
  readonly eventProducerId?: InputMaybe<FilterIdInput>;
  /** Name of the activity. Case-sensitive, except `like`. */
  readonly type?: InputMaybe<FilterStringInput>;
  /** First label of the activity. Case-sensitive, except `like`. */
  readonly subType?: InputMaybe<FilterStringInput>;
  /** Start time of the event. An empty object matches every start. */
  readonly time: FilterDateTimeOffsetInput;
  /** An event whose mark is null passes only `ne` and `attributeExists: false`. */
  readonly draft?: InputMaybe<FilterBooleanInput>;
  /** Case-sensitive, except `like`. */
  readonly priority?: InputMaybe<FilterStringInput>;
  /** Status of the validation. */
  readonly validation?: InputMaybe<FilterEventValidationStatusInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventInput>>;
  readonly not?: InputMaybe<FilterEventInput>;
};

/** Conditions on events that were created or changed, as they are then. All members must match. */
export type FilterEventActivityInput = {
  /** The chronicle producer of the activity. */
  readonly eventProducerId?: InputMaybe<FilterIdInput>;
  /** Name of the activity. Case-sensitive, except `like`. */
  readonly type?: InputMaybe<FilterStringInput>;
  /** First label of the activity. Case-sensitive, except `like`. */
  readonly subType?: InputMaybe<FilterStringInput>;
  /** An event whose mark is null passes only `ne` and `attributeExists: false`. */
  readonly draft?: InputMaybe<FilterBooleanInput>;
  /** Case-sensitive, except `like`. */
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterEventActivityInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterEventActivityInput>>;
  readonly not?: InputMaybe<FilterEventActivityInput>;
};

/** Values by which events are sorted. */
export type EventsSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The beginning of the activity. */
  | 'START_TIME';

/** One criterion of the order. Later ones decide between equal entries. */
export type EventsSort = {
  readonly field: EventsSortField;
  readonly direction: SortDirection;
};

/** Conditions on an id. All members must match. A missing id passes only `ne`. */
export type FilterIdInput = {
  /** Any other id, or none. */
  readonly ne?: InputMaybe<Scalars['ID']['input']>;
  readonly eq?: InputMaybe<Scalars['ID']['input']>;
  /** One of these; an empty list passes nothing. */
  readonly in?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** Conditions on a list of ids. All members must match. A missing list counts as an empty one. */
export type FilterIdListInput = {
  /** Exactly these, in any order. */
  readonly eq?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Contains each of these, and may contain more. An empty list passes everything. */
  readonly in?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** Conditions on a list of texts. All members must match. A missing list counts as an empty one. */
export type FilterStringListInput = {
  /** Exactly these, in any order. */
  readonly eq?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Contains each of these, and may contain more. An empty list passes everything. */
  readonly in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/**
 * Conditions on a whole number. All members must match. A missing value passes only `ne` and `attributeExists:
 * false`.
 */
export type FilterIntInput = {
  /** Any other number, or none. */
  readonly ne?: InputMaybe<Scalars['Int']['input']>;
  readonly eq?: InputMaybe<Scalars['Int']['input']>;
  /** At most this. */
  readonly le?: InputMaybe<Scalars['Int']['input']>;
  /** Less than this. */
  readonly lt?: InputMaybe<Scalars['Int']['input']>;
  /** At least this. */
  readonly ge?: InputMaybe<Scalars['Int']['input']>;
  /** More than this. */
  readonly gt?: InputMaybe<Scalars['Int']['input']>;
  /** One of these; an empty list passes nothing. */
  readonly in?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
  /** Two values, both included; the lower one first. */
  readonly between?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Conditions on a number. All members must match. A missing value passes only `ne` and `attributeExists: false`. */
export type FilterFloatInput = {
  /** Any other number, or none. */
  readonly ne?: InputMaybe<Scalars['Float']['input']>;
  readonly eq?: InputMaybe<Scalars['Float']['input']>;
  /** At most this. */
  readonly le?: InputMaybe<Scalars['Float']['input']>;
  /** Less than this. */
  readonly lt?: InputMaybe<Scalars['Float']['input']>;
  /** At least this. */
  readonly ge?: InputMaybe<Scalars['Float']['input']>;
  /** More than this. */
  readonly gt?: InputMaybe<Scalars['Float']['input']>;
  /** One of these; an empty list passes nothing. */
  readonly in?: InputMaybe<ReadonlyArray<Scalars['Float']['input']>>;
  /** Two values, both included; the lower one first. */
  readonly between?: InputMaybe<ReadonlyArray<Scalars['Float']['input']>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

/**
 * Conditions on a text, case-sensitive unless the field says otherwise. All members must match. A missing value
 * passes only `ne` and `attributeExists: false`.
 */
export type FilterStringInput = {
  /** Any other text, or none. */
  readonly ne?: InputMaybe<Scalars['String']['input']>;
  readonly eq?: InputMaybe<Scalars['String']['input']>;
  /** Contains this text, in any case. `%` and `_` have no special meaning. */
  readonly like?: InputMaybe<Scalars['String']['input']>;
  /** One of these; an empty list passes nothing. */
  readonly in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Conditions on an instant. All members must match. A missing value passes only `attributeExists: false`. */
export type FilterDateTimeOffsetInput = {
  readonly eq?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Two instants, both included; the earlier one first. */
  readonly between?: InputMaybe<ReadonlyArray<Scalars['DateTimeOffset']['input']>>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Conditions on a boolean. All members must match. A missing value passes only `ne` and `attributeExists: false`. */
export type FilterBooleanInput = {
  readonly eq?: InputMaybe<Scalars['Boolean']['input']>;
  /** The other value, or none. */
  readonly ne?: InputMaybe<Scalars['Boolean']['input']>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Conditions on a position. One position must match all members. */
export type FilterPointInput = {
  /** Inside the polygon, in degrees. A position on a border, also of a hole, is outside. */
  readonly in?: InputMaybe<GeoJsonPolygonInput>;
  readonly near?: InputMaybe<FilterPointNearInput>;
  /** `true` matches only when a value is present, `false` only when none is. */
  readonly attributeExists?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A circle on the Earth, measured along a sphere. */
export type FilterPointNearInput = {
  /** Its centre: -360 to 360 degrees of longitude, -90 to 90 of latitude. */
  readonly point: GeoJsonPointInput;
  /** Greatest distance in metres, 0 or more. */
  readonly radius: Scalars['Float']['input'];
};

/** Conditions on the state of a message. `UPDATE` excludes `START` and `END` messages. */
export type FilterMessageStateInput = {
  readonly eq?: InputMaybe<MessageState>;
  readonly ne?: InputMaybe<MessageState>;
  readonly in?: InputMaybe<ReadonlyArray<MessageState>>;
};

/** Conditions on the value at a path in JSON. No field of this schema takes it. */
export type FilterJsonFieldInput = {
  /** Keys, and indexes of arrays from 0; at most 30. A missing path counts as null. */
  readonly path: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  readonly filter: FilterJsonFieldMode;
};

/** Conditions on a value that is cast to the member's type. One that cannot be cast counts as missing. */
export type FilterJsonFieldMode =
  { readonly integer: FilterIntInput; readonly float?: never; readonly boolean?: never; readonly string?: never; }
  |  { readonly integer?: never; readonly float: FilterFloatInput; readonly boolean?: never; readonly string?: never; }
  |  { readonly integer?: never; readonly float?: never; readonly boolean: FilterBooleanInput; readonly string?: never; }
  |  { readonly integer?: never; readonly float?: never; readonly boolean?: never; readonly string: FilterStringInput; };

/** Conditions on the value at a path in JSON as a text. An object or array is its JSON text. */
export type FilterJsonFieldStringInput = {
  /** Keys, and indexes of arrays from 0; at most 30. A missing path counts as null. */
  readonly path: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  readonly filter: FilterStringInput;
};

/** A closed interval; a null bound leaves that side unbounded. */
export type TimeRangeInput = {
  /** Included; null when the interval has no beginning. */
  readonly start?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Included; null when the interval has no end. */
  readonly end?: InputMaybe<Scalars['DateTimeOffset']['input']>;
};

/** Conditions on the period of an object. An object that has not ended is treated as running to the end of time. */
export type FilterTimeRangeInput =
  /** The object's period fully contains the given period. */
  { readonly containing: TimeRangeInput; readonly containedBy?: never; readonly intersecting?: never; readonly startingWithin?: never; readonly endingWithin?: never; readonly containingInstant?: never; readonly before?: never; readonly after?: never; }
  |  /**
   * The object's period lies entirely inside the given period; an object that has not ended matches only when the
   * given period is unbounded in the future.
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

/** A position, or a pixel of an image. */
export type GeoJsonPointInput = {
  /** Only `Point` is accepted. */
  readonly type: Scalars['String']['input'];
  /** Longitude (-180 to 180 degrees), latitude (-90 to 90), altitude (metres, optional). A pixel has x and y. */
  readonly coordinates: ReadonlyArray<Scalars['Float']['input']>;
  readonly crs?: InputMaybe<GeoJsoncrsInput>;
};

/** A polygon in degrees or pixels. Rings may neither cross nor touch, and holes lie within the first ring. */
export type GeoJsonPolygonInput = {
  /** Only `Polygon` is accepted. */
  readonly type: Scalars['String']['input'];
  /**
   * Closed rings of four or more points; the first is the exterior, later ones are holes. The first two coordinates
   * of a point count.
   */
  readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<Scalars['Float']['input']>>>;
  readonly crs?: InputMaybe<GeoJsoncrsInput>;
};

/** Several polygons, in degrees, with the rules of `GeoJSONPolygonInput` for each. */
export type GeoJsonMultiPolygonInput = {
  /** Only `MultiPolygon` is accepted. */
  readonly type: Scalars['String']['input'];
  /** One polygon or more, each a list of closed rings; at most 10 000 points together (`MAX_ZONE_VERTICES`). */
  readonly coordinates: ReadonlyArray<ReadonlyArray<ReadonlyArray<ReadonlyArray<Scalars['Float']['input']>>>>;
  readonly crs?: InputMaybe<GeoJsoncrsInput>;
};

/**
 * Coordinate reference system of a geometry: at most 1 024 bytes of JSON text, nested at most ten levels deep. The
 * server stores it, and converts no coordinates by it.
 */
export type GeoJsoncrsInput = {
  /** An Open Geospatial Consortium URN, or `name`. */
  readonly type?: InputMaybe<Scalars['String']['input']>;
  /** Members that describe the system. */
  readonly properties?: InputMaybe<Scalars['JSON']['input']>;
};

/** Conditions on geofence intersections. All members must match. */
export type FilterGeofenceIntersectionInput = {
  /** A filter on one geofence makes the query quick. */
  readonly geofenceId?: InputMaybe<FilterIdInput>;
  /** The start of the intersection. An empty object matches every start. */
  readonly time: FilterDateTimeOffsetInput;
  /** Period from `startTime` to `endTime`; an intersection that has not ended runs to the end of time. */
  readonly timeRange?: InputMaybe<FilterTimeRangeInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterGeofenceIntersectionInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterGeofenceIntersectionInput>>;
  readonly not?: InputMaybe<FilterGeofenceIntersectionInput>;
};

/** Conditions on messages about geofence intersections. All members must match. */
export type FilterGeofenceIntersectionMessageInput = {
  /** The geofence that the track has entered. */
  readonly geofenceId?: InputMaybe<FilterIdInput>;
  /** Tag of the track at the time of the message. Case-insensitive. */
  readonly tag?: InputMaybe<FilterStringInput>;
  /** Data source of the intersection's track. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** For example only `START` and `END`. */
  readonly state?: InputMaybe<FilterMessageStateInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterGeofenceIntersectionMessageInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterGeofenceIntersectionMessageInput>>;
  readonly not?: InputMaybe<FilterGeofenceIntersectionMessageInput>;
};

/** Values by which geofence intersections are sorted. */
export type GeofenceIntersectionsSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The first position inside. */
  | 'START_TIME';

/** One criterion of the order. Later ones decide between equal entries. */
export type GeofenceIntersectionsSort = {
  readonly field: GeofenceIntersectionsSortField;
  readonly direction: SortDirection;
};

/** A region on the Earth. */
export type GeofenceBoundsInput = {
  /**
   * In degrees. It may not cross itself or the antimeridian. At most 10 000 vertices (`MAX_ZONE_VERTICES`); those of
   * all active geofences together are limited as well (`API_MAX_GEOFENCE_VERTICES`).
   */
  readonly polygon: GeoJsonPolygonInput;
};

/** A new geofence in a site. */
export type CreateGeofenceInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** Need not be unique. 1 to 1 024 characters. */
  readonly name: Scalars['String']['input'];
  /** Free words to filter by; at most 1 000. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** NOT_FOUND if the site does not exist. */
  readonly siteId: Scalars['ID']['input'];
  /** It must belong to the site. */
  readonly pointOfInterestId?: InputMaybe<Scalars['ID']['input']>;
  /** The region itself. */
  readonly bounds: GeofenceBoundsInput;
  /** Whether the geofence produces intersections. */
  readonly active: Scalars['Boolean']['input'];
};

/**
 * Changes of a geofence. A member left out keeps its value. Null clears `pointOfInterestId`, and is BAD_USER_INPUT for
 * all others.
 */
export type UpdateGeofenceInput = {
  /** NOT_FOUND if the geofence does not exist. */
  readonly id: Scalars['ID']['input'];
  /** Need not be unique. 1 to 1 024 characters. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Replaces all labels. At most 1 000. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** NOT_FOUND if the site does not exist. The point of interest must belong to it. */
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  /** It must belong to the site. */
  readonly pointOfInterestId?: InputMaybe<Scalars['ID']['input']>;
  /** Replaces the region. */
  readonly bounds?: InputMaybe<GeofenceBoundsInput>;
  /** Whether the geofence produces intersections. */
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Conditions on geofences. All members must match. */
export type FilterGeofenceInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  /** Case-sensitive, except `like`. */
  readonly name?: InputMaybe<FilterStringInput>;
  /** Whether the geofence produces intersections. */
  readonly active?: InputMaybe<FilterBooleanInput>;
  /** The site to which the geofence belongs. */
  readonly siteId?: InputMaybe<FilterIdInput>;
  /** A geofence without a point of interest passes only `ne`. */
  readonly pointOfInterestId?: InputMaybe<FilterIdInput>;
  /** Case-sensitive. */
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterGeofenceInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterGeofenceInput>>;
  readonly not?: InputMaybe<FilterGeofenceInput>;
};

/** Values by which geofences are sorted. */
export type GeofencesSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME';

/** One criterion of the order. Later ones decide between equal entries. */
export type GeofencesSort = {
  readonly field: GeofencesSortField;
  readonly direction: SortDirection;
};

/** An image with its bytes. */
export type UploadImageInput = {
  /** The data source that the image shows; NOT_FOUND if it does not exist. */
  readonly dataSourceId?: InputMaybe<Scalars['ID']['input']>;
  /** Name at the sender, kept in the log. 1 to 1 024 characters. */
  readonly fileName?: InputMaybe<Scalars['String']['input']>;
  /** When it was taken: in the years 1900 to 2299, at most five minutes in the future (`MAX_FUTURE_MS`). */
  readonly timestamp?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /**
   * The bytes of a PNG, JPEG, WebP or GIF in base64, with padding. At most 5 MiB (`API_MAX_IMAGE_BYTES`), and 16 384
   * pixels a side.
   */
  readonly data: Scalars['String']['input'];
  /** Adds the image to these events; NOT_FOUND if one does not exist. An event has at most 1 000 images. */
  readonly eventIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Adds the image to these activity chronicles; NOT_FOUND if one does not exist. Each has at most 1 000 images. */
  readonly activityChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** Conditions on images. All members must match. */
export type FilterImageInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  /** An image without a data source passes only `ne`. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** An image without a time passes only `attributeExists: false`. */
  readonly timestamp?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterImageInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterImageInput>>;
  readonly not?: InputMaybe<FilterImageInput>;
};

/** Values by which images are sorted. */
export type ImagesSortField =
  /** The id, compared as text. */
  | 'ID'
  /** Images without a data source come last in `ASC` and first in `DESC`. */
  | 'DATA_SOURCE_ID'
  /** Images without a time come last in `ASC` and first in `DESC`. */
  | 'TIMESTAMP';

/** One criterion of the order. Later ones decide between equal entries. */
export type ImagesSort = {
  readonly field: ImagesSortField;
  readonly direction: SortDirection;
};

/** A new point of interest. A text has 1 to 1 024 characters. */
export type CreatePointOfInterestInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** NOT_FOUND if the site does not exist. */
  readonly siteId: Scalars['ID']['input'];
  readonly name: Scalars['String']['input'];
  readonly position: GeoJsonPointInput;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/**
 * Changes of a point of interest. A member that is left out keeps its value; null clears it, or is BAD_USER_INPUT if
 * there must be a value. A text has 1 to 1 024 characters.
 */
export type UpdatePointOfInterestInput = {
  readonly id: Scalars['ID']['input'];
  /** NOT_FOUND if the site does not exist, CONFLICT while devices or geofences are at the point. */
  readonly siteId?: InputMaybe<Scalars['ID']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/** Conditions on points of interest. All members must match. */
export type FilterPointOfInterestInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly siteId?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterPointOfInterestInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterPointOfInterestInput>>;
  readonly not?: InputMaybe<FilterPointOfInterestInput>;
};

/** Values by which points of interest are sorted. */
export type PointOfInterestSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME';

/** One criterion of the order. Later ones decide between equal entries. */
export type PointOfInterestSort = {
  readonly field: PointOfInterestSortField;
  readonly direction: SortDirection;
};

/** Form of the values that a sensor measures. */
export type SensorType =
  /** Decimal numbers, such as `-1.5` or `2e3`. */
  | 'NUMBER'
  /** `true` or `false`. */
  | 'BOOLEAN'
  /** Any text of at most 1 024 characters. */
  | 'TEXT';

/** A new sensor. A text has 1 to 1 024 characters. */
export type SensorInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  readonly type: SensorType;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** Any text, for example a street. */
  readonly address?: InputMaybe<Scalars['String']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/**
 * Changes of a sensor. A member that is left out keeps its value; null clears it, or is BAD_USER_INPUT if there must
 * be a value. A text has 1 to 1 024 characters.
 */
export type UpdateSensorInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** Measurements that exist already stay unchanged. */
  readonly type?: InputMaybe<SensorType>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** Any text, for example a street. */
  readonly address?: InputMaybe<Scalars['String']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/** A new measurement. All members together are its identity. */
export type MeasurementInput = {
  /** NOT_FOUND if the sensor does not exist. */
  readonly sensorId: Scalars['ID']['input'];
  /** From the year 1900 on, at most five minutes in the future (`MAX_FUTURE_MS`). */
  readonly timestamp: Scalars['DateTimeOffset']['input'];
  /** In the form that the sensor's type demands; at most 1 024 characters. */
  readonly value: Scalars['String']['input'];
};

/** Conditions on measurements. All members must match. */
export type FilterMeasurementInput = {
  readonly sensorId?: InputMaybe<FilterIdInput>;
  /** Tests the timestamp. Filters within `and`, `or` and `not` need it, too. */
  readonly time: FilterDateTimeOffsetInput;
  readonly and?: InputMaybe<ReadonlyArray<FilterMeasurementInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterMeasurementInput>>;
  readonly not?: InputMaybe<FilterMeasurementInput>;
};

/** Conditions on measurements. All members must match. */
export type FilterMeasurementActivityInput = {
  readonly sensorId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterMeasurementActivityInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterMeasurementActivityInput>>;
  readonly not?: InputMaybe<FilterMeasurementActivityInput>;
};

/** Conditions on sensors. All members must match. */
export type FilterSensorInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  /** Tests the name of the type, such as `NUMBER`. */
  readonly type?: InputMaybe<FilterStringInput>;
  readonly position?: InputMaybe<FilterPointInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterSensorInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterSensorInput>>;
  readonly not?: InputMaybe<FilterSensorInput>;
};

/** Values by which sensors are sorted. */
export type SensorsSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME';

/** One criterion of the order. Later ones decide between equal entries. */
export type SensorsSort = {
  readonly field: SensorsSortField;
  readonly direction: SortDirection;
};

/** Values by which measurements are sorted. */
export type MeasurementsSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The instant, in chronological order. */
  | 'TIMESTAMP';

/** One criterion of the order. Later ones decide between equal entries. */
export type MeasurementsSort = {
  readonly field: MeasurementsSortField;
  readonly direction: SortDirection;
};

/** A new site. A text has 1 to 1 024 characters. */
export type CreateSiteInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  /** IANA name of a time zone, for example `Europe/Amsterdam`. `UTC` unless given. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** Outline in degrees. */
  readonly polygon?: InputMaybe<GeoJsonMultiPolygonInput>;
};

/**
 * Changes of a site. A member that is left out keeps its value; null clears it, or is BAD_USER_INPUT if there must be
 * a value. A text has 1 to 1 024 characters.
 */
export type UpdateSiteInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /** Outline in degrees. */
  readonly polygon?: InputMaybe<GeoJsonMultiPolygonInput>;
};

/** Conditions on sites. All members must match. */
export type FilterSiteInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterSiteInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterSiteInput>>;
  readonly not?: InputMaybe<FilterSiteInput>;
};

/** Values by which sites are sorted. */
export type SitesSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME';

/** One criterion of the order. Later ones decide between equal entries. */
export type SitesSort = {
  readonly field: SitesSortField;
  readonly direction: SortDirection;
};

/** Length of a time bucket. Buckets are aligned to UTC; the first one is that in which the range begins. */
export type SummaryBucketSize =
  /** One minute. For ranges of up to a day. */
  | 'MINUTES'
  /** Ten minutes. For ranges of up to a day. */
  | 'MINUTES_10'
  /** Twelve minutes. For ranges of up to a day. */
  | 'MINUTES_12'
  /** A quarter of an hour. For ranges of up to a day. */
  | 'MINUTES_15'
  /** Twenty minutes. For ranges of up to a day. */
  | 'MINUTES_20'
  /** Half an hour. For ranges of up to a day. */
  | 'MINUTES_30'
  /** One hour. For ranges of up to seven days. */
  | 'HOURS'
  /** One day, from midnight to midnight in UTC. For ranges of any length. */
  | 'DAYS';

/** Decides which objects a range or a bucket counts. */
export type BucketingStrategy =
  /** Counts all objects that are active in it: an object may be in several time buckets. */
  | 'ACTIVE'
  /** Counts the objects that start in it. `startedCount` is the total, `endedCount` 0. */
  | 'STARTED'
  /** Counts the objects that end in it. `endedCount` is the total, `startedCount` 0. */
  | 'ENDED';

/** Values by which tracks are put into buckets. */
export type TracksSummaryBucketField =
  /** Tag of the track, in any case. */
  | 'TAG'
  /** Data source that followed the track. */
  | 'DATA_SOURCE_ID'
  /** Site at which the data source is now. */
  | 'DATA_SOURCE_SITE'
  /** Point of interest at which the data source is now. */
  | 'DATA_SOURCE_POINT_OF_INTEREST';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type TracksSummaryBucketType = {
  /** Cuts the range into time buckets. At most 20 000 buckets in all (`API_MAX_BUCKETS`). */
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
  /** Class label of the object. */
  readonly tag?: InputMaybe<FilterTagInput>;
  /** Data source of the track, as it is now. */
  readonly dataSource?: InputMaybe<FilterDataSourceInput>;
  /** Site of the data source. */
  readonly site?: InputMaybe<FilterSiteInput>;
  /** Point of interest of the data source. */
  readonly pointOfInterest?: InputMaybe<FilterPointOfInterestInput>;
};

/** Values by which zone intersections are put into buckets. */
export type ZoneIntersectionSummaryBucketField =
  /** Zones of the same name are one bucket. */
  | 'ZONE_NAME'
  /** Present tag of the track, in any case. */
  | 'TAG'
  /** Data source of the track. */
  | 'DATA_SOURCE';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type ZoneIntersectionSummaryBucketType = {
  /** Cuts the range into time buckets. At most 20 000 buckets in all (`API_MAX_BUCKETS`). */
  readonly size?: InputMaybe<SummaryBucketSize>;
  /**
   * Takes precedence over the argument.
   * @deprecated Use the argument `bucketingStrategy`.
   */
  readonly bucketingStrategy?: InputMaybe<BucketingStrategy>;
  /** At most three. */
  readonly fields?: InputMaybe<ReadonlyArray<ZoneIntersectionSummaryBucketField>>;
};

/** Conditions on zone intersections. All members must match. */
export type FilterZoneIntersectionSummaryInput = {
  /** The zone that the track has entered. */
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** Id of the tag. */
  readonly classId?: InputMaybe<FilterIdInput>;
  /** Data source of the intersection's track. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterZoneIntersectionSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterZoneIntersectionSummaryInput>>;
  readonly not?: InputMaybe<FilterZoneIntersectionSummaryInput>;
};

/** Values by which detections are put into buckets. */
export type DetectionsSummaryBucketField =
  /** Present tag of the track, in any case. */
  | 'TAG'
  /** Data source of the track. */
  | 'DATA_SOURCE_ID'
  /** Site at which the data source is now. */
  | 'SITE';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type DetectionsSummaryBucketType = {
  /** Cuts the range into time buckets. At most 20 000 buckets in all (`API_MAX_BUCKETS`). */
  readonly size?: InputMaybe<SummaryBucketSize>;
  /** At most three. */
  readonly fields?: InputMaybe<ReadonlyArray<DetectionsSummaryBucketField>>;
};

/** All members must match. A member about an object that is missing does not match. */
export type FilterDetectionsSummaryInput = {
  /** Present tag of the track. */
  readonly tag?: InputMaybe<FilterTagInput>;
  /** Data source of the track, as it is now. */
  readonly dataSource?: InputMaybe<FilterDataSourceInput>;
  /** Site of the data source. */
  readonly site?: InputMaybe<FilterSiteInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDetectionsSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDetectionsSummaryInput>>;
  readonly not?: InputMaybe<FilterDetectionsSummaryInput>;
};

/** Values by which devices are put into buckets. */
export type DeviceSummaryBucketField =
  /** Site at which the device is now, or was when it was deleted. */
  | 'SITE'
  /** Point of interest at which the device is now, or was when it was deleted. */
  | 'POINT_OF_INTEREST';

/** With a size alone, the answer has every bucket of the range; otherwise only the buckets with objects. */
export type DeviceSummaryBucketType = {
  /** Cuts the range into time buckets. At most 20 000 buckets in all (`API_MAX_BUCKETS`). */
  readonly size?: InputMaybe<SummaryBucketSize>;
  /** At most three. */
  readonly fields?: InputMaybe<ReadonlyArray<DeviceSummaryBucketField>>;
};

/** Conditions on devices, also on those deleted since. All members must match. */
export type FilterDeviceSummaryInput = {
  /** A device without a site passes only `ne`. */
  readonly siteId?: InputMaybe<FilterIdInput>;
  /** A device without a site does not match. */
  readonly site?: InputMaybe<FilterSiteInput>;
  /** A device without a point of interest passes only `ne`. */
  readonly pointOfInterestId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterDeviceSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterDeviceSummaryInput>>;
  readonly not?: InputMaybe<FilterDeviceSummaryInput>;
};

/** A new summary. A text has 1 to 1 024 characters, a list at most 1 000 entries. */
export type CreateSummaryChronicleInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  /** No update changes it. */
  readonly chronicleProducerId: Scalars['ID']['input'];
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** In the years 1900 to 2299. */
  readonly startTime: Scalars['DateTimeOffset']['input'];
  /** Not before `startTime`. */
  readonly endTime: Scalars['DateTimeOffset']['input'];
  /** IANA name of a time zone, for example `Europe/Amsterdam`. No time depends on it. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  /** Free words to filter by. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Names of places, as any texts. */
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  /** Activities that exist already. */
  readonly activityChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Events that exist already. */
  readonly eventChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/**
 * Changes of a summary. A member that is left out keeps its value; null clears it, or is BAD_USER_INPUT if there must
 * be a value. A list replaces the present one. A text has 1 to 1 024 characters, a list at most 1 000 entries.
 */
export type UpdateSummaryChronicleInput = {
  readonly id: Scalars['ID']['input'];
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Any text. */
  readonly description?: InputMaybe<Scalars['String']['input']>;
  /** In the years 1900 to 2299. */
  readonly startTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Not before `startTime`. */
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** IANA name of a time zone, for example `Europe/Amsterdam`. No time depends on it. */
  readonly timezone?: InputMaybe<Scalars['String']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly priority?: InputMaybe<Scalars['String']['input']>;
  /** Any text. Filters and sorts compare it as text. */
  readonly status?: InputMaybe<Scalars['String']['input']>;
  /** Free words to filter by. */
  readonly labels?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Names of places, as any texts. */
  readonly locations?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly validation?: InputMaybe<ChronicleValidationInput>;
  /** Activities that exist already. */
  readonly activityChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  /** Events that exist already. */
  readonly eventChronicleIds?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

/** Conditions on summaries. All members must match. */
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
  /** Deleted activities do not count. */
  readonly activityChronicleIds?: InputMaybe<FilterIdListInput>;
  /** Deleted events do not count. */
  readonly eventChronicleIds?: InputMaybe<FilterIdListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterSummaryChronicleInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterSummaryChronicleInput>>;
  readonly not?: InputMaybe<FilterSummaryChronicleInput>;
};

/** Conditions on summaries that were created or changed, as they are then. All members must match. */
export type FilterSummaryChronicleInputSubscription = {
  readonly id?: InputMaybe<FilterIdInput>;
  readonly name?: InputMaybe<FilterStringInput>;
  readonly chronicleProducerId?: InputMaybe<FilterIdInput>;
  readonly startTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly endTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly timezone?: InputMaybe<FilterStringInput>;
  readonly priority?: InputMaybe<FilterStringInput>;
  readonly status?: InputMaybe<FilterStringInput>;
  /** Tests the name of the status: `VALID` or `INVALID`. A chronicle without a validation has none. */
  readonly validation?: InputMaybe<FilterStringInput>;
  readonly labels?: InputMaybe<FilterStringListInput>;
  readonly locations?: InputMaybe<FilterStringListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterSummaryChronicleInputSubscription>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterSummaryChronicleInputSubscription>>;
  readonly not?: InputMaybe<FilterSummaryChronicleInputSubscription>;
};

/** Values by which summaries are sorted. */
export type SummaryChronicleSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The beginning, in chronological order. */
  | 'START_TIME'
  /** The end, in chronological order. */
  | 'END_TIME'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME'
  /** The priority, compared as text. Missing ones come last in `ASC` and first in `DESC`. */
  | 'PRIORITY'
  /** The status, compared as text. Missing ones come last in `ASC` and first in `DESC`. */
  | 'STATUS';

/** One criterion of the order. Later ones decide between equal entries. */
export type SummaryChronicleSort = {
  readonly field: SummaryChronicleSortField;
  readonly direction: SortDirection;
};

/** Conditions on tags. All members must match. */
export type FilterTagInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  /** Tests the name without regard to case. */
  readonly name?: InputMaybe<FilterStringInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterTagInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterTagInput>>;
  readonly not?: InputMaybe<FilterTagInput>;
};

/** Values by which tags are sorted. */
export type TagsSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The name, compared as text. */
  | 'LABEL_NAME';

/** One criterion of the order. Later ones decide between equal entries. */
export type TagsSort = {
  readonly field: TagsSortField;
  readonly direction: SortDirection;
};

/** Conditions on tracks. All members must match. */
export type FilterTrackInput = {
  /** Id of the track, which tracks of several data sources may have. */
  readonly id?: InputMaybe<FilterIdInput>;
  /** Data source that followed the track. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** Start time of the track. */
  readonly time?: InputMaybe<FilterDateTimeOffsetInput>;
  /** Period from `startTime` to `endTime`; a track that has not ended runs to the end of time. */
  readonly timeRange?: InputMaybe<FilterTimeRangeInput>;
  /** Whether the track has an `endTime`. */
  readonly finished?: InputMaybe<FilterBooleanInput>;
  /** Case-insensitive. */
  readonly tag?: InputMaybe<FilterStringInput>;
  /** Positions of the track's detections: one of them must match, in degrees. */
  readonly position?: InputMaybe<FilterPointInput>;
  /** The identifier among the track's properties. */
  readonly identifier?: InputMaybe<FilterTrackPropertyInput>;
  /** The attributes among the track's properties: one of them must match. */
  readonly attribute?: InputMaybe<FilterTrackPropertyInput>;
  /** Point of interest of the track's data source. */
  readonly pointOfInterestId?: InputMaybe<FilterIdInput>;
  /** Site of the track's data source. */
  readonly siteId?: InputMaybe<FilterIdInput>;
  /** Model that produced the track. A track without one passes only `ne`. */
  readonly modelId?: InputMaybe<FilterIdInput>;
  /** Tests the name of the type. */
  readonly dataSourceType?: InputMaybe<FilterStringInput>;
  /** Labels of the track's data source, compared with their case. */
  readonly dataSourceLabels?: InputMaybe<FilterStringListInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterTrackInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterTrackInput>>;
  readonly not?: InputMaybe<FilterTrackInput>;
  /**
   * Id of the data source's device, or of the data source if it has none.
   * @deprecated Use `dataSourceId`.
   */
  readonly deviceId?: InputMaybe<FilterIdInput>;
};

/**
 * Conditions on messages about tracks. All members must match. A message is tested by all that is known of its track at
 * that time.
 */
export type FilterTrackMessageInput = {
  /** Id of the track, which tracks of several data sources may have. */
  readonly id?: InputMaybe<FilterIdInput>;
  /** Data source that follows the track. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** Case-insensitive. */
  readonly tag?: InputMaybe<FilterStringInput>;
  /** Positions of the track's detections so far: one of them must match, in degrees. */
  readonly position?: InputMaybe<FilterPointInput>;
  /** The identifier among the track's properties. */
  readonly identifier?: InputMaybe<FilterTrackPropertyInput>;
  /** The attributes among the track's properties: one of them must match. */
  readonly attribute?: InputMaybe<FilterTrackPropertyInput>;
  /** Point of interest of the track's data source. */
  readonly pointOfInterestId?: InputMaybe<FilterIdInput>;
  /** Site of the track's data source. */
  readonly siteId?: InputMaybe<FilterIdInput>;
  /** Model that produced the track. A track without one passes only `ne`. */
  readonly modelId?: InputMaybe<FilterIdInput>;
  /** Tests the name of the type. */
  readonly dataSourceType?: InputMaybe<FilterStringInput>;
  /** Labels of the track's data source, compared with their case. */
  readonly dataSourceLabels?: InputMaybe<FilterStringListInput>;
  /** For example only `START` and `END`. */
  readonly state?: InputMaybe<FilterMessageStateInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterTrackMessageInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterTrackMessageInput>>;
  readonly not?: InputMaybe<FilterTrackMessageInput>;
};

/** Conditions on the detections of a track. All members must match. */
export type FilterTrackDetectionInput = {
  /** One of the zones that the detection intersects must match; `ne` must hold for all of them. */
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** One of the geofences that the detection intersects must match; `ne` must hold for all of them. */
  readonly geofenceId?: InputMaybe<FilterIdInput>;
  /** Timestamp of the detection. An empty object matches every time. */
  readonly time: FilterDateTimeOffsetInput;
  /** In degrees, also of a position that a calibration gave. */
  readonly position?: InputMaybe<FilterPointInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterTrackDetectionInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterTrackDetectionInput>>;
  readonly not?: InputMaybe<FilterTrackDetectionInput>;
};

/** Conditions on a property of a track: one must match both members. Without any, both are tested as missing. */
export type FilterTrackPropertyInput = {
  /** Kind of the property. Case-sensitive, except `like`. */
  readonly type?: InputMaybe<FilterStringInput>;
  /** Case-sensitive, except `like`. */
  readonly value?: InputMaybe<FilterStringInput>;
};

/** A detection of the track in whose input it is. */
export type TrackDetectionInput = {
  /** Not before the start of the track, and at most five minutes in the future (`MAX_FUTURE_MS`). */
  readonly timestamp: Scalars['DateTimeOffset']['input'];
  /** In degrees. Without it, the calibration of the camera gives a position to a detection with a polygon. */
  readonly position?: InputMaybe<GeoJsonPointInput>;
  /**
   * Bounds in the captured image, in pixels: closed rings that do not cross, of at most 256 vertices together
   * (`MAX_DETECTION_VERTICES`).
   */
  readonly polygon?: InputMaybe<GeoJsonPolygonInput>;
  /**
   * Degrees clockwise from north: 0 north, 90 east, 180 south, 270 west; expected between 0 and 360. Any other number
   * is brought into this range.
   */
  readonly direction?: InputMaybe<Scalars['Float']['input']>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/** Facts about an object beside its tag. At most 64 KiB together. */
export type TrackPropertiesInput = {
  /** Name or number of the object, for example of a badge. */
  readonly identifier?: InputMaybe<TrackPropertyInput>;
  /** Features of the object, for example the colour of a coat. At most 256. */
  readonly attributes?: InputMaybe<ReadonlyArray<TrackPropertyInput>>;
};

/** A value with its kind. */
export type TrackPropertyInput = {
  /** Kind of the value, for example `badge`. */
  readonly type: Scalars['String']['input'];
  /** For example `4711`. */
  readonly value: Scalars['String']['input'];
};

/** A new track. Its times are at most five minutes in the future (`MAX_FUTURE_MS`). */
export type CreateTrackInput = {
  /** Generated when omitted. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** NOT_FOUND if the data source does not exist. */
  readonly dataSourceId: Scalars['ID']['input'];
  /** Class label of the object; a new one makes a tag. 1 to 1 024 characters. */
  readonly tag: Scalars['String']['input'];
  /** No detection may be earlier. */
  readonly startTime: Scalars['DateTimeOffset']['input'];
  /** Not before `startTime`. Left out: the object is still tracked. */
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** May be empty. */
  readonly detections: ReadonlyArray<TrackDetectionInput>;
  /** Facts about the object beside its tag. */
  readonly properties?: InputMaybe<TrackPropertiesInput>;
  /** At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/**
 * Changes of a track. A member left out keeps its value. Null clears `endTime`, `properties` and `metadata`; anywhere
 * else it is BAD_USER_INPUT. Times are at most five minutes in the future (`MAX_FUTURE_MS`).
 */
export type UpdateTrackInput = {
  /** NOT_FOUND if the track does not exist. Of several tracks with this id, the one seen last. */
  readonly id: Scalars['ID']['input'];
  /** Class label of the object; a new one makes a tag. 1 to 1 024 characters. */
  readonly tag?: InputMaybe<Scalars['String']['input']>;
  /** No detection of this input may be earlier. */
  readonly startTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Not before the start. Null opens the track again. */
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Created and attached to the existing track. */
  readonly detections?: InputMaybe<ReadonlyArray<TrackDetectionInput>>;
  /** Replaces all properties. */
  readonly properties?: InputMaybe<TrackPropertiesInput>;
  /** Replaces all metadata. At most 64 KiB of JSON text, nested at most 100 levels deep. */
  readonly metadata?: InputMaybe<Scalars['JSON']['input']>;
};

/** Values by which tracks are sorted. */
export type TracksSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The track's `startTime`. */
  | 'TRACK_START_TIME';

/** One criterion of the order. Later ones decide between equal entries. */
export type TracksSort = {
  readonly field: TracksSortField;
  readonly direction: SortDirection;
};

/** Values by which videos are put into buckets. */
export type VideosSummaryBucketField =
  /** Data source that the video shows. */
  | 'DATA_SOURCE_ID';

/** Makes a bucket for each value that videos of the range have. At most 20 000 buckets (`API_MAX_BUCKETS`). */
export type VideosSummaryBucketType = {
  /** Without fields, all videos are one bucket. */
  readonly fields?: InputMaybe<ReadonlyArray<VideosSummaryBucketField>>;
};

/** Conditions on videos. All members must match. */
export type FilterVideosSummaryInput = {
  /** Data source that the video shows. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterVideosSummaryInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterVideosSummaryInput>>;
  readonly not?: InputMaybe<FilterVideosSummaryInput>;
};

/** A new video. Its times are in the years 1900 to 2299, at most five minutes in the future (`MAX_FUTURE_MS`). */
export type CreateVideoInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** NOT_FOUND if the data source does not exist. */
  readonly dataSourceId: Scalars['ID']['input'];
  /** Time of the first frame: clips and snapshots count from it. */
  readonly startTime: Scalars['DateTimeOffset']['input'];
  /** Not before `startTime`. Left out: the video is ongoing. */
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /**
   * Path of the video in the media store, for example `recordings/gate/2026-01-01.mp4`. It is relative, has at most 896
   * bytes, and no segment that begins with a dot.
   */
  readonly path: Scalars['String']['input'];
  /** Path of a preview image of the video in the media store. */
  readonly thumbnailPath?: InputMaybe<Scalars['String']['input']>;
  /** Any text of 1 to 1 024 characters. */
  readonly displayName?: InputMaybe<Scalars['String']['input']>;
  /** Any text of 1 to 1 024 characters, for example `1080`. */
  readonly resolutionHeight?: InputMaybe<Scalars['String']['input']>;
  /** Any text of 1 to 1 024 characters, for example `1920`. */
  readonly resolutionWidth?: InputMaybe<Scalars['String']['input']>;
  /** Frames per second: above 0, at most 100 000. */
  readonly frameRate?: InputMaybe<Scalars['Float']['input']>;
};

/**
 * Changes of a video. A member left out keeps its value; null clears it, but is BAD_USER_INPUT for `startTime` and
 * `path`. A video stays with its data source. Times are in the years 1900 to 2299, at most five minutes in the future
 * (`MAX_FUTURE_MS`).
 */
export type UpdateVideoInput = {
  /** NOT_FOUND if the video does not exist. */
  readonly id: Scalars['ID']['input'];
  /** Time of the first frame: clips and snapshots count from it. */
  readonly startTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Not before the start. Null: the video is ongoing. */
  readonly endTime?: InputMaybe<Scalars['DateTimeOffset']['input']>;
  /** Relative path in the media store, of at most 896 bytes, without a segment that begins with a dot. */
  readonly path?: InputMaybe<Scalars['String']['input']>;
  /** Path of a preview image of the video in the media store. */
  readonly thumbnailPath?: InputMaybe<Scalars['String']['input']>;
  /** Any text of 1 to 1 024 characters. */
  readonly displayName?: InputMaybe<Scalars['String']['input']>;
  /** Any text of 1 to 1 024 characters, for example `1080`. */
  readonly resolutionHeight?: InputMaybe<Scalars['String']['input']>;
  /** Any text of 1 to 1 024 characters, for example `1920`. */
  readonly resolutionWidth?: InputMaybe<Scalars['String']['input']>;
  /** Frames per second: above 0, at most 100 000. */
  readonly frameRate?: InputMaybe<Scalars['Float']['input']>;
};

/** Conditions on videos. All members must match. */
export type FilterVideoInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  /** A filter on one data source makes the query quick. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** An empty object matches every start. */
  readonly startTime: FilterDateTimeOffsetInput;
  /** An ongoing video passes only `attributeExists: false`. */
  readonly endTime?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterVideoInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterVideoInput>>;
  readonly not?: InputMaybe<FilterVideoInput>;
};

/** Conditions on new videos. All members must match. */
export type FilterVideoActivityInput = {
  /** Data source that the video shows. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterVideoActivityInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterVideoActivityInput>>;
  readonly not?: InputMaybe<FilterVideoActivityInput>;
};

/** Values by which videos are sorted. */
export type VideosSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The id of the data source, compared as text. */
  | 'DATA_SOURCE_ID'
  /** The time of the first frame. */
  | 'START_TIME'
  /** Ongoing videos come last in `ASC` and first in `DESC`. */
  | 'END_TIME';

/** One criterion of the order. Later ones decide between equal entries. */
export type VideosSort = {
  readonly field: VideosSortField;
  readonly direction: SortDirection;
};

/** Conditions on zone intersections. All members must match. */
export type FilterZoneIntersectionInput = {
  /** A filter on one zone makes the query quick. */
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** Start time of the intersection. An empty object matches every start. */
  readonly time: FilterDateTimeOffsetInput;
  /** Period from `startTime` to `endTime`; an intersection that has not ended runs to the end of time. */
  readonly timeRange?: InputMaybe<FilterTimeRangeInput>;
  /** Present tag of the track, also after a correction. Case-insensitive. */
  readonly tag?: InputMaybe<FilterStringInput>;
  /** Data source of the intersection's track. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterZoneIntersectionInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterZoneIntersectionInput>>;
  readonly not?: InputMaybe<FilterZoneIntersectionInput>;
};

/** Conditions on messages about zone intersections. All members must match. */
export type FilterZoneIntersectionMessageInput = {
  /** The zone that the track has entered. */
  readonly zoneId?: InputMaybe<FilterIdInput>;
  /** Data source of the intersection's track. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** For example only `START` and `END`. */
  readonly state?: InputMaybe<FilterMessageStateInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterZoneIntersectionMessageInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterZoneIntersectionMessageInput>>;
  readonly not?: InputMaybe<FilterZoneIntersectionMessageInput>;
};

/** Values by which zone intersections are sorted. */
export type ZoneIntersectionsSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The first detection inside. */
  | 'START_TIME';

/** One criterion of the order. Later ones decide between equal entries. */
export type ZoneIntersectionsSort = {
  readonly field: ZoneIntersectionsSortField;
  readonly direction: SortDirection;
};

/** The part of a detection that must lie in a zone. */
export type ZoneAnchor =
  /** Its polygon: a part of its area is inside. */
  | 'AREA'
  /** The middle of the lower edge of its box, which is where a person stands. */
  | 'BOTTOM_CENTER';

/** A new zone in the image of a data source. */
export type CreateZoneInput = {
  /** With an id, the mutation may be repeated: an object that exists already stays unchanged. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** NOT_FOUND if the data source does not exist. */
  readonly dataSourceId: Scalars['ID']['input'];
  /** Need not be unique. 1 to 1 024 characters. */
  readonly name: Scalars['String']['input'];
  /**
   * In pixels of the image: closed rings that enclose an area and do not cross. At most 10 000 vertices
   * (`MAX_ZONE_VERTICES`), and 64 000 in all zones of the data source (`MAX_DATA_SOURCE_VERTICES`).
   */
  readonly polygon: GeoJsonPolygonInput;
  /** Whether the zone produces intersections. Left out: it does. */
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Changes of a zone. A member left out keeps its value; null is BAD_USER_INPUT. */
export type UpdateZoneInput = {
  /** NOT_FOUND if the zone does not exist. */
  readonly id: Scalars['ID']['input'];
  /** Moves the zone to this data source; NOT_FOUND if that does not exist. */
  readonly dataSourceId?: InputMaybe<Scalars['ID']['input']>;
  /** Need not be unique. 1 to 1 024 characters. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Replaces the boundary. The rules of `CreateZoneInput` apply. */
  readonly polygon?: InputMaybe<GeoJsonPolygonInput>;
  /** Whether the zone produces intersections. */
  readonly active?: InputMaybe<Scalars['Boolean']['input']>;
  /**
   * The `updatedAt` of the zone as the client read it. When somebody has changed the zone since, nothing changes, and
   * the error is CONFLICT, unless the zone has all the new values already: so the change may be repeated. An input
   * without new values is refused as well. It may not be given together with another `dataSourceId`.
   */
  readonly ifUpdatedAt?: InputMaybe<Scalars['DateTimeOffset']['input']>;
};

/** Conditions on zones. All members must match. */
export type FilterZoneInput = {
  readonly id?: InputMaybe<FilterIdInput>;
  /** Case-sensitive, except `like`. */
  readonly name?: InputMaybe<FilterStringInput>;
  /** The owner of the zone. */
  readonly dataSourceId?: InputMaybe<FilterIdInput>;
  /** Whether the zone produces intersections. */
  readonly active?: InputMaybe<FilterBooleanInput>;
  readonly createdAt?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly updatedAt?: InputMaybe<FilterDateTimeOffsetInput>;
  readonly and?: InputMaybe<ReadonlyArray<FilterZoneInput>>;
  readonly or?: InputMaybe<ReadonlyArray<FilterZoneInput>>;
  readonly not?: InputMaybe<FilterZoneInput>;
};

/** Values by which zones are sorted. */
export type ZonesSortField =
  /** The id, compared as text. */
  | 'ID'
  /** The name, compared as text: upper case comes before lower case. */
  | 'NAME';

/** One criterion of the order. Later ones decide between equal entries. */
export type ZonesSort = {
  readonly field: ZonesSortField;
  readonly direction: SortDirection;
};
