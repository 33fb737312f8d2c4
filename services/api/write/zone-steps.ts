// Changes of zones. A zone is in the log of its data source. While one writer changes it there, another may move it to
// another data source, and then the change has no effect. So a writer waits for the outcome of its event, and repeats
// it at the zone's new data source. docs/decisions/0011 describes the races.
import { applyPatch } from "../../../projections/catalog/patch.ts";
import { isOutdated } from "../../../projections/catalog/zones.ts";
import type { Patch } from "../../../schemas/catalog/changed.ts";
import { changedSince, notFound, unavailable } from "../../../schemas/errors.ts";
import type { Zone, ZoneFields, ZoneUpdated, ZoneVersion } from "../../../schemas/events.ts";
import { growing, loop } from "../../common/loop.ts";
import type { MutationDeps } from "./deps.ts";
import type { KeyedEvent } from "./track-events.ts";
import { verticesExhausted } from "./vertex-quota.ts";
import type { WriteContext } from "./write-context.ts";

const ATTEMPTS = 10;
/** Milliseconds for which this writer waits for another's move before it completes the move itself. */
const ARRIVAL_MS = 2_000;
const PAUSE_MS = 20;
/** Limits of the wait for an outcome. Only the view is read, because no other store has the outcome. */
const OUTCOME = { pauseMs: growing(5, PAUSE_MS), withinMs: 7_000 };

/** Resolves with the zone that the log has under the id from then on: the first creation counts. */
export async function writeNewZone(deps: MutationDeps, context: WriteContext, zone: Zone): Promise<Zone> {
  const { zoneId, dataSourceId } = zone;
  const giveBack = deps.vertexQuota.take(zone, context.zones);
  try {
    const { zone: after, refusal } = await step(context, { type: "ZoneCreated", event: { zone }, dataSourceId });
    if (refusal === "no_room") throw verticesExhausted(deps.bounds.maxDataSourceVertices);
    // Another writer may have created the zone at another data source. The view has had that version before the outcome
    // of this one.
    const known = after ?? context.zones.zone(zoneId);
    if (known === undefined) throw beingMoved(zoneId);
    return known;
  } finally {
    giveBack();
  }
}

interface ZoneChange {
  readonly id: string;
  /** The data source to which the zone moves; undefined when it stays. */
  readonly dataSourceId: string | undefined;
  readonly patch: Patch<ZoneFields> | undefined;
  /** The fields change only while the zone is the one of this `updatedAt`; null for any. */
  readonly ifUpdatedAt: number | null;
}

/** Moves the zone, and changes its fields; resolves with the zone after it. */
export async function writeZoneChange(deps: MutationDeps, context: WriteContext, change: ZoneChange): Promise<Zone> {
  const { id, dataSourceId, patch, ifUpdatedAt } = change;
  let to = dataSourceId;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const zone = await found(context, id);
    if (zone === undefined) throw notFound("zone", id, ["zone", "id"]);
    if (to !== undefined && to !== zone.dataSourceId) {
      // The quota is checked before the move: the zone must not have moved when its change is refused.
      if (patch !== undefined) deps.vertexQuota.take({ ...applyPatch(zone, patch), dataSourceId: to }, context.zones)();
      if (await leave(deps, context, zone, to)) to = undefined;
    } else if (context.zones.isOnItsWay(id)) await arrive(deps, context, id);
    else if (patch === undefined) {
      if (isOutdated(zone, { ifUpdatedAt })) throw outdated(id);
      return zone;
    } else {
      const { zone: after, refusal } = await update(deps, context, zone, { ...patch, ifUpdatedAt });
      if (refusal === null && after !== null) return after;
      if (refusal === "changed") throw outdated(id);
      if (refusal === "no_room") throw verticesExhausted(deps.bounds.maxDataSourceVertices);
    }
  }
  throw beingMoved(id);
}

/**
 * Resolves with the zone before its deletion.
 * @param ifUpdatedAt the zone is deleted only while it is the one of this `updatedAt`; null for any.
 */
export async function removeZone(
  deps: MutationDeps,
  context: WriteContext,
  id: string,
  ifUpdatedAt: number | null,
): Promise<Zone> {
  const zone = await removeZoneWhere(deps, context, { id, ifUpdatedAt, isMeant: () => true });
  if (zone === undefined) throw notFound("zone", id, ["id"]);
  return zone;
}

/** Deletes the zone, unless it no longer exists or has left the data source. */
export async function removeZoneOf(
  deps: MutationDeps,
  context: WriteContext,
  { zoneId, dataSourceId }: Zone,
): Promise<void> {
  const isMeant = (zone: Zone) => zone.dataSourceId === dataSourceId;
  await removeZoneWhere(deps, context, { id: zoneId, ifUpdatedAt: null, isMeant });
}

interface ZoneRemoval {
  readonly id: string;
  readonly ifUpdatedAt: number | null;
  readonly isMeant: (zone: Zone) => boolean;
}

