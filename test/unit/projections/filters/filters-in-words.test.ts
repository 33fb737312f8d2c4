// Filters that are judged in memory only, against their meaning in plain TypeScript. FILTERS_SEED repeats a run.
import { test } from "vitest";
import { type Device, device } from "../../../../projections/catalog/device.ts";
import { type Geofence, geofence } from "../../../../projections/catalog/geofence.ts";
import type { PlacedDataSource } from "../../../../projections/catalog/placed.ts";
import { matchesPointOfInterest, type PointOfInterest } from "../../../../projections/catalog/point-of-interest.ts";
import { matchesSensor, type Sensor } from "../../../../projections/catalog/sensor.ts";
import { matchesSite, type Site } from "../../../../projections/catalog/site.ts";
import { matchesTag, type Tag, tagOf } from "../../../../projections/catalog/tag.ts";
import { type DeviceMessage, devicesFeed } from "../../../../projections/feed/devices.ts";
import { dataSourceFields } from "../../../../projections/filters/data-sources.ts";
import { type DetectionActivitySubject, detectionActivityFields } from "../../../../projections/filters/detections.ts";
import {
  type GeofenceIntersectionMessageSubject,
  geofenceIntersectionMessageFields,
  type IntersectionMessageSubject,
  intersectionMessageFields,
} from "../../../../projections/filters/intersections.ts";
import { matches } from "../../../../projections/filters/match.ts";
import type { OfDataSource } from "../../../../projections/filters/of-data-source.ts";
import { type TrackMessageSubject, trackMessageFields } from "../../../../projections/filters/tracks.ts";
import { zoneFields } from "../../../../projections/filters/zones.ts";
import { measurementActivityFields } from "../../../../projections/history/records/measurement.ts";
import { videoActivityFields } from "../../../../projections/history/records/video.ts";
import type { GeoPosition, Zone } from "../../../../schemas/events.ts";
import type {
  FilterDataSourceInput,
  FilterDetectionActivityInput,
  FilterGeofenceIntersectionMessageInput,
  FilterMeasurementActivityInput,
  FilterOfDataSource,
  FilterTrackMessageInput,
  FilterVideoActivityInput,
  FilterZoneInput,
  FilterZoneIntersectionMessageInput,
} from "../../../../schemas/filters.ts";
import type {
  FilterDeviceInput,
  FilterDeviceMessageInput,
  FilterGeofenceInput,
  FilterPointOfInterestInput,
  FilterSensorInput,
  FilterSiteInput,
  FilterTagInput,
} from "../../../../schemas/graphql/inputs.ts";
import type { MeasurementRecorded } from "../../../../schemas/records/measurement-recorded.ts";
import { every, instant, lower, place, property, text, when } from "../../../integration/history/matches.ts";
import { pick, type Random } from "../../../integration/history/world.ts";
import {
  anyDataSourceFilter,
  anyDetectionActivityFilter,
  anyDeviceFilter,
  anyDeviceMessageFilter,
  anyGeofenceFilter,
  anyGeofenceIntersectionMessageFilter,
  anyIntersectionMessageFilter,
  anyMeasurementActivityFilter,
  anyPointOfInterestFilter,
  anySensorFilter,
  anySiteFilter,
  anyTagFilter,
  anyTrackMessageFilter,
  anyVideoActivityFilter,
  anyZoneFilter,
} from "../../../support/random/any-filters.ts";
import { anyPosition, anyTrack, dataSources } from "../../../support/random/any-objects.ts";
import { any, chance } from "../../../support/random/any-values.ts";
import { zone } from "../../../support/scenes/zone.ts";
import { agree, anyId, flag, list, type Matches, made } from "./in-words.ts";

test("on zones", async () => {
  const subject = (random: Random): Zone =>
    zone({
      zoneId: pick(random, any.zones),
      name: pick(random, any.words),
      dataSourceId: pick(random, any.sources),
      active: chance(random, 0.5),
      createdAt: any.time(random),
      updatedAt: any.time(random),
    });
  const inWords = (filter: FilterZoneInput, one: Zone): boolean =>
    every(
      filter,
      [
        when(filter.id, (id) => text(one.zoneId, id)),
        when(filter.name, (name) => text(one.name, name)),
        when(filter.dataSourceId, (id) => text(one.dataSourceId, id)),
        when(filter.active, (wanted) => flag(one.active, wanted)),
        when(filter.createdAt, (time) => instant(one.createdAt, time)),
        when(filter.updatedAt, (time) => instant(one.updatedAt, time)),
      ],
      (inner) => inWords(inner, one),
    );
  await agree(anyZoneFilter, subject, (filter, one) => matches(zoneFields, filter, one), inWords);
});

