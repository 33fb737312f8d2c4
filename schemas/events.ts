// The list of all kinds of events. The file of a kind has its TypeScript type and its Avro record side by side. Times
// are in milliseconds since the epoch (UTC).
import type { AvroSchema } from "./avro.ts";
import { type CatalogEvents, type CatalogType, catalogRecords } from "./catalog/kinds.ts";
import { type ChronicleEvents, chronicleRecords } from "./chronicles/kinds.ts";
import { type DetectionsRecorded, detectionsRecorded } from "./log/detections.ts";
import { type GeofencesAdvanced, geofencesAdvanced } from "./log/geofences.ts";
import {
  type TrackCreated,
  type TrackExpired,
  type TrackUpdated,
  trackCreated,
  trackExpired,
  trackUpdated,
} from "./log/tracks.ts";
import {
  type ZoneCreated,
  type ZoneDeleted,
  type ZoneUpdated,
  zoneCreated,
  zoneDeleted,
  zoneUpdated,
} from "./log/zones.ts";
import { type DeadLetter, type DeadLetterRedriven, deadLetter, deadLetterRedriven } from "./records/dead-letters.ts";
import { type DeviceHeartbeat, deviceHeartbeat } from "./records/device-heartbeat.ts";
import { type EventStateChanged, eventStateChanged } from "./records/event-state-changed.ts";
import {
  type GeofenceIntersectionChanged,
  geofenceIntersectionChanged,
} from "./records/geofence-intersection-changed.ts";
import { type RecordEvents, recordSchemas } from "./records/kinds.ts";
import { type SignalRaised, signalRaised } from "./records/signal-raised.ts";
import {
  type SubscriptionSet,
  type SubscriptionStopped,
  subscriptionSet,
  subscriptionStopped,
} from "./records/subscription.ts";
import { type ZoneIntersectionChanged, zoneIntersectionChanged } from "./records/zone-intersection-changed.ts";
import { type ZoneVersion, zoneVersion } from "./records/zone-version.ts";

export type { Scope } from "./catalog/token.ts";
export type { Detection, DetectionsRecorded, GeoPosition } from "./log/detections.ts";
export type { GeofencesAdvanced } from "./log/geofences.ts";
export type { Polygon } from "./log/polygon.ts";
export type {
  ClearableTrackField,
  TrackCreated,
  TrackExpired,
  TrackProperties,
  TrackProperty,
  TrackUpdated,
} from "./log/tracks.ts";
export type { Zone, ZoneCreated, ZoneDeleted, ZoneFields, ZoneUpdated } from "./log/zones.ts";
export type { DeadLetter, DeadLetterRedriven } from "./records/dead-letters.ts";
export type { DeviceHeartbeat } from "./records/device-heartbeat.ts";
export type { ClosureReason, EventState, EventStateChanged, ScopeType } from "./records/event-state-changed.ts";
export type { GeofenceIntersectionChanged } from "./records/geofence-intersection-changed.ts";
export type { Cause, IntersectionMessageState } from "./records/intersection.ts";
export type { ZoneIntersectionChanged } from "./records/zone-intersection-changed.ts";
export type { ZoneRefusal, ZoneVersion } from "./records/zone-version.ts";

export interface CameraLogEvents {
  TrackCreated: TrackCreated;
  TrackUpdated: TrackUpdated;
  TrackExpired: TrackExpired;
  DetectionsRecorded: DetectionsRecorded;
  ZoneCreated: ZoneCreated;
  ZoneUpdated: ZoneUpdated;
  ZoneDeleted: ZoneDeleted;
  GeofencesAdvanced: GeofencesAdvanced;
}

export interface Events extends CameraLogEvents, CatalogEvents, ChronicleEvents, RecordEvents {
  ZoneVersion: ZoneVersion;
  ZoneIntersectionChanged: ZoneIntersectionChanged;
  DeviceHeartbeat: DeviceHeartbeat;
  GeofenceIntersectionChanged: GeofenceIntersectionChanged;
  SubscriptionSet: SubscriptionSet;
  SubscriptionStopped: SubscriptionStopped;
  SignalRaised: SignalRaised;
  EventStateChanged: EventStateChanged;
  DeadLetter: DeadLetter;
  DeadLetterRedriven: DeadLetterRedriven;
}

export type EventType = keyof Events;
export type CameraLogType = keyof CameraLogEvents;

/** An event with its type, as a discriminated union over `type`. */
export type Typed<T extends EventType = EventType> = { [K in T]: { readonly type: K; readonly event: Events[K] } }[T];
export type CameraLogEvent = Typed<CameraLogType>;
export type CatalogEvent = Typed<CatalogType>;

/** The Avro schema of each kind. The subject in the registry is the record's full name. */
export const records: { readonly [K in EventType]: AvroSchema<Events[K]> } = {
  TrackCreated: trackCreated.schema,
  TrackUpdated: trackUpdated.schema,
  TrackExpired: trackExpired.schema,
  DetectionsRecorded: detectionsRecorded.schema,
  ZoneCreated: zoneCreated.schema,
  ZoneUpdated: zoneUpdated.schema,
  ZoneDeleted: zoneDeleted.schema,
  GeofencesAdvanced: geofencesAdvanced.schema,
  ZoneVersion: zoneVersion.schema,
  ZoneIntersectionChanged: zoneIntersectionChanged.schema,
  DeviceHeartbeat: deviceHeartbeat.schema,
  GeofenceIntersectionChanged: geofenceIntersectionChanged.schema,
  ...catalogRecords,
  ...chronicleRecords,
  ...recordSchemas,
  SubscriptionSet: subscriptionSet.schema,
  SubscriptionStopped: subscriptionStopped.schema,
  SignalRaised: signalRaised.schema,
  EventStateChanged: eventStateChanged.schema,
  DeadLetter: deadLetter.schema,
  DeadLetterRedriven: deadLetterRedriven.schema,
};

export const eventTypes = Object.keys(records) as EventType[];
