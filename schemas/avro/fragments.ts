// Pieces that several records share. A name may be defined once per schema, so each is a function of nothing
// that is called where it first appears; later uses in the same schema name it.

export const namespace = "io.tracklog";

export type AvroSchema = { readonly type: "record"; readonly name: string } & Record<string, unknown>;

export const time = { type: "long", logicalType: "timestamp-millis" } as const;

export function optional(type: unknown) {
  return { type: ["null", type], default: null };
}

export function record(name: string, fields: readonly Record<string, unknown>[]): AvroSchema {
  return { type: "record", name, namespace, fields };
}

export function enumeration(name: string, symbols: readonly string[], fallback: string) {
  return { type: "enum", name, namespace, symbols, default: fallback };
}

export const polygon = record("Polygon", [
  { name: "rings", type: { type: "array", items: { type: "array", items: "double" } } },
  { name: "crs", ...optional("string") },
]);

const position = record("Position", [
  { name: "longitude", type: "double" },
  { name: "latitude", type: "double" },
  { name: "altitude", ...optional("double") },
  { name: "crs", ...optional("string") },
]);

export const detection = record("Detection", [
  { name: "trackId", type: "string" },
  { name: "timestamp", type: time },
  { name: "polygon", ...optional(polygon) },
  { name: "position", ...optional(position) },
  { name: "direction", ...optional("double") },
  { name: "metadata", ...optional("string") },
]);

export const detections = { name: "detections", type: { type: "array", items: detection } };

const property = record("TrackProperty", [
  { name: "type", type: "string" },
  { name: "value", type: "string" },
]);

export const properties = record("TrackProperties", [
  { name: "identifier", ...optional(property) },
  { name: "attributes", ...optional({ type: "array", items: "TrackProperty" }) },
]);

export const zone = record("Zone", [
  { name: "zoneId", type: "string" },
  { name: "dataSourceId", type: "string" },
  { name: "name", type: "string" },
  { name: "polygon", type: polygon },
  { name: "active", type: "boolean" },
  { name: "createdAt", type: time },
  { name: "updatedAt", type: time },
  { name: "anchor", type: enumeration("ZoneAnchor", ["area", "bottom_center"], "area"), default: "area" },
  { name: "enterDetections", type: "int", default: 1 },
  { name: "exitDelayMs", type: "int", default: 0 },
]);