test("on data sources", async () => {
  const subject = (random: Random): PlacedDataSource => {
    const [id, dataSource] = pick(random, [...dataSources]);
    const name = pick(random, any.words);
    return { ...dataSource, id, name, position: anyPosition(random), createdAt: 0, updatedAt: 0 };
  };
  const inWords = (filter: FilterDataSourceInput, one: PlacedDataSource): boolean =>
    every(
      filter,
      [
        when(filter.id, (id) => text(one.id, id)),
        when(filter.name, (name) => text(one.name, name)),
        when(filter.type, (type) => text(one.type, type)),
        when(filter.labels, (labels) => list(one.labels ?? [], labels)),
        when(filter.position, (position) => place(one.position, position)),
      ],
      (inner) => inWords(inner, one),
    );
  await agree(anyDataSourceFilter, subject, (filter, one) => matches(dataSourceFields, filter, one), inWords);
});

/** The fields of an unknown data source match no condition on their values. */
const ofDataSource = (filter: FilterOfDataSource, { dataSourceId, dataSource }: OfDataSource): boolean[] => [
  when(filter.deviceId, (id) => text(dataSourceId, id)),
  when(filter.siteId, (id) => text(dataSource?.siteId ?? null, id)),
  when(filter.pointOfInterestId, (id) => text(dataSource?.pointOfInterestId ?? null, id)),
  when(filter.dataSourceType, (type) =>
    dataSource === null
      ? text(null, { ...type, attributeExists: null }) && type.attributeExists == null
      : text(dataSource.type, type),
  ),
  when(filter.dataSourceLabels, (labels) => dataSource !== null && list(dataSource.labels ?? [], labels)),
];

test("on messages about tracks", async () => {
  type Subject = TrackMessageSubject & { readonly places: readonly GeoPosition[] };
  const subject = (random: Random): Subject => ({
    ...anyTrack(random, pick(random, any.ids)),
    state: pick(random, any.states),
  });
  const inWords = (filter: FilterTrackMessageInput, one: Subject): boolean => {
    const attributes = one.properties?.attributes ?? [];
    return every(
      filter,
      [
        ...ofDataSource(filter, one),
        when(filter.id, (id) => text(one.trackId, id)),
        when(filter.dataSourceId, (id) => text(one.dataSourceId, id)),
        when(filter.tag, (tag) => text(one.tag, tag, lower)),
        when(filter.modelId, (id) => text(one.modelId, id)),
        when(filter.state, (state) => text(one.state, state)),
        when(filter.identifier, (wanted) => property(one.properties?.identifier ?? null, wanted)),
        when(filter.attribute, (wanted) =>
          (attributes.length === 0 ? [null] : attributes).some((each) => property(each, wanted)),
        ),
        when(filter.position, (point) =>
          (one.places.length === 0 ? [null] : one.places).some((at) => place(at, point)),
        ),
      ],
      (inner) => inWords(inner, one),
    );
  };
  await agree(anyTrackMessageFilter, subject, (filter, one) => matches(trackMessageFields, filter, one), inWords);
});

test("on messages about intersections", async () => {
  const subject = (random: Random): IntersectionMessageSubject => ({
    zoneId: pick(random, any.zones),
    dataSourceId: pick(random, any.sources),
    state: pick(random, any.states),
  });
  const inWords = (filter: FilterZoneIntersectionMessageInput, one: IntersectionMessageSubject): boolean =>
    every(
      filter,
      [
        when(filter.zoneId, (id) => text(one.zoneId, id)),
        when(filter.dataSourceId, (id) => text(one.dataSourceId, id)),
        when(filter.state, (state) => text(one.state, state)),
      ],
      (inner) => inWords(inner, one),
    );
  const matched: Matches<FilterZoneIntersectionMessageInput, IntersectionMessageSubject> = (filter, one) =>
    matches(intersectionMessageFields, filter, one);
  await agree(anyIntersectionMessageFilter, subject, matched, inWords);
});

test("on messages about geofence intersections", async () => {
  const subject = (random: Random): GeofenceIntersectionMessageSubject => ({
    ...{ geofenceId: pick(random, any.geofences), tag: pick(random, any.words) },
    ...{ dataSourceId: pick(random, any.sources), state: pick(random, any.states) },
  });
  const inWords = (filter: FilterGeofenceIntersectionMessageInput, one: GeofenceIntersectionMessageSubject): boolean =>
    every(
      filter,
      [
        when(filter.geofenceId, (id) => text(one.geofenceId, id)),
        when(filter.tag, (tag) => text(one.tag, tag, lower)),
        when(filter.dataSourceId, (id) => text(one.dataSourceId, id)),
        when(filter.state, (state) => text(one.state, state)),
      ],
      (inner) => inWords(inner, one),
    );
  const matched: Matches<FilterGeofenceIntersectionMessageInput, GeofenceIntersectionMessageSubject> = (filter, one) =>
    matches(geofenceIntersectionMessageFields, filter, one);
  await agree(anyGeofenceIntersectionMessageFilter, subject, matched, inWords);
});

