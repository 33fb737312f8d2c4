import {
  astFromValue,
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  print,
  validateSchema,
  valueFromAST,
} from "graphql";
import { expect, test } from "vitest";
import { typeDefs } from "../../services/api/graphql/sdl.ts";

const schema = buildSchema(typeDefs);

const NAME_ID = "= [{field: NAME, direction: ASC}, {field: ID, direction: ASC}]";
const START_ID = "= [{field: START_TIME, direction: ASC}, {field: ID, direction: ASC}]";
const TRACK_START_ID = "= [{field: TRACK_START_TIME, direction: ASC}, {field: ID, direction: ASC}]";
const DETECTION_ORDER = "= [{field: DETECTION_TIME, direction: ASC}, {field: GLOBAL_TRACK_ID, direction: ASC}]";
const page = (sort: string) => `first: Int! = 20, after: String, sort: ${sort}`;

const written = (type: string) => {
  const argument = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  return [
    `create${type}(${argument}: Create${type}Input!): ${type}`,
    `update${type}(${argument}: Update${type}Input!): ${type}`,
    `delete${type}(id: ID!): ${type}`,
  ];
};

const rootFields = {
  Query: [
    "track(id: ID!, timestamp: DateTimeOffset): Track",
    `tracks(filter: FilterTrackInput!, ${page(`[TracksSort!]! ${TRACK_START_ID}`)}): TrackConnection`,
    "zone(id: ID!): Zone",
    `zones(filter: FilterZoneInput, ${page(`[ZonesSort!]! ${NAME_ID}`)}): ZoneConnection`,
    `zoneIntersections(filter: FilterZoneIntersectionInput!, ${page(`[ZoneIntersectionsSort!]! ${START_ID}`)}): ZoneIntersectionConnection`,
    "device(id: ID!): Device",
    `devices(filter: FilterDeviceInput, ${page(`[DevicesSort!]! ${NAME_ID}`)}): DeviceConnection`,
    "site(id: ID!): Site",
    `sites(filter: FilterSiteInput, ${page(`[SitesSort!]! ${NAME_ID}`)}): SiteConnection`,
    "dataSource(id: ID!): DataSource",
    `dataSources(filter: FilterDataSourceInput, ${page(`[DataSourceSort!]! ${NAME_ID}`)}): DataSourceConnection`,
    `detections(filter: FilterDetectionInput!, ${page(`[DetectionsSort!]! ${DETECTION_ORDER}`)}): DetectionConnection`,
  ],
  Mutation: [
    "createTrack(track: CreateTrackInput!): Track",
    "updateTrack(track: UpdateTrackInput!): Track",
    "createDetection(detection: CreateDetectionInput!): Detection",
    "createDetections(detections: [CreateDetectionInput!]!): [Detection]",
    "createZone(zone: CreateZoneInput!): Zone",
    "updateZone(zone: UpdateZoneInput!): Zone",
    "deleteZone(id: ID!): Zone",
    "createDataSource(dataSource: CreateDataSourceInput!): DataSource",
    "updateDataSource(dataSource: UpdateDataSourceInput!): DataSource",
    "deleteDataSource(id: ID!): DataSource",
    ...written("Device"),
    ...written("Site"),
  ],
  Subscription: [
    "tracks(filter: FilterTrackMessageInput): TrackMessage",
    "zoneIntersections(filter: FilterZoneIntersectionMessageInput): ZoneIntersectionMessage",
    "detectionActivity(filter: FilterDetectionActivityInput): Detection",
    "devices(filter: FilterDeviceMessageInput): DeviceMessage",
  ],
};

const logic = (name: string) => `and: [${name}!], or: [${name}!], not: ${name}`;
const comparisons = (type: string) =>
  ["ne", "eq", "le", "lt", "ge", "gt"].map((name) => `${name}: ${type}`).join(", ") +
  `, in: [${type}!], between: [${type}!], attributeExists: Boolean`;
