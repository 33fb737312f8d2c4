// The events of tracklog as TypeScript sees them. The Avro schemas in avro/ are the wire form of the same shapes.
// Times are milliseconds since the epoch (UTC). Rings are flat: x0,y0,x1,y1,...; first point repeated at the end.

export interface Polygon {
  /** First ring exterior, later rings holes. Image pixels for zones and detections. */
  readonly rings: readonly (readonly number[])[];
  /** GeoJSON crs object as JSON text. */
  readonly crs: string | null;
}

export interface GeoPosition {
  readonly longitude: number;
  readonly latitude: number;
  /** Metres. */
  readonly altitude: number | null;
  readonly crs: string | null;
}

export interface Detection {
  readonly trackId: string;
  readonly timestamp: number;
  readonly polygon: Polygon | null;
  readonly position: GeoPosition | null;
  /** Degrees clockwise from north, in [0, 360). */
  readonly direction: number | null;
  /** JSON text. */
  readonly metadata: string | null;
}

export interface TrackProperty {
  readonly type: string;
  readonly value: string;
}

export interface TrackProperties {
  readonly identifier: TrackProperty | null;
  readonly attributes: readonly TrackProperty[] | null;
}

export interface TrackCreated {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly tag: string;
  readonly startTime: number;
  readonly endTime: number | null;
  readonly modelId: string | null;
  readonly properties: TrackProperties | null;
  readonly metadata: string | null;
  readonly detections: readonly Detection[];
}

export type ClearableTrackField = "endTime" | "properties" | "metadata";

export interface TrackUpdated {
  readonly trackId: string;
  readonly dataSourceId: string;
  /** null = unchanged, here and below; what is set to null by the caller is named in `cleared`. */
  readonly tag: string | null;
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly properties: TrackProperties | null;
  readonly metadata: string | null;
  readonly cleared: readonly ClearableTrackField[];
  readonly detections: readonly Detection[];
}

/** Written by the state machine when a track timed out; endTime is the timestamp of its last detection. */
export interface TrackExpired {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly endTime: number;
  readonly reason: "expired";
  /**
   * Camera-log offset up to which, exclusive, the log had been read when this was concluded. What stands between there and
   * the message itself was not known, and outweighs it. null: written before there was this field.
   */
  readonly readUpTo: number | null;
}

export interface DetectionsRecorded {
  readonly dataSourceId: string;
  readonly detections: readonly Detection[];
}

export interface Zone {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly name: string;
  readonly polygon: Polygon;
  readonly active: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What of a detection must lie in the zone: its area (shared area > 0) or the bottom centre of its box. */
  readonly anchor: "area" | "bottom_center";
  /** Consecutive inside detections needed to enter; 1 = no hysteresis. */
  readonly enterDetections: number;
  /** Time outside after which the track has left; 0 = no hysteresis. */
  readonly exitDelayMs: number;
}

export interface ZoneCreated {
  readonly zone: Zone;
}

/** Carries the whole zone after the change. */
export interface ZoneUpdated {
  readonly zone: Zone;
}

/** Also stands in the old data source's log when a zone moves; `movedTo` then names the new one. */
export interface ZoneDeleted {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly deletedAt: number;
  readonly movedTo: string | null;
}

export interface CameraLogEvents {
  TrackCreated: TrackCreated;
  TrackUpdated: TrackUpdated;
  TrackExpired: TrackExpired;
  DetectionsRecorded: DetectionsRecorded;
  ZoneCreated: ZoneCreated;
  ZoneUpdated: ZoneUpdated;
  ZoneDeleted: ZoneDeleted;
}

/** A zone as it stands from `offset` of camera-log `partition` on; null = gone from that data source. */
export interface ZoneVersion {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly zone: Zone | null;
  readonly partition: number;
  readonly offset: number;
}

export type MessageState = "START" | "UPDATE" | "END";

/** The camera-log message that caused an output, and the output's number among those of that message. */
export interface Cause {
  readonly partition: number;
  readonly offset: number;
  readonly index: number;
}

export interface ZoneIntersectionChanged {
  /** UUIDv5(trackId, zoneId, startTime). */
  readonly intersectionId: string;
  readonly zoneId: string;
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly tag: string;
  readonly state: MessageState;
  readonly startTime: number;
  /** Set with END only: first detection outside, or the track's end, or the last detection inside. */
  readonly endTime: number | null;
  /** Timestamp of the newest detection inside. */
  readonly lastInside: number;
  readonly cause: Cause;
}

export type DataSourceType = "FOLDER" | "VIDEO_DEVICE" | "IMAGE_DEVICE" | "GEOPOSITION";

export interface DataSourceEntry {
  readonly dataSourceId: string;
  readonly name: string;
  readonly type: DataSourceType;
  readonly labels: readonly string[] | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type Scope = "read" | "write" | "admin";

export interface TokenEntry {
  readonly tokenId: string;
  readonly name: string;
  /** Lower-case hex SHA-256 of the token value; the value itself is stored nowhere. */
  readonly valueSha256: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

export interface DeadLetter {
  /** `topic/partition/offset`: the same message always gets the same id. */
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly reason: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly recordedAt: number;
}

/** Stands in dead-letters behind a letter whose message was written to its topic again. */
export interface DeadLetterRedriven {
  /** The letter's. */
  readonly id: string;
  readonly redrivenAt: number;
  /** Where the message stands now. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

export interface Events extends CameraLogEvents {
  ZoneVersion: ZoneVersion;
  ZoneIntersectionChanged: ZoneIntersectionChanged;
  DataSourceEntry: DataSourceEntry;
  TokenEntry: TokenEntry;
  DeadLetter: DeadLetter;
  DeadLetterRedriven: DeadLetterRedriven;
}

export type EventType = keyof Events;
export type CameraLogType = keyof CameraLogEvents;

/** An event with its type, as a discriminated union over `type`. */
export type Typed<T extends EventType = EventType> = { [K in T]: { readonly type: K; readonly event: Events[K] } }[T];
export type CameraLogEvent = Typed<CameraLogType>;