test("on detections as they are recorded", async () => {
  const subject = (random: Random): DetectionActivitySubject => {
    const { dataSourceId, dataSource, tag } = anyTrack(random, "t");
    const zoneIds = any.zones.filter(() => chance(random, 0.3));
    const geofenceIds = any.geofences.filter(() => chance(random, 0.3));
    return { dataSourceId, dataSource, tag, position: anyPosition(random), zoneIds, geofenceIds };
  };
  const inWords = (filter: FilterDetectionActivityInput, one: DetectionActivitySubject): boolean =>
    every(
      filter,
      [
        when(filter.dataSourceId, (id) => text(one.dataSourceId, id)),
        when(filter.deviceId, (id) => text(one.dataSourceId, id)),
        when(filter.tag, (tag) => text(one.tag, tag, lower)),
        when(filter.zoneId, (zoneId) => anyId(one.zoneIds, zoneId)),
        when(filter.geofenceId, (geofenceId) => anyId(one.geofenceIds, geofenceId)),
        when(filter.position, (point) => place(one.position, point)),
      ],
      (inner) => inWords(inner, one),
    );
  const matched: Matches<FilterDetectionActivityInput, DetectionActivitySubject> = (filter, one) =>
    matches(detectionActivityFields, filter, one);
  await agree(anyDetectionActivityFilter, subject, matched, inWords);
});

test("on sensors", async () => {
  const subject = (random: Random): Sensor => ({
    ...{ id: pick(random, any.sensors), name: pick(random, any.words), type: pick(random, any.sensorTypes) },
    ...{ position: anyPosition(random), description: null, address: null, metadata: null, createdAt: 0, updatedAt: 0 },
  });
  const inWords = (filter: FilterSensorInput, one: Sensor): boolean =>
    every(
      filter,
      [
        when(filter.id, (id) => text(one.id, id)),
        when(filter.name, (name) => text(one.name, name)),
        when(filter.type, (type) => text(one.type, type)),
        when(filter.position, (position) => place(one.position, position)),
      ],
      (inner) => inWords(inner, one),
    );
  await agree(anySensorFilter, subject, matchesSensor, inWords);
});

test("on measurements as they are recorded", async () => {
  const subject = (random: Random): MeasurementRecorded => ({
    sensorId: pick(random, any.sensors),
    timestamp: 0,
    value: "1",
  });
  const inWords = (filter: FilterMeasurementActivityInput, one: MeasurementRecorded): boolean =>
    every(filter, [when(filter.sensorId, (id) => text(one.sensorId, id))], (inner) => inWords(inner, one));
  const matched: Matches<FilterMeasurementActivityInput, MeasurementRecorded> = (filter, one) =>
    matches(measurementActivityFields, filter, one);
  await agree(anyMeasurementActivityFilter, subject, matched, inWords);
});

test("on videos as they are created", async () => {
  const subject = (random: Random) => ({ dataSourceId: pick(random, any.sources) });
  const inWords = (filter: FilterVideoActivityInput, one: { dataSourceId: string }): boolean =>
    every(filter, [when(filter.dataSourceId, (id) => text(one.dataSourceId, id))], (inner) => inWords(inner, one));
  await agree(anyVideoActivityFilter, subject, (filter, one) => matches(videoActivityFields, filter, one), inWords);
});

const position: GeoPosition = { longitude: 0, latitude: 0, altitude: null, crs: null };

const anySite = (random: Random): Site => ({
  ...{ ...made, id: pick(random, any.sites), name: pick(random, any.words), timezone: "UTC" },
  ...{ position: null, polygon: null },
});

const siteInWords = (filter: FilterSiteInput, one: Site): boolean =>
  every(
    filter,
    [when(filter.id, (id) => text(one.id, id)), when(filter.name, (name) => text(one.name, name))],
    (inner) => siteInWords(inner, one),
  );

test("on sites", async () => {
  await agree(anySiteFilter, anySite, matchesSite, siteInWords);
});