const crs = "crs: GeoJSONCRS";
const connection = (name: string) => ({
  [`${name}Connection`]: `pageInfo: PageInfo!, edges: [${name}Edge]!, totalCount: Int!`,
  [`${name}Edge`]: `node: ${name}, cursor: String!`,
});
const trackMessageFields =
  "tag: FilterStringInput, position: FilterPointInput, identifier: FilterTrackPropertyInput, " +
  "attribute: FilterTrackPropertyInput, pointOfInterestId: FilterIDInput, siteId: FilterIDInput, " +
  "modelId: FilterIDInput, dataSourceType: FilterStringInput, dataSourceLabels: FilterStringListInput";

const types: Record<string, string> = {
  PageInfo: "hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String",
  GeoJSONPoint: `type: String!, coordinates: [Float!]!, ${crs}`,
  GeoJSONPolygon: `type: String!, coordinates: [[[Float!]!]!]!, ${crs}`,
  GeoJSONMultiPolygon: `type: String!, coordinates: [[[[Float!]!]!]!]!, ${crs}`,
  GeoJSONFeature: "type: String!, geometry: GeoJSONGeometry, properties: JSON",
  GeoJSONCRS: "type: String, properties: JSON",
  H3Cell: "index: String!, center: GeoJSONPoint",
  GeoJSONPointInput: `type: String! = "Point", coordinates: [Float!]!, ${crs}Input`,
  GeoJSONPolygonInput: `type: String! = "Polygon", coordinates: [[[Float!]!]!]!, ${crs}Input`,
  GeoJSONMultiPolygonInput: `type: String! = "MultiPolygon", coordinates: [[[[Float!]!]!]!]!, ${crs}Input`,
  GeoJSONCRSInput: 'type: String = "name", properties: JSON',

  ...connection("DataSource"),
  ...connection("Device"),
  ...connection("Site"),
  ...connection("Zone"),
  ...connection("ZoneIntersection"),
  ...connection("Track"),
  ...connection("Detection"),

  DataSource: "id: ID!, name: String!, type: DataSourceType!, device: Device, zones: [Zone!]!, labels: [String!]",
  CreateDataSourceInput: "id: ID, name: String!, type: DataSourceType!, labels: [String!]",
  UpdateDataSourceInput: "id: ID!, name: String, type: DataSourceType, labels: [String!]",
  FilterDataSourceInput: `type: FilterStringInput, position: FilterPointInput, id: FilterIDInput, name: FilterStringInput, labels: FilterStringListInput, ${logic("FilterDataSourceInput")}`,
  DataSourceSort: "field: DataSourceSortField!, direction: SortDirection!",

  Zone:
    "id: ID!, dataSource: DataSource, name: String!, polygon: GeoJSONPolygon!, active: Boolean!, " +
    "createdAt: DateTimeOffset, updatedAt: DateTimeOffset, deviceId: ID!",
  CreateZoneInput: "id: ID, dataSourceId: ID!, name: String!, polygon: GeoJSONPolygonInput!, active: Boolean",
  UpdateZoneInput: "id: ID!, dataSourceId: ID, name: String, polygon: GeoJSONPolygonInput, active: Boolean",
  FilterZoneInput: `id: FilterIDInput, name: FilterStringInput, dataSourceId: FilterIDInput, active: FilterBooleanInput, createdAt: FilterDateTimeOffsetInput, updatedAt: FilterDateTimeOffsetInput, ${logic("FilterZoneInput")}`,
  ZonesSort: "field: ZonesSortField!, direction: SortDirection!",

  ZoneIntersection: "id: ID!, zone: Zone!, track: Track!, startTime: DateTimeOffset!, endTime: DateTimeOffset",
  ZoneIntersectionMessage: "message: ZoneIntersection!, state: MessageState!",
  FilterZoneIntersectionInput: `zoneId: FilterIDInput, time: FilterDateTimeOffsetInput!, tag: FilterStringInput, dataSourceId: FilterIDInput, ${logic("FilterZoneIntersectionInput")}`,
  FilterZoneIntersectionMessageInput: `zoneId: FilterIDInput, dataSourceId: FilterIDInput, state: FilterMessageStateInput, ${logic("FilterZoneIntersectionMessageInput")}`,
  ZoneIntersectionsSort: "field: ZoneIntersectionsSortField!, direction: SortDirection!",

  Track:
    "id: ID!, dataSource: DataSource, video: Video, modelId: ID, tag: String!, startTime: DateTimeOffset!, " +
    "endTime: DateTimeOffset, finished: Boolean!, " +
    `detections(filter: FilterTrackDetectionInput, first: Int, sort: [DetectionsSort!]! ${DETECTION_ORDER}): [Detection!]!, ` +
    "properties: TrackProperties, metadata: JSON, zoneIntersections: [ZoneIntersection!], " +
    "geofenceIntersections: [GeofenceIntersection!], deviceIds: [ID!]",
  TrackProperties: "identifier: TrackProperty, attributes: [TrackProperty!]",
  TrackProperty: "type: String!, value: String!",
  TrackMessage: "message: Track!, state: MessageState!",
  TrackDetectionInput:
    "timestamp: DateTimeOffset!, position: GeoJSONPointInput, polygon: GeoJSONPolygonInput, direction: Float, metadata: JSON",
  TrackPropertiesInput: "identifier: TrackPropertyInput, attributes: [TrackPropertyInput!]",
  TrackPropertyInput: "type: String!, value: String!",
  CreateTrackInput:
    "id: ID, dataSourceId: ID!, tag: String!, startTime: DateTimeOffset!, endTime: DateTimeOffset, " +
    "detections: [TrackDetectionInput!]!, properties: TrackPropertiesInput, metadata: JSON",
  UpdateTrackInput:
    "id: ID!, tag: String, startTime: DateTimeOffset, endTime: DateTimeOffset, " +
    "detections: [TrackDetectionInput!], properties: TrackPropertiesInput, metadata: JSON",
  FilterTrackInput: `id: FilterIDInput, dataSourceId: FilterIDInput, time: FilterDateTimeOffsetInput, timeRange: FilterTimeRangeInput, finished: FilterBooleanInput, ${trackMessageFields}, ${logic("FilterTrackInput")}, deviceId: FilterIDInput`,
  FilterTrackMessageInput: `id: FilterIDInput, dataSourceId: FilterIDInput, ${trackMessageFields}, state: FilterMessageStateInput, ${logic("FilterTrackMessageInput")}`,
  FilterTrackDetectionInput: `zoneId: FilterIDInput, geofenceId: FilterIDInput, time: FilterDateTimeOffsetInput!, position: FilterPointInput, ${logic("FilterTrackDetectionInput")}`,
  FilterTrackPropertyInput: "type: FilterStringInput, value: FilterStringInput",
  TracksSort: "field: TracksSortField!, direction: SortDirection!",

  Detection:
    "id: ID!, track: Track!, timestamp: DateTimeOffset!, frame: Frame, polygon: GeoJSONPolygon, " +
    "position: GeoJSONPoint, zones: [Zone!]!, geofences: [Geofence!]!, metadata: JSON, createdAt: DateTimeOffset, " +
    "updatedAt: DateTimeOffset, direction: Float, geofenceIds: [ID!]!, zoneIds: [ID!]!, globalTrackId: String, " +
    "deviceId: ID, tag: String!",
  Frame: "number: Int!",
  CreateDetectionInput:
    "trackId: ID!, timestamp: DateTimeOffset!, position: GeoJSONPointInput, polygon: GeoJSONPolygonInput, " +
    "direction: Float, metadata: JSON",
  FilterDetectionInput: `dataSourceId: FilterIDInput, trackId: FilterIDInput, zoneId: FilterIDInput, geofenceId: FilterIDInput, tag: FilterStringInput, time: FilterDateTimeOffsetInput!, position: FilterPointInput, ${logic("FilterDetectionInput")}, deviceId: FilterIDInput`,
  FilterDetectionActivityInput: `dataSourceId: FilterIDInput, zoneId: FilterIDInput, geofenceId: FilterIDInput, tag: FilterStringInput, position: FilterPointInput, ${logic("FilterDetectionActivityInput")}, deviceId: FilterIDInput`,
  DetectionsSort: "field: DetectionsSortField!, direction: SortDirection!",

  FilterIDInput: "ne: ID, eq: ID, in: [ID!]",
  FilterIDListInput: "eq: [ID!], in: [ID!]",
  FilterStringListInput: "eq: [String!], in: [String!]",
  FilterIntInput: comparisons("Int"),
  FilterFloatInput: comparisons("Float"),
  FilterStringInput: "ne: String, eq: String, like: String, in: [String!], attributeExists: Boolean",
  FilterDateTimeOffsetInput: "eq: DateTimeOffset, between: [DateTimeOffset!], attributeExists: Boolean",
  FilterBooleanInput: "eq: Boolean, ne: Boolean, attributeExists: Boolean",
  FilterPointInput: "in: GeoJSONPolygonInput, near: FilterPointNearInput, attributeExists: Boolean",
  FilterPointNearInput: "point: GeoJSONPointInput!, radius: Float! = 500",
  FilterMessageStateInput: "eq: MessageState, ne: MessageState, in: [MessageState!]",
  FilterJSONFieldInput: "path: [String]!, filter: FilterJSONFieldMode!",
  FilterJSONFieldMode:
    "integer: FilterIntInput, float: FilterFloatInput, boolean: FilterBooleanInput, string: FilterStringInput",
  FilterJSONFieldStringInput: "path: [String]!, filter: FilterStringInput!",
  TimeRangeInput: "start: DateTimeOffset, end: DateTimeOffset",
  FilterTimeRangeInput:
    "containing: TimeRangeInput, containedBy: TimeRangeInput, intersecting: TimeRangeInput, " +
    "startingWithin: TimeRangeInput, endingWithin: TimeRangeInput, containingInstant: DateTimeOffset, " +
    "before: DateTimeOffset, after: DateTimeOffset",

  Device:
    "id: ID!, uuid: ID!, externalId: ID, name: String!, enabled: Boolean!, address: String, frameRate: Float, " +
    "position: GeoJSONPoint, dataSource: DataSource, site: Site, transcoderId: ID, " +
    "calibrations: [DeviceCalibration!]!, pointOfInterest: PointOfInterest, lastHeartbeat: DateTimeOffset",
  // `id` and `dataSourceId` are ours.
  CreateDeviceInput:
    "id: ID, dataSourceId: ID, siteId: ID, pointOfInterestId: ID, transcoderId: ID, externalId: ID, name: String!, " +
    "address: String, position: GeoJSONPointInput, enabled: Boolean!",
  UpdateDeviceInput:
    "id: ID!, siteId: ID, pointOfInterestId: ID, transcoderId: ID, externalId: ID, name: String, address: String, " +
    "position: GeoJSONPointInput, enabled: Boolean",
  FilterDeviceInput:
    "id: FilterIDInput, uuid: FilterIDInput, name: FilterStringInput, externalId: FilterStringInput, " +
    `address: FilterStringInput, enabled: FilterBooleanInput, site: FilterSiteInput, ${logic("FilterDeviceInput")}`,
  DeviceMessage: "message: Device!, state: DeviceMessageState!",
  FilterDeviceMessageInput:
    "id: FilterIDInput, uuid: FilterIDInput, name: FilterStringInput, externalId: FilterStringInput, " +
    "address: FilterStringInput, enabled: FilterBooleanInput, state: FilterDeviceMessageStateInput, " +
    logic("FilterDeviceMessageInput"),
  FilterDeviceMessageStateInput: "eq: DeviceMessageState, ne: DeviceMessageState, in: [DeviceMessageState!]",
  DevicesSort: "field: DevicesSortField!, direction: SortDirection!",
  DeviceCalibration:
    "id: ID!, timestamp: DateTimeOffset!, markers: [DeviceCalibrationMarker!]!, precomputeAt: DateTimeOffset",
  DeviceCalibrationMarker: "id: ID!, name: String!, position: GeoJSONPoint!, pixel: GeoJSONPoint!",
  Site:
    "id: ID!, name: String!, timezone: String!, position: GeoJSONPoint, polygon: GeoJSONMultiPolygon, " +
    "devices: [Device!]!, pointsOfInterest: [PointOfInterest!]!, geofences: [Geofence!]!",
  // `id` is ours: with it a creation may be repeated.
  CreateSiteInput:
    "id: ID, name: String!, timezone: String, position: GeoJSONPointInput, polygon: GeoJSONMultiPolygonInput",
  UpdateSiteInput:
    "id: ID!, name: String, timezone: String, position: GeoJSONPointInput, polygon: GeoJSONMultiPolygonInput",
  FilterSiteInput: `id: FilterIDInput, name: FilterStringInput, ${logic("FilterSiteInput")}`,
  SitesSort: "field: SitesSortField!, direction: SortDirection!",
  PointOfInterest:
    "id: ID!, site: Site!, name: String!, position: GeoJSONPoint!, devices: [Device!]!, geofences: [Geofence!]!, metadata: JSON",
  Geofence:
    "id: ID!, name: String!, labels: [String!]!, site: Site, pointOfInterest: PointOfInterest, " +
    "bounds: GeofenceBounds!, active: Boolean!",
  GeofenceBounds: "polygon: GeoJSONPolygon!, height: Float",
  GeofenceIntersection:
    "id: ID!, geofence: Geofence!, track: Track!, startTime: DateTimeOffset!, endTime: DateTimeOffset",
  Video:
    "id: ID!, dataSource: DataSource!, startTime: DateTimeOffset!, endTime: DateTimeOffset, url: String!, " +
    "thumbnailUrl: String, displayName: String, resolutionHeight: String, resolutionWidth: String, " +
    "frameRate: Float, createdBy: User",
  User: "id: ID!, emailAddress: String!",
};

