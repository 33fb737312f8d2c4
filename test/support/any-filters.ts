// Random filters of every type: any members together, null members, and, or and not within one another.
import type {
  FilterBooleanInput,
  FilterDataSourceInput,
  FilterDateTimeOffsetInput,
  FilterDetectionActivityInput,
  FilterDetectionInput,
  FilterGeofenceIntersectionInput,
  FilterGeofenceIntersectionMessageInput,
  FilterIDInput,
  FilterIDListInput,
  FilterImageInput,
  FilterMeasurementActivityInput,
  FilterMeasurementInput,
  FilterPointInput,
  FilterStringInput,
  FilterTimeRangeInput,
  FilterTrackDetectionInput,
  FilterTrackInput,
  FilterTrackMessageInput,
  FilterTrackPropertyInput,
  FilterVideoActivityInput,
  FilterVideoInput,
  FilterZoneInput,
  FilterZoneIntersectionInput,
  FilterZoneIntersectionMessageInput,
  TimeRangeInput,
} from "../../schemas/filters.ts";
import type {
  FilterActivityChronicleInput,
  FilterChronicleProducerInput,
  FilterChronicleValidationStatusInput,
  FilterDeviceInput,
  FilterEventChronicleInput,
  FilterMessageStateInput,
  FilterPointOfInterestInput,
  FilterSensorInput,
  FilterSiteInput,
  FilterSummaryChronicleInput,
  FilterTagInput,
} from "../../schemas/graphql/inputs.ts";
import { pick, type Random } from "../integration/history/world.ts";
import { any } from "./any-values.ts";

type Logic = "and" | "or" | "not";
type Makers<Filter> = {
  readonly [Name in Exclude<keyof Filter, Logic>]-?: (random: Random) => NonNullable<Filter[Name]>;
};

/** Up to three of the members, now and then null. */
function some<Filter extends object>(random: Random, makers: Makers<Filter>): Filter {
  const members: Record<string, unknown> = {};
  const names = Object.keys(makers) as Exclude<keyof Filter & string, Logic>[];
  for (let left = Math.floor(random() * 2.6); left > 0; left--) {
    const name = pick(random, names);
    members[name] = random() < 0.05 ? null : makers[name](random);
  }
  return members as Filter;
}

function filterOf<Filter extends object>(makers: Makers<Filter>): (random: Random, depth?: number) => Filter {
  const make = (random: Random, depth = 2): Filter => {
    const filter = some(random, makers);
    if (depth === 0 || random() < 0.5) return filter;
    const inner = () => Array.from({ length: Math.floor(random() * 3.5) }, () => make(random, depth - 1));
    return {
      ...filter,
      ...(random() < 0.3 ? { and: inner() } : {}),
      ...(random() < 0.5 ? { or: inner() } : {}),
      ...(random() < 0.4 ? { not: make(random, depth - 1) } : {}),
    };
  };
  return make;
}

const maybe = <T extends object>(random: Random, share: number, member: () => T): T | undefined =>
  random() < share ? member() : undefined;

const listOf = <T>(random: Random, entry: () => T): T[] => Array.from({ length: Math.floor(random() * 4) }, entry);

const id =
  (values: readonly string[]) =>
  (random: Random): FilterIDInput => {
    const one = () => pick(random, values);
    return {
      ...maybe(random, 0.3, () => ({ eq: one() })),
      ...maybe(random, 0.4, () => ({ ne: one() })),
      ...maybe(random, 0.4, () => ({ in: listOf(random, one) })),
    };
  };

const text =
  (values: readonly string[]) =>
  (random: Random): FilterStringInput => ({
    ...id(values)(random),
    ...maybe(random, 0.3, () => ({ like: pick(random, any.parts) })),
    ...maybe(random, 0.15, () => ({ attributeExists: random() < 0.5 })),
  });

const list =
  (values: readonly string[]) =>
  (random: Random): FilterIDListInput => ({
    ...maybe(random, 0.5, () => ({ eq: listOf(random, () => pick(random, values)) })),
    ...maybe(random, 0.5, () => ({ in: listOf(random, () => pick(random, values)) })),
  });

const boolean = (random: Random): FilterBooleanInput => ({
  ...maybe(random, 0.5, () => ({ eq: random() < 0.5 })),
  ...maybe(random, 0.3, () => ({ ne: random() < 0.5 })),
  ...maybe(random, 0.2, () => ({ attributeExists: random() < 0.5 })),
});

const time = (random: Random): FilterDateTimeOffsetInput => ({
  ...maybe(random, 0.2, () => ({ eq: any.time(random) })),
  ...maybe(random, 0.7, () => ({ between: [any.time(random), any.time(random)] })),
  ...maybe(random, 0.15, () => ({ attributeExists: random() < 0.5 })),
});

