import { readFile } from "node:fs/promises";
import { z } from "zod";
import { messageOf } from "../../../schemas/errors.ts";
import { ImportError } from "./errors.ts";

const position = z.array(z.number()).min(2);
const zoneFeature = z.object({
  type: z.literal("Feature"),
  properties: z.object({ name: z.string().min(1) }),
  geometry: z.object({ type: z.literal("Polygon"), coordinates: z.array(z.array(position)).min(1) }),
});
const zonesSchema = z.object({ type: z.literal("FeatureCollection"), features: z.array(zoneFeature) });

export interface ZoneToImport {
  readonly name: string;
  /** GeoJSON polygon coordinates in image pixels. */
  readonly coordinates: readonly (readonly (readonly number[])[])[];
}

/**
 * Reads a GeoJSON FeatureCollection of Polygons with `properties.name`. @throws ImportError with the place of each
 * fault.
 */
export async function readZonesFile(file: string): Promise<ZoneToImport[]> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw new ImportError(`Cannot read zones from ${file}: ${messageOf(cause)}.`, { cause });
  }
  const parsed = zonesSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const wanted = "a FeatureCollection of Polygons in image pixels, each with properties.name, is needed";
    throw new ImportError(`${file}: ${issue?.path.join(".")}: ${issue?.message}; ${wanted}.`);
  }
  const zones = parsed.data.features.map(({ properties, geometry }) => ({
    name: properties.name,
    coordinates: geometry.coordinates,
  }));
  const names = new Set(zones.map(({ name }) => name));
  if (names.size < zones.length) throw new ImportError(`${file}: two zones have the same name.`);
  return zones;
}
