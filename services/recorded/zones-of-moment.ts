// The zones for the state of one zone at a moment, in one reading of their topic.
import type { Segment } from "../../projections/replay/session.ts";
import { type FindZonesDeps, findZonesOf, type SegmentZones } from "./find-zones.ts";
import { readVersionsWith } from "./read-zones.ts";
import { createZoneAsOf, type ZoneAsOf } from "./zones-as-of.ts";

export interface ZonesOfMoment {
  readonly zones: SegmentZones;
  /** Undefined when there was no such zone. It may have been at another data source than those of the segment. */
  readonly asked: ZoneAsOf | undefined;
}

/** `at` is in ms. */
export async function readZonesOfMoment(
  segment: Segment,
  { zoneId, at }: { readonly zoneId: string; readonly at: number },
  deps: FindZonesDeps & { readonly pace: () => Promise<void> | undefined },
): Promise<ZonesOfMoment> {
  const finding = findZonesOf(segment, deps);
  const asked = createZoneAsOf(zoneId, at);
  const sources = new Set(segment.dataSourceIds);
  for await (const version of readVersionsWith([zoneId, ...sources], deps)) {
    await deps.pace();
    if (version.zoneId === zoneId) asked.add(version);
    if (version.refusal === null && sources.has(version.dataSourceId)) finding.add(version);
  }
  return { zones: finding.found(), asked: asked.found() };
}