const enums: Record<string, string[]> = {
  MessageState: ["START", "UPDATE", "END"],
  SortDirection: ["ASC", "DESC"],
  ZonesSortField: ["ID", "NAME"],
  ZoneIntersectionsSortField: ["ID", "START_TIME"],
  TracksSortField: ["ID", "TRACK_START_TIME"],
  DetectionsSortField: ["DETECTION_TIME", "GLOBAL_TRACK_ID"],
  DataSourceSortField: ["ID", "NAME"],
  DevicesSortField: ["ID", "NAME"],
  DeviceMessageState: ["CREATE", "UPDATE", "HEARTBEAT"],
  SitesSortField: ["ID", "NAME"],
  DataSourceType: ["FOLDER", "VIDEO_DEVICE", "IMAGE_DEVICE", "GEOPOSITION"],
};

/** Member name -> words that its reason must name. */
const deprecated: Record<string, string> = {
  "Zone.deviceId": "dataSource.id",
  "Track.deviceIds": "dataSource.id",
  "Detection.geofenceIds": "geofences",
  "Detection.zoneIds": "zones",
  "Detection.globalTrackId": "track.id",
  "Detection.deviceId": "track.dataSource.id",
  "Detection.tag": "track.tag",
  "FilterTrackInput.deviceId": "dataSourceId",
  "FilterDetectionInput.deviceId": "dataSourceId",
  "FilterDetectionActivityInput.deviceId": "dataSourceId",
};

