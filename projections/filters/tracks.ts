import type { IntersectionMessageState, TrackProperties } from "../../schemas/events.ts";
import type { FilterPointInput, FilterTrackInput, FilterTrackMessageInput } from "../../schemas/filters.ts";
import type { CompileContext, Field, Fields, MemoryFields } from "./fields.ts";
import { booleanField } from "./kinds/boolean.ts";
import { timeField } from "./kinds/number.ts";
import { compilePoint } from "./kinds/point.ts";
import { property } from "./kinds/property.ts";
import { matchesAnySeen } from "./kinds/seen.ts";
import { equalTo, idField, stringField } from "./kinds/string.ts";
import { timeRange } from "./kinds/time-range.ts";
import { fieldsOfDataSource, type OfDataSource } from "./of-data-source.ts";
import type { SeenSoFar } from "./seen-positions.ts";
import { all, given, not } from "./sql/sql.ts";

interface AnyTrackSubject extends OfDataSource {
  readonly trackId: string;
  readonly tag: string;
  readonly seen: SeenSoFar;
  readonly properties: TrackProperties | null;
  readonly modelId: string | null;
}

export interface TrackSubject extends AnyTrackSubject {
  readonly startTime: number;
  readonly endTime: number | null;
}

export interface TrackMessageSubject extends AnyTrackSubject {
  readonly state: IntersectionMessageState;
}

const position: Field<FilterPointInput, AnyTrackSubject> = {
  isKey: false,
  test:
    (filter) =>
    ({ seen }) =>
      matchesAnySeen(filter, seen),
  compile: seenAt,
};

/** The fields that queries and subscriptions share. */
const anyTrack: Fields<Omit<FilterTrackInput, "time" | "timeRange" | "finished">, AnyTrackSubject> = {
  id: idField({ value: (track) => track.trackId, sql: "track_id", isKey: true }),
  dataSourceId: idField({ value: (track) => track.dataSourceId, sql: "data_source_id", isKey: true }),
  ...fieldsOfDataSource,
  tag: stringField({ value: (track) => track.tag, sql: "tag", anyCase: true }),
  modelId: idField({ value: (track) => track.modelId, sql: "model_id", nullable: true }),
  identifier: property({
    value: ({ properties }) => (properties?.identifier == null ? [] : [properties.identifier]),
    sql: (test) => test(ofIdentifier("type"), ofIdentifier("value")),
  }),
  attribute: property({ value: ({ properties }) => properties?.attributes ?? [], sql: someAttribute }),
  position,
};

/** The SQL refers to the columns of tracks_current_v1. */
export const trackFields: Fields<FilterTrackInput, TrackSubject> = {
  ...anyTrack,
  time: timeField({ value: (track) => track.startTime, sql: "start_time" }),
  timeRange: timeRange({
    value: ({ startTime, endTime }) => ({ start: startTime, end: endTime }),
    start: "start_time",
    end: "end_time",
  }),
  finished: booleanField({ value: ({ endTime }) => endTime !== null, sql: "(end_time IS NOT NULL)" }),
};

/** A message is tested as the query tests its track. */
export const trackMessageFields: MemoryFields<FilterTrackMessageInput, TrackMessageSubject> = {
  ...anyTrack,
  state: equalTo((message) => message.state),
};

/**
 * Compiles the filter on positions: some detection of the track must fulfil it. `attributeExists: false` selects a
 * track without any position.
 */
function seenAt(filter: FilterPointInput, { params, scope }: CompileContext): string {
  const { attributeExists, ...place } = filter;
  const seen = (point: FilterPointInput) =>
    `(data_source_id, track_id) IN (SELECT data_source_id, track_id FROM detections_v1 FINAL
      WHERE ${all([...scope, compilePoint(params, { longitude: "longitude", latitude: "latitude" }, point)])})`;
  const conditions: string[] = [];
  if (given(place.in) || given(place.near)) conditions.push(seen(place));
  if (given(attributeExists)) {
    const anywhere = seen({ attributeExists: true });
    conditions.push(attributeExists ? anywhere : not(anywhere));
  }
  return all(conditions);
}

function ofIdentifier(name: "type" | "value"): string {
  return `JSONExtract(ifNull(properties, ''), 'identifier', '${name}', 'Nullable(String)')`;
}

/** A track without attributes is treated like one with an attribute whose type and value are missing. */
function someAttribute(test: (type: string, value: string) => string): string {
  const type = "Array(Tuple(type Nullable(String), value Nullable(String)))";
  const attributes = `JSONExtract(ifNull(properties, ''), 'attributes', '${type}')`;
  const none = `CAST([(NULL, NULL)], '${type}')`;
  return `arrayExists(attribute -> ${test("attribute.1", "attribute.2")}, if(empty(${attributes}), ${none}, ${attributes}))`;
}
