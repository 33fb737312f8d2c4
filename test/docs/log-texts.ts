// Sentences about the topics and their events, for the AsyncAPI document. The compiler requires one for each.
import type { EventType } from "../../schemas/events.ts";
import type { Topic } from "../../schemas/topics.ts";

export const topicTexts: Readonly<Record<Topic, string>> = {
  "camera-log":
    "Tracks, detections and zones. All events of one data source are in one partition, so every reader sees them in " +
    "the same order.",
  zones: "Every zone version with its position in the camera-log.",
  catalog: "Every change of each entity, deletions included. An entity is folded from all its changes.",
  "zone-intersections":
    "The times that tracks spend in zones. An event is in the partition with the number of the camera-log partition " +
    "from which it derives.",
  chronicles: "Every change of each chronicle. A chronicle is folded from all its changes.",
  "geofence-intersections":
    "The times that tracks spend in geofences. An event is in the partition with the number of the camera-log " +
    "partition from which it derives.",
  "device-heartbeats": "Signs that devices were alive. Only the newest one of each device matters.",
  subscriptions: "The webhook subscriptions of callers. Each message is a whole subscription, or its stop.",
  signals: "Signals for webhook subscriptions. All signals of one subscription are in one partition.",
  "event-states": "The newest state of each event of a workflow.",
  "dead-letters": "Messages of other topics that a reader refused, with their places and the reasons.",
  measurements: "Values of sensors.",
  images: "Images in the media store.",
  videos: "Videos in the media store. All events of one data source are in one partition.",
  "webhook-deliveries": "Deliveries to webhooks that have ended, with their attempts.",
};

const ofEntity = (entity: string) => `A change of ${entity}: the fields that it sets, and the fields that it clears.`;

export const eventTexts: Readonly<Record<EventType, string>> = {
  TrackCreated: "A new track, with its header and perhaps its first detections.",
  TrackUpdated: "Changed fields of a track, and perhaps further detections.",
  TrackExpired: "A track has timed out. The state machine writes this event.",
  DetectionsRecorded: "Detections of tracks of one data source.",
  ZoneCreated: "A new zone. Its key is the id of the data source in the zone.",
  ZoneUpdated: "Changed fields of a zone.",
  ZoneDeleted: "A deleted zone, or one that has moved to another data source.",
  GeofencesAdvanced:
    "From this event on, the fold uses the geofences as of an offset of the catalog. Every partition has this event.",
  ZoneVersion: "The result of a zone event: the zone from that log position on, or the reason why nothing changed.",
  ZoneIntersectionChanged: "The start, an update or the end of the time that a track spends in a zone.",
  GeofenceIntersectionChanged: "The start, an update or the end of the time that a track spends in a geofence.",
  DeviceHeartbeat: "The device was alive at that time.",
  SubscriptionSet: "A webhook subscription as a caller has set it.",
  SubscriptionStopped: "Deliveries of one version of a webhook subscription stop, or resume.",
  SignalRaised: "A signal for one webhook subscription.",
  EventStateChanged: "The whole state of one event of a workflow.",
  DeadLetter: "A message that a reader refused, with its place and the reason.",
  DeadLetterRedriven: "The message of a dead letter was written to its topic once more.",
  DataSourceChanged: ofEntity("a data source"),
  DeviceChanged: ofEntity("a device"),
  DeviceCalibrationChanged: ofEntity("a calibration of a device"),
  SiteChanged: ofEntity("a site"),
  PointOfInterestChanged: ofEntity("a point of interest"),
  GeofenceChanged: ofEntity("a geofence"),
  ChronicleProducerChanged: ofEntity("a chronicle producer"),
  SensorChanged: ofEntity("a sensor"),
  TagChanged: ofEntity("a tag"),
  TokenChanged: ofEntity("a token"),
  ActivityChronicleChanged: ofEntity("an activity chronicle"),
  ActivityMediaAdded: "Images and clips that are added to those of an activity chronicle.",
  EventChronicleChanged: ofEntity("an event chronicle"),
  SummaryChronicleChanged: ofEntity("a summary chronicle"),
  MeasurementRecorded: "A value of a sensor at a time.",
  ImageStored: "An image whose bytes are in the media store.",
  VideoChanged: "A new video, or changed fields of one.",
  DeliveryEnded: "The end of a delivery to a webhook, with its attempts.",
};