test("on points of interest", async () => {
  const subject = (random: Random): PointOfInterest => ({
    ...{ ...made, id: pick(random, any.points), siteId: pick(random, any.sites), name: pick(random, any.words) },
    ...{ position, metadata: null },
  });
  const inWords = (filter: FilterPointOfInterestInput, one: PointOfInterest): boolean =>
    every(
      filter,
      [
        when(filter.id, (id) => text(one.id, id)),
        when(filter.siteId, (id) => text(one.siteId, id)),
        when(filter.name, (name) => text(one.name, name)),
      ],
      (inner) => inWords(inner, one),
    );
  await agree(anyPointOfInterestFilter, subject, matchesPointOfInterest, inWords);
});

interface Placed {
  readonly device: Device;
  readonly site: Site | null;
}

const anyPlaced = (random: Random): Placed => {
  const site = chance(random, 0.6) ? anySite(random) : null;
  const maybe = () => (chance(random, 0.6) ? pick(random, any.words) : null);
  const named = { id: pick(random, any.ids), name: pick(random, any.words), enabled: chance(random, 0.5) };
  const none = { pointOfInterestId: null, transcoderId: null, position: null };
  const siteId = site?.id ?? null;
  return {
    site,
    device: { ...made, ...named, ...none, dataSourceId: "d", siteId, externalId: maybe(), address: maybe() },
  };
};

const ofDevice = (filter: Omit<FilterDeviceInput, "site" | "and" | "or" | "not">, one: Device): boolean[] => [
  when(filter.id, (id) => text(one.id, id)),
  when(filter.uuid, (id) => text(one.id, id)),
  when(filter.name, (name) => text(one.name, name)),
  when(filter.externalId, (id) => text(one.externalId, id)),
  when(filter.address, (address) => text(one.address, address)),
  when(filter.enabled, (wanted) => flag(one.enabled, wanted)),
];

test("on devices, a filter on the site of one without any fails", async () => {
  const inWords = (filter: FilterDeviceInput, { device: one, site }: Placed): boolean =>
    every(
      filter,
      [...ofDevice(filter, one), when(filter.site, (wanted) => site !== null && siteInWords(wanted, site))],
      (inner) => inWords(inner, { device: one, site }),
    );
  const matched: Matches<FilterDeviceInput, Placed> = (filter, { device: one, site }) =>
    device.listing?.matches(filter, one, { get: () => site, referring: () => [] } as never) ?? false;
  await agree(anyDeviceFilter, anyPlaced, matched, inWords);
});

test("on messages about devices", async () => {
  const subject = (random: Random): DeviceMessage => ({
    ...{ kind: "devices", index: 0, dataSourceId: "d" },
    ...{ state: pick(random, any.deviceStates), device: anyPlaced(random).device },
  });
  const inWords = (filter: FilterDeviceMessageInput, one: DeviceMessage): boolean =>
    every(filter, [...ofDevice(filter, one.device), when(filter.state, (state) => text(one.state, state))], (inner) =>
      inWords(inner, one),
    );
  await agree(anyDeviceMessageFilter, subject, (filter, one) => devicesFeed.matches(filter, one, {} as never), inWords);
});

test("on geofences", async () => {
  const subject = (random: Random): Geofence => ({
    ...{ ...made, id: pick(random, any.geofences), name: pick(random, any.words), active: chance(random, 0.5) },
    ...{ siteId: pick(random, any.sites), pointOfInterestId: chance(random, 0.5) ? pick(random, any.points) : null },
    ...{ labels: any.labels.filter(() => chance(random, 0.4)), bounds: [] as never },
  });
  const inWords = (filter: FilterGeofenceInput, one: Geofence): boolean =>
    every(
      filter,
      [
        when(filter.id, (id) => text(one.id, id)),
        when(filter.name, (name) => text(one.name, name)),
        when(filter.active, (wanted) => flag(one.active, wanted)),
        when(filter.siteId, (id) => text(one.siteId, id)),
        when(filter.pointOfInterestId, (id) => text(one.pointOfInterestId, id)),
        when(filter.labels, (labels) => list(one.labels, labels)),
      ],
      (inner) => inWords(inner, one),
    );
  const matched: Matches<FilterGeofenceInput, Geofence> = (filter, one) =>
    geofence.listing?.matches(filter, one, {} as never) ?? false;
  await agree(anyGeofenceFilter, subject, matched, inWords);
});

test("on tags, which are the same in any case", async () => {
  const subject = (random: Random): Tag => ({ ...tagOf(pick(random, any.words)), id: pick(random, any.ids) });
  const inWords = (filter: FilterTagInput, one: Tag): boolean =>
    every(
      filter,
      [when(filter.id, (id) => text(one.id, id)), when(filter.name, (name) => text(one.name, name, lower))],
      (inner) => inWords(inner, one),
    );
  await agree(anyTagFilter, subject, matchesTag, inWords);
});