function input({ name, type, defaultValue }: GraphQLArgument | GraphQLInputField): string {
  const fallback = defaultValue === undefined ? "" : ` = ${printed(defaultValue, type)}`;
  return `${name}: ${type}${fallback}`;
}

function printed(value: unknown, type: GraphQLArgument["type"]): string {
  const node = astFromValue(value, type);
  if (node === null || node === undefined) throw new Error("no literal");
  expect(valueFromAST(node, type)).toEqual(value);
  return print(node).replaceAll(/\s+/g, " ");
}

function fieldsOf(built: GraphQLSchema, name: string): string[] {
  const type = built.getType(name);
  if (isInputObjectType(type)) return Object.values(type.getFields()).map(input);
  if (!isObjectType(type)) throw new Error(`${name} has no fields`);
  return Object.values(type.getFields()).map(({ name: field, args, type: result }) =>
    args.length === 0 ? `${field}: ${result}` : `${field}(${args.map(input).join(", ")}): ${result}`,
  );
}

test("the schema is valid", () => {
  expect(validateSchema(schema)).toEqual([]);
});

test.each(Object.entries(rootFields))("%s has exactly the root fields of the specification", (root, expected) => {
  expect(fieldsOf(schema, root).sort()).toEqual([...expected].sort());
});

test.each(Object.entries(types))("%s has exactly the fields of the specification", (name, expected) => {
  expect(fieldsOf(schema, name).join(", ")).toBe(expected);
});

