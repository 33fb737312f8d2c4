// Changes of zones. A zone is in the log of its data source, and may leave it while another writer changes it there:
// then that change has no effect. So a writer waits for the outcome of its event, and repeats it where the zone is by
// then. docs/decisions/0011 describes the races.
import { patched } from "../../../projections/catalog/patch.ts";
import type { Patch } from "../../../schemas/catalog/changed.ts";
import { notFound, unavailable } from "../../../schemas/errors.ts";
import type { Zone, ZoneFields, ZoneVersion } from "../../../schemas/events.ts";
import { growing, loop } from "../../common/loop.ts";
import type { ApiContext } from "../graphql/context.ts";
import type { MutationDeps } from "./deps.ts";
import type { KeyedEvent } from "./publish.ts";
import { noRoom } from "./zone-room.ts";

const ATTEMPTS = 10;
const RETRY_AFTER_MS = 1_000;
/** How long this writer waits for another's move before it completes the move itself. */
const ARRIVAL_MS = 2_000;
const PAUSE_MS = 20;
/** The view alone has the answer: a writer does not wait for any other store. */
const OUTCOME = { pauseMs: growing(5, PAUSE_MS), withinMs: 7_000 };

/** Resolves with the zone that the log has under the id from then on: the first creation counts. */
export async function addZone(deps: MutationDeps, context: ApiContext, zone: Zone): Promise<Zone> {
  const { zoneId, dataSourceId } = zone;
  const giveBack = deps.room.take(zone, context.zones);
  try {
    const { zone: after, refusal } = await step(context, { type: "ZoneCreated", event: { zone }, dataSourceId });
    if (refusal === "no_room") throw noRoom(deps.bounds.maxDataSourceVertices);
    // The version of another writer's creation, at another data source, comes before that of this one.
    const known = after ?? context.zones.zone(zoneId);
    if (known === undefined) throw beingMoved(zoneId);
    return known;
  } finally {
    giveBack();
  }
}

/** Moves the zone to the data source, unless that is undefined, and changes its fields; resolves with the zone after it. */
export async function changeZone(
  deps: MutationDeps,
  context: ApiContext,
  id: string,
  dataSourceId: string | undefined,
  patch: Patch<ZoneFields> | undefined,
): Promise<Zone> {
  let to = dataSourceId;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const zone = await found(context, id);
    if (zone === undefined) throw notFound("zone", id, ["zone", "id"]);
    if (to !== undefined && to !== zone.dataSourceId) {
      // The zone must not have moved when what is said of it is refused.
      if (patch !== undefined) deps.room.take({ ...patched(zone, patch), dataSourceId: to }, context.zones)();
      if (await leave(deps, context, zone, to)) to = undefined;
    } else if (context.zones.isOnItsWay(id)) await arrive(deps, context, id);
    else if (patch === undefined) return zone;
    else {
      const { zone: after, refusal } = await say(deps, context, zone, patch);
      if (refusal === null && after !== null) return after;
      if (refusal === "no_room") throw noRoom(deps.bounds.maxDataSourceVertices);
    }
  }
  throw beingMoved(id);
}

/** Resolves with the zone as it was before. */
export async function removeZone(deps: MutationDeps, context: ApiContext, id: string): Promise<Zone> {
  const zone = await removeZoneWhere(deps, context, id, () => true);
  if (zone === undefined) throw notFound("zone", id, ["id"]);
  return zone;
}

/** A zone that is gone, or that has left the data source, is no longer this one's. */
export async function removeZoneOf(
  deps: MutationDeps,
  context: ApiContext,
  { zoneId, dataSourceId }: Zone,
): Promise<void> {
  await removeZoneWhere(deps, context, zoneId, (zone) => zone.dataSourceId === dataSourceId);
}

