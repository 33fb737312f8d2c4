import { v7 } from "uuid";
import type { Patch } from "../../../../schemas/catalog/changed.ts";
import { badInput, notFound } from "../../../../schemas/errors.ts";
import type { Zone, ZoneFields } from "../../../../schemas/events.ts";
import type { CreateZoneInput, UpdateZoneInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { answered } from "../../graphql/payload-scope.ts";
import { requireDataSource } from "../../read/require-data-source.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { parseZonePolygon } from "../../write/polygon.ts";
import { acceptId, checkText } from "../../write/text.ts";
import { removeZone, writeNewZone, writeZoneChange } from "../../write/zone-steps.ts";

/** Writes the zone into its data source's own log, which decides the order between the zone and detections. */
export const createZone =
  (deps: MutationDeps) =>
  async (_root: unknown, { zone: input }: { zone: CreateZoneInput }, context: ApiContext): Promise<Zone> => {
    requireDataSource(context, input.dataSourceId, ["zone", "dataSourceId"]);
    const at = deps.now();
    const zone: Zone = {
      zoneId: input.id == null ? v7() : acceptId(input.id, ["zone", "id"]),
      dataSourceId: input.dataSourceId,
      name: checkText(input.name, ["zone", "name"]),
      polygon: parseZonePolygon(input.polygon, deps.bounds.maxZoneVertices, ["zone", "polygon"]),
      active: input.active ?? true,
      createdAt: at,
      updatedAt: at,
      anchor: "area",
      enterDetections: 1,
      exitDelayMs: 0,
    };
    return answered(context, context.zones.zone(zone.zoneId) ?? (await writeNewZone(deps, context, zone)), zone);
  };

export const updateZone =
  (deps: MutationDeps) =>
  async (_root: unknown, { zone: input }: { zone: UpdateZoneInput }, context: ApiContext): Promise<Zone> => {
    const { id, dataSourceId, ifUpdatedAt } = input;
    const before = context.zones.zone(id);
    if (before === undefined) throw notFound("zone", id, ["zone", "id"]);
    const patch = zonePatchOf(input, deps);
    if (dataSourceId != null && dataSourceId !== before.dataSourceId) {
      requireDataSource(context, dataSourceId, ["zone", "dataSourceId"]);
      if (ifUpdatedAt != null) throw badInput("a move has no condition", ["zone", "ifUpdatedAt"]);
    }
    // On a condition the zone is not moved, not even back to the given data source when somebody has moved it since.
    const to = ifUpdatedAt == null ? (dataSourceId ?? undefined) : undefined;
    return writeZoneChange(deps, context, { id, dataSourceId: to, patch, ifUpdatedAt: ifUpdatedAt ?? null });
  };

interface DeleteZoneArguments {
  readonly id: string;
  readonly ifUpdatedAt?: number | null;
}

export const deleteZone =
  (deps: MutationDeps) =>
  async (_root: unknown, { id, ifUpdatedAt }: DeleteZoneArguments, context: ApiContext): Promise<Zone> =>
    removeZone(deps, context, id, ifUpdatedAt ?? null);

const MEMBERS = ["dataSourceId", "name", "polygon", "active"] as const;

/**
 * Returns the fields that the input changes: an absent member stays, and no field of a zone may be null.
 * @returns undefined when the input changes no field.
 */
function zonePatchOf(input: UpdateZoneInput, { bounds }: MutationDeps): Patch<ZoneFields> | undefined {
  for (const member of MEMBERS) if (input[member] === null) throw badInput("it may not be null", ["zone", member]);
  const { name, polygon, active } = input;
  if (name == null && polygon == null && active == null) return undefined;
  const set = {
    name: name == null ? null : checkText(name, ["zone", "name"]),
    polygon: polygon == null ? null : parseZonePolygon(polygon, bounds.maxZoneVertices, ["zone", "polygon"]),
    active: active ?? null,
    anchor: null,
    enterDetections: null,
    exitDelayMs: null,
  };
  return { set, cleared: [] };
}