const range = (random: Random): TimeRangeInput => ({
  ...maybe(random, 0.8, () => ({ start: any.time(random) })),
  ...maybe(random, 0.8, () => ({ end: any.time(random) })),
});

const timeRange = (random: Random): FilterTimeRangeInput =>
  pick<FilterTimeRangeInput>(random, [
    { containing: range(random) },
    { containedBy: range(random) },
    { intersecting: range(random) },
    { startingWithin: range(random) },
    { endingWithin: range(random) },
    { containingInstant: any.time(random) },
    { before: any.time(random) },
    { after: any.time(random) },
  ]);

const square = (x: number, y: number, size: number) => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
];

/** No border goes through a position: a position on one may count either way, and metres are rounded. */
const position = (random: Random): FilterPointInput => {
  const corner = () => Math.floor(random() * 8) / 100 + 0.005;
  const [x, y] = [corner(), corner()];
  return {
    ...maybe(random, 0.3, () => ({
      in: { type: "Polygon", coordinates: [square(x, y, 0.07), square(x + 0.02, y + 0.02, 0.03)] },
    })),
    ...maybe(random, 0.4, () => ({
      near: { point: { type: "Point", coordinates: [x, y] }, radius: any.radius(random) },
    })),
    ...maybe(random, 0.3, () => ({ attributeExists: random() < 0.5 })),
  };
};

const property = (random: Random): FilterTrackPropertyInput => ({
  ...maybe(random, 0.6, () => ({ type: text(any.types)(random) })),
  ...maybe(random, 0.6, () => ({ value: text(any.words)(random) })),
});

const state = (random: Random): FilterMessageStateInput => ({
  ...maybe(random, 0.4, () => ({ eq: pick(random, any.states) })),
  ...maybe(random, 0.3, () => ({ ne: pick(random, any.states) })),
  ...maybe(random, 0.4, () => ({ in: listOf(random, () => pick(random, any.states)) })),
});

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

export const anyDetectionFilter = filterOf<FilterDetectionInput>({ ...ofDetection, trackId: id(any.ids), time });

export const anyDetectionActivityFilter = filterOf<FilterDetectionActivityInput>(ofDetection);

export const anyTrackDetectionFilter = filterOf<FilterTrackDetectionInput>({
  ...{ zoneId: id(any.zones), geofenceId: id(any.geofences), time, position },
});

const ofIntersection = { zoneId: id(any.zones), dataSourceId: id(any.sources) };

export const anyIntersectionFilter = filterOf<FilterZoneIntersectionInput>({
  ...ofIntersection,
  time,
  tag: text(any.words),
});

export const anyIntersectionMessageFilter = filterOf<FilterZoneIntersectionMessageInput>({ ...ofIntersection, state });

export const anyGeofenceIntersectionFilter = filterOf<FilterGeofenceIntersectionInput>({
  ...{ geofenceId: id(any.geofences), time },
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

export const anyDeviceFilter = filterOf<FilterDeviceInput>({
  ...{
    id: id(any.ids),
    uuid: id(any.ids),
    name: text(any.words),
    externalId: text(any.words),
    address: text(any.words),
  },
  ...{ enabled: boolean, site: (random) => anySiteFilter(random, 1) },
});

export const anyTagFilter = filterOf<FilterTagInput>({ id: id(any.ids), name: text(any.words) });

export const anyProducerFilter = filterOf<FilterChronicleProducerInput>({
  ...{ id: id(any.ids), name: text(any.words), active: boolean },
});

export const anySensorFilter = filterOf<FilterSensorInput>({
  ...{ id: id(any.sensors), name: text(any.words), type: text(any.sensorTypes), position },
});

export const anyMeasurementFilter = filterOf<FilterMeasurementInput>({ sensorId: id(any.sensors), time });

export const anyMeasurementActivityFilter = filterOf<FilterMeasurementActivityInput>({ sensorId: id(any.sensors) });

export const anyImageFilter = (imageIds: readonly string[]) =>
  filterOf<FilterImageInput>({ id: id(imageIds), dataSourceId: id(any.sources), timestamp: time });

const validation = (random: Random): FilterChronicleValidationStatusInput => ({
  ...maybe(random, 0.4, () => ({ eq: pick(random, any.judgements) })),
  ...maybe(random, 0.3, () => ({ ne: pick(random, any.judgements) })),
  ...maybe(random, 0.4, () => ({ in: listOf(random, () => pick(random, any.judgements)) })),
  ...maybe(random, 0.2, () => ({ attributeExists: random() < 0.5 })),
});

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

export const anyVideoFilter = filterOf<FilterVideoInput>({
  ...{ id: id(any.ids), dataSourceId: id(any.sources), startTime: time, endTime: time },
});

export const anyVideoActivityFilter = filterOf<FilterVideoActivityInput>({ dataSourceId: id(any.sources) });
