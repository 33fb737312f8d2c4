// Random filters of every type: any members together, null members, and, or and not within one another.
import type {
  DetectionFilter,
  FilterDataSourceInput,
  FilterDetectionActivityInput,
  FilterGeofenceIntersectionMessageInput,
  FilterImageInput,
  FilterMeasurementActivityInput,
  FilterTrackInput,
  FilterTrackMessageInput,
  FilterVideoActivityInput,
  FilterZoneInput,
  FilterZoneIntersectionMessageInput,
  GeofenceIntersectionFilter,
  MeasurementFilter,
  TrackDetectionFilter,
  VideoFilter,
  ZoneIntersectionFilter,
} from "../../../schemas/filters.ts";
import type {
  FilterActivityChronicleInput,
  FilterActivityChronicleInputSubscription,
  FilterChronicleProducerInput,
  FilterDeviceInput,
  FilterDeviceMessageInput,
  FilterEventActivityInput,
  FilterEventChronicleInput,
  FilterEventChronicleInputSubscription,
  FilterEventInput,
  FilterGeofenceInput,
  FilterPointOfInterestInput,
  FilterSensorInput,
  FilterSiteInput,
  FilterSummaryChronicleInput,
  FilterSummaryChronicleInputSubscription,
  FilterTagInput,
} from "../../../schemas/graphql/inputs.ts";
import {
  boolean,
  deviceState,
  filterOf,
  id,
  list,
  position,
  property,
  state,
  text,
  time,
  timeRange,
  validation,
} from "./any-conditions.ts";
import { any } from "./any-values.ts";

const ofDataSource = {
  siteId: id(any.sites),
  pointOfInterestId: id(any.points),
  dataSourceType: text(any.sourceTypes),
  dataSourceLabels: list(any.labels),
  deviceId: id(any.sources),
};

const ofTrack = {
  ...ofDataSource,
  id: id(any.ids),
  dataSourceId: id(any.sources),
  tag: text(any.words),
  position,
  identifier: property,
  attribute: property,
  modelId: id(any.words),
};

export const anyTrackFilter = filterOf<FilterTrackInput>({ ...ofTrack, time, timeRange, finished: boolean });

export const anyTrackMessageFilter = filterOf<FilterTrackMessageInput>({ ...ofTrack, state });

const ofDetection = {
  dataSourceId: id(any.sources),
  deviceId: id(any.sources),
  zoneId: id(any.zones),
  geofenceId: id(any.geofences),
  tag: text(any.words),
  position,
};

export const anyDetectionFilter = filterOf<DetectionFilter>({ ...ofDetection, trackId: id(any.ids), time });

export const anyDetectionActivityFilter = filterOf<FilterDetectionActivityInput>(ofDetection);

export const anyTrackDetectionFilter = filterOf<TrackDetectionFilter>({
  ...{ zoneId: id(any.zones), geofenceId: id(any.geofences), time, position },
});

const ofIntersection = { zoneId: id(any.zones), dataSourceId: id(any.sources) };

export const anyIntersectionFilter = filterOf<ZoneIntersectionFilter>({
  ...ofIntersection,
  ...{ time, timeRange },
  tag: text(any.words),
});

export const anyIntersectionMessageFilter = filterOf<FilterZoneIntersectionMessageInput>({ ...ofIntersection, state });

export const anyGeofenceIntersectionFilter = filterOf<GeofenceIntersectionFilter>({
  ...{ geofenceId: id(any.geofences), time, timeRange },
});

export const anyGeofenceIntersectionMessageFilter = filterOf<FilterGeofenceIntersectionMessageInput>({
  ...{ geofenceId: id(any.geofences), tag: text(any.words), dataSourceId: id(any.sources), state },
});

export const anyZoneFilter = filterOf<FilterZoneInput>({
  ...{ id: id(any.zones), name: text(any.words), dataSourceId: id(any.sources) },
  ...{ active: boolean, createdAt: time, updatedAt: time },
});

export const anyDataSourceFilter = filterOf<FilterDataSourceInput>({
  ...{ id: id(any.sources), name: text(any.words), type: text(any.sourceTypes) },
  ...{ labels: list(any.labels), position },
});

export const anySiteFilter = filterOf<FilterSiteInput>({ id: id(any.sites), name: text(any.words) });

