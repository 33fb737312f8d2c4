import { v7 } from "uuid";
import { notFound } from "../../../../schemas/errors.ts";
import type { Zone } from "../../../../schemas/events.ts";
import type { CreateZoneInput, UpdateZoneInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { parseZonePolygon } from "../../write/polygon.ts";
import type { KeyedEvent } from "../../write/publish.ts";
import { checkText } from "../../write/text.ts";

/** A zone is written into its data source's own log: the order between it and a detection is settled there. */
export const createZone =
  ({ writer, room, bounds, now }: MutationDeps) =>
  async (_root: unknown, { zone: input }: { zone: CreateZoneInput }, context: ApiContext): Promise<Zone> => {
    requireDataSource(context, input.dataSourceId);
    const at = now();
    const zone: Zone = {
      zoneId: v7(),
      dataSourceId: input.dataSourceId,
      name: checkText(input.name, ["zone", "name"]),
      polygon: parseZonePolygon(input.polygon, bounds.maxZoneVertices, ["zone", "polygon"]),
      active: input.active ?? true,
      createdAt: at,
      updatedAt: at,
      anchor: "area",
      enterDetections: 1,
      exitDelayMs: 0,
    };
    const created: KeyedEvent = { type: "ZoneCreated", event: { zone }, dataSourceId: zone.dataSourceId };
    await writeZone({ writer, room }, context, zone, [created]);
    return zone;
  };

export const updateZone =
  ({ writer, room, bounds, now }: MutationDeps) =>
  async (_root: unknown, { zone: input }: { zone: UpdateZoneInput }, context: ApiContext): Promise<Zone> => {
    const before = context.zones.zone(input.id);
    if (before === undefined) throw notFound("zone", input.id, ["zone", "id"]);
    const dataSourceId = input.dataSourceId ?? before.dataSourceId;
    if (dataSourceId !== before.dataSourceId) requireDataSource(context, dataSourceId);
    const zone: Zone = {
      ...before,
      dataSourceId,
      name: input.name == null ? before.name : checkText(input.name, ["zone", "name"]),
      polygon:
        input.polygon == null
          ? before.polygon
          : parseZonePolygon(input.polygon, bounds.maxZoneVertices, ["zone", "polygon"]),
      active: input.active ?? before.active,
      // Later than before even within one millisecond: of two versions the newer one stands.
      updatedAt: Math.max(now(), before.updatedAt + 1),
    };
    const updated: KeyedEvent = { type: "ZoneUpdated", event: { zone }, dataSourceId };
    const moved = dataSourceId !== before.dataSourceId;
    const left = moved ? [deleted(before, zone.updatedAt, dataSourceId)] : [];
    await writeZone({ writer, room }, context, zone, [updated, ...left]);
    return zone;
  };

export const deleteZone =
  ({ writer, now }: MutationDeps) =>
  async (_root: unknown, { id }: { id: string }, context: ApiContext): Promise<Zone> => {
    const zone = context.zones.zone(id);
    if (zone === undefined) throw notFound("zone", id, ["id"]);
    await write(writer, context, null, [deleted(zone, now(), null)]);
    return zone;
  };

export function deleted(zone: Zone, deletedAt: number, movedTo: string | null): KeyedEvent {
  const { zoneId, dataSourceId } = zone;
  return { type: "ZoneDeleted", event: { zoneId, dataSourceId, deletedAt, movedTo }, dataSourceId };
}

async function writeZone(
  { writer, room }: Pick<MutationDeps, "writer" | "room">,
  context: ApiContext,
  zone: Zone,
  events: readonly KeyedEvent[],
): Promise<void> {
  const giveBack = room.take(zone, context.zones);
  try {
    await write(writer, context, zone, events);
  } finally {
    giveBack();
  }
}

/** `zone` is what stands after the events; null when none does. */
export async function write(
  writer: MutationDeps["writer"],
  context: ApiContext,
  zone: Zone | null,
  events: readonly KeyedEvent[],
): Promise<void> {
  const positions = await writer.cameraLog(events);
  context.positions.push(...positions);
  for (const [i, { type, event, dataSourceId }] of events.entries()) {
    const position = positions[i];
    if (position === undefined) continue;
    const zoneId = type === "ZoneDeleted" ? event.zoneId : zone?.zoneId;
    if (zoneId === undefined) continue;
    const { partition, offset } = position;
    context.zones.applyOwn({ zoneId, dataSourceId, zone: type === "ZoneDeleted" ? null : zone, partition, offset });
  }
}

function requireDataSource(context: ApiContext, id: string): void {
  if (context.catalog.dataSource(id) === undefined) {
    throw notFound("data source", id, ["zone", "dataSourceId"]);
  }
}
