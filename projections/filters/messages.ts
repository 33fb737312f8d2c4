// Filters of subscriptions, over what is known when a message is sent. A filter judges a track's message as the query
// judges the track. Pure; the caller gathers the subject once per event.

import type {
  DataSourceEntry,
  GeoPosition,
  MessageState,
  TrackProperties,
  TrackProperty,
} from "../../schemas/events.ts";
import type {
  FilterDetectionActivityInput,
  FilterStringInput,
  FilterStringListInput,
  FilterTrackMessageInput,
  FilterTrackPropertyInput,
  FilterZoneIntersectionMessageInput,
} from "../../schemas/filters.ts";
import type { SeenSoFar } from "../feed/seen-positions.ts";
import { given, matches } from "./combine.ts";
import { matchesPoints, matchesSeen } from "./points.ts";
import { matchesId, matchesState, matchesString, matchesStringInAnyCase, matchesStringList } from "./values.ts";

export interface TrackMessageSubject {
  readonly trackId: string;
  readonly dataSourceId: string;
  /** null = unknown or deleted meanwhile. */
  readonly dataSource: Pick<DataSourceEntry, "type" | "labels"> | null;
  readonly tag: string;
  readonly seen: SeenSoFar;
  readonly properties: TrackProperties | null;
  readonly modelId: string | null;
  readonly state: MessageState;
}

export const matchesTrackMessage = (filter: FilterTrackMessageInput, subject: TrackMessageSubject): boolean =>
  matches(filter, subject, ofTrackMessage);

function ofTrackMessage(filter: FilterTrackMessageInput, subject: TrackMessageSubject): boolean {
  const { identifier, attributes } = subject.properties ?? { identifier: null, attributes: null };
  return (
    given(filter.id, (each) => matchesId(each, subject.trackId)) &&
    given(filter.dataSourceId, (each) => matchesId(each, subject.dataSourceId)) &&
    given(filter.deviceId, (each) => matchesId(each, subject.dataSourceId)) &&
    given(filter.state, (each) => matchesState(each, subject.state)) &&
    given(filter.tag, (each) => matchesStringInAnyCase(each, subject.tag)) &&
    given(filter.modelId, (each) => matchesId(each, subject.modelId)) &&
    given(filter.siteId, (each) => matchesId(each, null)) &&
    given(filter.pointOfInterestId, (each) => matchesId(each, null)) &&
    given(filter.dataSourceType, (each) => matchesTypeOf(subject.dataSource, each)) &&
    given(filter.dataSourceLabels, (each) => matchesLabelsOf(subject.dataSource, each)) &&
    given(filter.identifier, (each) => matchesProperty(each, identifier === null ? [] : [identifier])) &&
    given(filter.attribute, (each) => matchesProperty(each, attributes ?? [])) &&
    given(filter.position, (each) => matchesSeen(each, subject.seen))
  );
}

/** An unknown data source matches no statement about its type, not even that it has none. */
const matchesTypeOf = (source: TrackMessageSubject["dataSource"], filter: FilterStringInput): boolean =>
  matchesString(filter, source?.type) && (source !== null || filter.attributeExists !== false);

const matchesLabelsOf = (source: TrackMessageSubject["dataSource"], filter: FilterStringListInput): boolean =>
  source !== null && matchesStringList(filter, source.labels ?? []);

/** One and the same property must pass both tests. Without any property the tests see missing values. */
function matchesProperty(filter: FilterTrackPropertyInput, properties: readonly TrackProperty[]): boolean {
  const test = (part: FilterStringInput | null | undefined, text: string | null) =>
    given(part, (each) => matchesString(each, text));
  if (properties.length === 0) return test(filter.type, null) && test(filter.value, null);
  return properties.some(({ type, value }) => test(filter.type, type) && test(filter.value, value));
}

export interface ZoneIntersectionMessageSubject {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly state: MessageState;
}

export const matchesZoneIntersectionMessage = (
  filter: FilterZoneIntersectionMessageInput,
  subject: ZoneIntersectionMessageSubject,
): boolean => matches(filter, subject, ofZoneIntersectionMessage);

function ofZoneIntersectionMessage(
  filter: FilterZoneIntersectionMessageInput,
  subject: ZoneIntersectionMessageSubject,
): boolean {
  return (
    given(filter.zoneId, (each) => matchesId(each, subject.zoneId)) &&
    given(filter.dataSourceId, (each) => matchesId(each, subject.dataSourceId)) &&
    given(filter.state, (each) => matchesState(each, subject.state))
  );
}

export interface DetectionActivitySubject {
  readonly dataSourceId: string;
  readonly tag: string;
  readonly position: GeoPosition | null;
  /** Zones that the detection intersects. */
  readonly zoneIds: readonly string[];
}

export const matchesDetectionActivity = (
  filter: FilterDetectionActivityInput,
  subject: DetectionActivitySubject,
): boolean => matches(filter, subject, ofDetectionActivity);

function ofDetectionActivity(filter: FilterDetectionActivityInput, subject: DetectionActivitySubject): boolean {
  return (
    given(filter.dataSourceId, (each) => matchesId(each, subject.dataSourceId)) &&
    given(filter.deviceId, (each) => matchesId(each, subject.dataSourceId)) &&
    given(filter.tag, (each) => matchesStringInAnyCase(each, subject.tag)) &&
    given(filter.zoneId, (each) => matchesIds(each, subject.zoneIds)) &&
    given(filter.geofenceId, (each) => matchesIds(each, [])) &&
    given(filter.position, (each) => matchesPoints(each, subject.position === null ? [] : [subject.position]))
  );
}

/** Of several ids one must pass `eq` and `in`, and none may be the one of `ne`. */
function matchesIds(
  { eq, ne, in: among }: NonNullable<FilterDetectionActivityInput["zoneId"]>,
  ids: readonly string[],
) {
  return (
    (ne == null || !ids.includes(ne)) &&
    ((eq == null && among == null) || ids.some((id) => matchesId({ eq, in: among }, id)))
  );
}
