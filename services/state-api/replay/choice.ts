// The zones and settings of a new session.
import { enclosesNothing, flawOfRings } from "../../../projections/geometry/rings.ts";
import type { ReplaySelection, ReplaySettings, ReplayZones } from "../../../projections/replay/selection.ts";
import { checkRings } from "../../../schemas/checks.ts";
import type { Zone } from "../../../schemas/events.ts";
import { flawText } from "../../../schemas/flaw.ts";
import { derivedId } from "../../../schemas/identity.ts";
import type { ReplayBody } from "../../../schemas/rest/replay.ts";
import type { RequestedZone } from "../../../schemas/rest/replay-selection.ts";
import { Problem } from "../http/problem.ts";

export function replayZonesOf(given: ReplayBody["zones"], selection: ReplaySelection, nowMs: number): ReplayZones {
  if (typeof given === "string") return given;
  const zones = given.features.map((feature, i) => zoneOf(feature, { selection, nowMs, at: `zones/features/${i}` }));
  const known = new Set<string>();
  for (const [i, { zoneId }] of zones.entries()) {
    if (known.has(zoneId)) throw refused(`zones/features/${i}`, `another zone has the id ${zoneId}`);
    known.add(zoneId);
  }
  return zones;
}

interface Place {
  readonly selection: ReplaySelection;
  readonly nowMs: number;
  readonly at: string;
}

function zoneOf({ properties, geometry }: RequestedZone, { selection, nowMs, at }: Place): Zone {
  const { name, anchor, enter_detections: enterDetections, exit_delay: exitDelayS } = properties;
  const dataSourceId = sourceOf(properties.data_source_id ?? undefined, selection, at);
  const rings = geometry.coordinates.map((ring) => ring.flatMap(([x = Number.NaN, y = Number.NaN]) => [x, y]));
  const flaw = flawOf(rings);
  if (flaw !== undefined) throw refused(`${at}/geometry/coordinates`, flaw);
  return {
    zoneId: properties.zone_id ?? derivedId("replay-zone", dataSourceId, name),
    dataSourceId,
    name,
    polygon: { rings, crs: null },
    active: true,
    createdAt: nowMs,
    updatedAt: nowMs,
    anchor: anchor ?? "area",
    enterDetections: enterDetections ?? 1,
    exitDelayMs: (exitDelayS ?? 0) * 1_000,
  };
}

function sourceOf(given: string | undefined, selection: ReplaySelection, at: string): string {
  const own = selection.kind === "range" ? selection.dataSourceIds : undefined;
  const found = given ?? (own?.length === 1 ? own[0] : undefined);
  const pointer = `${at}/properties/data_source_id`;
  if (found === undefined) throw refused(pointer, "needed, because the session may have several data sources");
  if (own !== undefined && !own.includes(found)) throw refused(pointer, "it is not among those of the range");
  return found;
}

function flawOf(rings: readonly number[][]): string | undefined {
  const flaw = checkRings(rings);
  if (flaw !== undefined) return flawText(flaw);
  if (rings.some(enclosesNothing)) return "a ring encloses no area";
  return flawOfRings(rings);
}

export function replaySettingsOf(given: ReplayBody["settings"]): ReplaySettings {
  const { track_ttl: ttl, reorder_ms: reorder, intersection_update_ms: update, exit_delay: exit } = given;
  const { enter_detections: enter } = given;
  return {
    ...(ttl == null ? {} : { trackTtlMs: ttl * 1_000 }),
    ...(reorder == null ? {} : { reorderMs: reorder }),
    ...(update == null ? {} : { updateIntervalMs: update }),
    ...(exit == null ? {} : { exitDelayMs: exit * 1_000 }),
    ...(enter == null ? {} : { enterDetections: enter }),
  };
}

const refused = (pointer: string, detail: string) =>
  new Problem("validation", `#/${pointer}: ${detail}`, { errors: [{ pointer: `#/${pointer}`, detail }] });
