// The zones of a run, read from a GeoJSON file such as npm run import takes, which may give more settings of a zone.
import { z } from "zod";
import type { EventBounds } from "../../../schemas/bounds.ts";
import { checkEvent } from "../../../schemas/checks.ts";
import type { Zone } from "../../../schemas/events.ts";
import { flawText } from "../../../schemas/flaw.ts";
import { derivedId } from "../../../schemas/identity.ts";
import { readZoneFeatures, type ZoneFeature } from "../import/zones-file.ts";

const ANCHORS = ["area", "bottom_center"] as const;

const zoneProperties = z.object({
  name: z.string().min(1),
  id: z.string().min(1).optional(),
  dataSourceId: z.string().min(1).optional(),
  active: z.boolean().default(true),
  anchor: z.enum(ANCHORS).default("area"),
  enterDetections: z.int().min(1).default(1),
  exitDelayMs: z.int().min(0).default(0),
});

export interface ZonesFileOptions {
  /** The data sources of the run, by their ids. Undefined when the selection names none. */
  readonly dataSourceIds: readonly string[] | undefined;
  readonly bounds: EventBounds;
}

/**
 * A zone without an id gets the one that npm run import gives it. A zone without a data source is at the only one of
 * the run. Rejects with a sentence about the first fault.
 */
export async function readReplayZones(file: string, { dataSourceIds, bounds }: ZonesFileOptions): Promise<Zone[]> {
  const features = await readZoneFeatures(file, zoneProperties);
  const [only, ...more] = dataSourceIds ?? [];
  const byDefault = more.length === 0 ? only : undefined;
  const zones = features.map((feature) => zoneOf(feature, byDefault, file));
  for (const zone of zones) {
    const flaw = checkEvent({ type: "ZoneCreated", event: { zone } }, 0, bounds);
    if (flaw !== undefined) throw new Error(`${file}: the zone ${zone.name}: ${flawText(flaw)}.`);
  }
  if (new Set(zones.map(({ zoneId }) => zoneId)).size < zones.length) {
    throw new Error(`${file}: two zones have the same id, or the same name and no id.`);
  }
  return zones;
}

type ReplayFeature = ZoneFeature<z.output<typeof zoneProperties>>;

function zoneOf({ properties, coordinates }: ReplayFeature, byDefault: string | undefined, file: string): Zone {
  const { name, id, dataSourceId = byDefault, ...settings } = properties;
  if (dataSourceId === undefined) {
    throw new Error(
      `${file}: the zone ${name} needs properties.dataSourceId, because the run has not one data source.`,
    );
  }
  const rings = coordinates.map((ring) => ring.flatMap(([x = Number.NaN, y = Number.NaN]) => [x, y]));
  return {
    zoneId: id ?? derivedId("imported-zone", dataSourceId, name),
    dataSourceId,
    name,
    polygon: { rings, crs: null },
    ...settings,
    // The zones are there from the beginning of the log.
    createdAt: 0,
    updatedAt: 0,
  };
}