test.each(Object.entries(enums))("%s has exactly the values of the specification", (name, expected) => {
  const type = schema.getType(name);

  expect(type !== undefined && "getValues" in type ? type.getValues().map((value) => value.name) : []).toEqual(
    expected,
  );
});

test("the tables above name every type of the schema", () => {
  const named = new Set([...Object.keys(types), ...Object.keys(enums), ...Object.keys(rootFields), "GeoJSONGeometry"]);
  const builtIn = /^(__.*|ID|String|Int|Float|Boolean|DateTimeOffset|DateTimeDuration|JSON)$/;

  expect(Object.keys(schema.getTypeMap()).filter((name) => !named.has(name) && !builtIn.test(name))).toEqual([]);
});

test("what is deprecated says what to use instead, and nothing else is deprecated", () => {
  const found: Record<string, string> = {};
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith("__") || !(isObjectType(type) || isInputObjectType(type))) continue;
    for (const field of Object.values(type.getFields())) {
      if (typeof field.deprecationReason === "string") found[`${type.name}.${field.name}`] = field.deprecationReason;
    }
  }

  expect(Object.keys(found).sort()).toEqual(Object.keys(deprecated).sort());
  for (const [member, replacement] of Object.entries(deprecated)) expect(found[member]).toContain(`\`${replacement}\``);
});

test("inputs of which exactly one field is given are marked so", () => {
  const marked = Object.values(schema.getTypeMap()).filter((type) => isInputObjectType(type) && type.isOneOf);

  expect(marked.map(({ name }) => name).sort()).toEqual(["FilterJSONFieldMode", "FilterTimeRangeInput"]);
});

test("experimental inputs are marked with the directive", () => {
  const directive = schema.getDirective("experimental");
  const marked = Object.values(schema.getTypeMap()).filter((type) =>
    type.astNode?.directives?.some(({ name }) => name.value === "experimental"),
  );

  expect(directive?.args.map(input)).toEqual(["reason: String"]);
  expect([...(directive?.locations ?? [])].sort()).toEqual(
    ["ENUM", "FIELD_DEFINITION", "INPUT_FIELD_DEFINITION", "INPUT_OBJECT", "OBJECT"].sort(),
  );
  expect(marked.map(({ name }) => name).sort()).toEqual(["FilterIDListInput", "FilterStringListInput"]);
});