/** Resolves with the zone before it; undefined = there is none of which `isMeant` is true. */
async function removeZoneWhere(
  deps: MutationDeps,
  context: ApiContext,
  id: string,
  isMeant: (zone: Zone) => boolean,
): Promise<Zone | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const zone = await found(context, id);
    if (zone === undefined || !isMeant(zone)) return undefined;
    const { dataSourceId } = zone;
    const movedTo = context.zones.isOnItsWay(id) ? dataSourceId : null;
    const event = { zoneId: id, dataSourceId, deletedAt: deps.now(), movedTo };
    const { refusal } = await step(context, { type: "ZoneDeleted", event, dataSourceId });
    if (refusal === null || context.zones.zone(id) === undefined) return zone;
  }
  throw beingMoved(id);
}

/** Moves the zone: deletes it here, then creates it there (`arrive`). True = it was this writer's deletion. */
async function leave(deps: MutationDeps, context: ApiContext, zone: Zone, movedTo: string): Promise<boolean> {
  const { zoneId, dataSourceId } = zone;
  const giveBack = deps.room.take({ ...zone, dataSourceId: movedTo }, context.zones);
  try {
    const event = { zoneId, dataSourceId, deletedAt: deps.now(), movedTo };
    const { refusal } = await step(context, { type: "ZoneDeleted", event, dataSourceId });
    const { zones } = context;
    const hasLeft = refusal === null || (zones.isOnItsWay(zoneId) && zones.zone(zoneId)?.dataSourceId === movedTo);
    if (hasLeft) await arrive(deps, context, zoneId);
    return hasLeft;
  } finally {
    giveBack();
  }
}

/** The zone where it is now. One that is still on its way has a mover that is gone, or no room where it goes. */
async function found(context: ApiContext, id: string): Promise<Zone | undefined> {
  const giveUpAt = performance.now() + ARRIVAL_MS;
  while (context.zones.isOnItsWay(id) && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return context.zones.zone(id);
}

/** Creates a zone that is on its way, with all fields that it had when it left. Several creations count as one. */
async function arrive(deps: MutationDeps, context: ApiContext, id: string): Promise<void> {
  const before = context.zones.zone(id);
  if (before === undefined || !context.zones.isOnItsWay(id)) return;
  const zone = { ...before, updatedAt: laterThan(before, deps.now()) };
  const { dataSourceId } = zone;
  const { refusal } = await step(context, { type: "ZoneCreated", event: { zone }, dataSourceId });
  if (refusal === "no_room") throw noRoom(deps.bounds.maxDataSourceVertices);
}

async function say(
  deps: MutationDeps,
  context: ApiContext,
  zone: Zone,
  patch: Patch<ZoneFields>,
): Promise<ZoneVersion> {
  const giveBack = deps.room.take(patched(zone, patch), context.zones);
  try {
    const { zoneId, dataSourceId } = zone;
    const event = { zoneId, dataSourceId, updatedAt: laterThan(zone, deps.now()), ...patch };
    return await step(context, { type: "ZoneUpdated", event, dataSourceId });
  } finally {
    giveBack();
  }
}

/** Resolves with the outcome of the event. Rejects with UNAVAILABLE if none comes in time; repeating is harmless. */
async function step(context: ApiContext, event: KeyedEvent): Promise<ZoneVersion> {
  const { zones } = context;
  const since = zones.heard();
  const [position] = await context.write([event]);
  if (position === undefined) throw new Error("the log acknowledged nothing");
  const { partition, offset } = position;
  const outcome = await loop(async () => zones.outcome(partition, offset, since), OUTCOME);
  if (outcome === undefined) throw unavailable("what became of the zone is not known yet", RETRY_AFTER_MS);
  return outcome;
}

/** Later even within one millisecond, because of two versions the newer one counts. */
const laterThan = (zone: Zone, now: number): number => Math.max(now, zone.updatedAt + 1);

const beingMoved = (id: string) => unavailable(`zone ${id} is being moved`, RETRY_AFTER_MS);