/**
 * Deletes the zone if `isMeant` is true for it. Resolves with the zone before its deletion.
 * @returns undefined when there is no zone for which `isMeant` is true.
 */
async function removeZoneWhere(
  deps: MutationDeps,
  context: WriteContext,
  { id, ifUpdatedAt, isMeant }: ZoneRemoval,
): Promise<Zone | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const zone = await found(context, id);
    if (zone === undefined || !isMeant(zone)) return undefined;
    const { dataSourceId } = zone;
    const isOnItsWay = context.zones.isOnItsWay(id);
    // The fold could not compare: the zone is at no data source. Its arrival will change it.
    if (isOnItsWay && ifUpdatedAt !== null) throw outdated(id, ["ifUpdatedAt"]);
    const movedTo = isOnItsWay ? dataSourceId : null;
    const event = { zoneId: id, dataSourceId, deletedAt: deps.now(), movedTo, ifUpdatedAt };
    const { refusal } = await step(context, { type: "ZoneDeleted", event, dataSourceId });
    if (refusal === "changed") throw outdated(id, ["ifUpdatedAt"]);
    if (refusal === null || context.zones.zone(id) === undefined) return zone;
  }
  throw beingMoved(id);
}

/**
 * Moves the zone: deletes it at its data source, then creates it at `movedTo` (`arrive`).
 * @returns true when the zone has left its data source.
 */
async function leave(deps: MutationDeps, context: WriteContext, zone: Zone, movedTo: string): Promise<boolean> {
  const { zoneId, dataSourceId } = zone;
  const giveBack = deps.vertexQuota.take({ ...zone, dataSourceId: movedTo }, context.zones);
  try {
    const event = { zoneId, dataSourceId, deletedAt: deps.now(), movedTo, ifUpdatedAt: null };
    const { refusal } = await step(context, { type: "ZoneDeleted", event, dataSourceId });
    const { zones } = context;
    const hasLeft = refusal === null || (zones.isOnItsWay(zoneId) && zones.zone(zoneId)?.dataSourceId === movedTo);
    if (hasLeft) await arrive(deps, context, zoneId);
    return hasLeft;
  } finally {
    giveBack();
  }
}

/**
 * Returns the zone at its present data source, after a short wait for a move under way. If the zone is still on its
 * way, its mover has died, or the destination's quota of vertices is used up.
 */
async function found(context: WriteContext, id: string): Promise<Zone | undefined> {
  const giveUpAt = performance.now() + ARRIVAL_MS;
  while (context.zones.isOnItsWay(id) && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return context.zones.zone(id);
}

/** Creates a zone that is on its way, with all fields that it had when it left. Several creations count as one. */
async function arrive(deps: MutationDeps, context: WriteContext, id: string): Promise<void> {
  const before = context.zones.zone(id);
  if (before === undefined || !context.zones.isOnItsWay(id)) return;
  const zone = { ...before, updatedAt: laterThan(before, deps.now()) };
  const { dataSourceId } = zone;
  const { refusal } = await step(context, { type: "ZoneCreated", event: { zone }, dataSourceId });
  if (refusal === "no_room") throw verticesExhausted(deps.bounds.maxDataSourceVertices);
}

async function update(
  deps: MutationDeps,
  context: WriteContext,
  zone: Zone,
  patch: Patch<ZoneFields> & Pick<ZoneUpdated, "ifUpdatedAt">,
): Promise<ZoneVersion> {
  const giveBack = deps.vertexQuota.take(applyPatch(zone, patch), context.zones);
  try {
    const { zoneId, dataSourceId } = zone;
    const event = { zoneId, dataSourceId, updatedAt: laterThan(zone, deps.now()), ...patch };
    return await step(context, { type: "ZoneUpdated", event, dataSourceId });
  } finally {
    giveBack();
  }
}

/**
 * Writes the event, and resolves with its outcome. Rejects with UNAVAILABLE if no outcome comes in time; a repetition
 * is harmless.
 */
async function step(context: WriteContext, event: KeyedEvent): Promise<ZoneVersion> {
  const { zones } = context;
  const since = zones.versionCount();
  const [position] = await context.write([event]);
  if (position === undefined) throw new Error("the log acknowledged nothing");
  const { partition, offset } = position;
  const outcome = await loop(async () => zones.outcome(partition, offset, since), OUTCOME);
  if (outcome === undefined) throw unavailable("what became of the zone is not known yet");
  return outcome;
}

/** The time is later even within one millisecond, because the newer of two versions counts. */
const laterThan = (zone: Zone, now: number): number => Math.max(now, zone.updatedAt + 1);

const outdated = (id: string, path: readonly string[] = ["zone", "ifUpdatedAt"]) => changedSince("zone", id, path);

const beingMoved = (id: string) => unavailable(`zone ${id} is being moved`);