export const anyPointOfInterestFilter = filterOf<FilterPointOfInterestInput>({
  ...{ id: id(any.points), siteId: id(any.sites), name: text(any.words) },
});

const ofDevice = {
  ...{ id: id(any.ids), uuid: id(any.ids), name: text(any.words), enabled: boolean },
  ...{ externalId: text(any.words), address: text(any.words) },
};

export const anyDeviceFilter = filterOf<FilterDeviceInput>({
  ...{ ...ofDevice, site: (random) => anySiteFilter(random, 1) },
});

export const anyDeviceMessageFilter = filterOf<FilterDeviceMessageInput>({ ...ofDevice, state: deviceState });

export const anyGeofenceFilter = filterOf<FilterGeofenceInput>({
  ...{ id: id(any.geofences), name: text(any.words), active: boolean },
  ...{ siteId: id(any.sites), pointOfInterestId: id(any.points), labels: list(any.labels) },
});

export const anyTagFilter = filterOf<FilterTagInput>({ id: id(any.ids), name: text(any.words) });

export const anyProducerFilter = filterOf<FilterChronicleProducerInput>({
  ...{ id: id(any.ids), name: text(any.words), active: boolean },
});

export const anySensorFilter = filterOf<FilterSensorInput>({
  ...{ id: id(any.sensors), name: text(any.words), type: text(any.sensorTypes), position },
});

export const anyMeasurementFilter = filterOf<MeasurementFilter>({ sensorId: id(any.sensors), time });

export const anyMeasurementActivityFilter = filterOf<FilterMeasurementActivityInput>({ sensorId: id(any.sensors) });

export const anyImageFilter = (imageIds: readonly string[]) =>
  filterOf<FilterImageInput>({ id: id(imageIds), dataSourceId: id(any.sources), timestamp: time });

const ofChronicle = {
  ...{ id: id(any.ids), chronicleProducerId: id(any.sources), validation },
  ...{ name: text(any.words), timezone: text(any.words), priority: text(any.words), status: text(any.words) },
  ...{ labels: list(any.labels), locations: list(any.labels) },
};

const ofActivity = {
  ...{ ...ofChronicle, startTime: time, endTime: time },
  ...{ tagIds: list(any.labels), siteIds: list(any.labels), dataSourceIds: list(any.sources) },
  pointOfInterestIds: list(any.labels),
};

export const anyActivityFilter = filterOf<FilterActivityChronicleInput>({
  ...ofActivity,
  ...{ description: text(any.words), timeRange, position },
});

export const anyEventChronicleFilter = filterOf<FilterEventChronicleInput>({
  ...ofChronicle,
  ...{ timestamp: time, activityChronicleIds: list(any.ids) },
});

export const anySummaryFilter = filterOf<FilterSummaryChronicleInput>({
  ...ofChronicle,
  ...{ startTime: time, endTime: time, activityChronicleIds: list(any.ids), eventChronicleIds: list(any.ids) },
});

/** A filter of a subscription judges the status of a validation as a text. */
const ofChronicleMessage = { ...ofChronicle, validation: text(any.judgements) };

export const anyActivityMessageFilter = filterOf<FilterActivityChronicleInputSubscription>({
  ...ofActivity,
  ...ofChronicleMessage,
});

export const anyEventMessageFilter = filterOf<FilterEventChronicleInputSubscription>({
  ...{ ...ofChronicleMessage, timestamp: time },
});

export const anySummaryMessageFilter = filterOf<FilterSummaryChronicleInputSubscription>({
  ...{ ...ofChronicleMessage, startTime: time, endTime: time },
});

const ofEvent = {
  ...{ eventProducerId: id(any.sources), type: text(any.words), subType: text(any.labels) },
  ...{ draft: boolean, priority: text(any.words) },
};

export const anyEventFilter = filterOf<FilterEventInput>({ ...ofEvent, time, validation });

export const anyEventActivityFilter = filterOf<FilterEventActivityInput>(ofEvent);

export const anyVideoFilter = filterOf<VideoFilter>({
  ...{ id: id(any.ids), dataSourceId: id(any.sources), startTime: time, endTime: time },
});

export const anyVideoActivityFilter = filterOf<FilterVideoActivityInput>({ dataSourceId: id(any.sources) });
