import { readFile } from "node:fs/promises";
import { z } from "zod";
import { messageOf } from "../../../schemas/errors.ts";
import { ImportError } from "./errors.ts";

const position = z.array(z.number()).min(2);
const zoneFeature = z.object({
  type: z.literal("Feature"),
  properties: z.unknown(),
  geometry: z.object({ type: z.literal("Polygon"), coordinates: z.array(z.array(position)).min(1) }),
});
const zonesSchema = z.object({ type: z.literal("FeatureCollection"), features: z.array(zoneFeature) });
const importedProperties = z.object({ name: z.string().min(1) });

export interface ZoneFeature<Properties> {
  readonly properties: Properties;
  /** GeoJSON polygon coordinates in image pixels. */
  readonly coordinates: readonly (readonly (readonly number[])[])[];
}

export interface ZoneToImport extends Pick<ZoneFeature<unknown>, "coordinates"> {
  readonly name: string;
}

/**
 * Reads a GeoJSON FeatureCollection of Polygons with `properties.name`. @throws ImportError with the place of each
 * fault.
 */
export async function readZonesFile(file: string): Promise<ZoneToImport[]> {
  const features = await readZoneFeatures(file, importedProperties);
  const zones = features.map(({ properties, coordinates }) => ({ name: properties.name, coordinates }));
  const names = new Set(zones.map(({ name }) => name));
  if (names.size < zones.length) throw new ImportError(`${file}: two zones have the same name.`);
  return zones;
}

/**
 * Reads a GeoJSON FeatureCollection of Polygons with these properties. @throws ImportError with the place of the first
 * fault.
 */
export async function readZoneFeatures<Properties>(
  file: string,
  properties: z.ZodType<Properties>,
): Promise<ZoneFeature<Properties>[]> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw new ImportError(`Cannot read zones from ${file}: ${messageOf(cause)}.`, { cause });
  }
  const parsed = zonesSchema.safeParse(json);
  if (!parsed.success) throw notZones(file, parsed.error.issues[0]);
  return parsed.data.features.map(({ properties: given, geometry }, at) => {
    const read = properties.safeParse(given);
    if (read.success) return { properties: read.data, coordinates: geometry.coordinates };
    throw notZones(file, read.error.issues[0], ["features", at, "properties"]);
  });
}

function notZones(file: string, issue: z.core.$ZodIssue | undefined, within: readonly PropertyKey[] = []): ImportError {
  const wanted = "a FeatureCollection of Polygons in image pixels, each with properties.name, is needed";
  const path = [...within, ...(issue?.path ?? [])].map(String).join(".");
  return new ImportError(`${file}: ${path}: ${issue?.message}; ${wanted}.`);
}
