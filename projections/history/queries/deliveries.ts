import type { DeliveryEnded } from "../../../schemas/events.ts";
import type { Generation } from "../../deliveries/queue-id.ts";
import { all, bindTime, type Params } from "../../filters/sql/sql.ts";
import {
  deliveriesTable,
  deliveryRecord,
  deliverySelect,
  type ListedDelivery,
  listedDelivery,
  listedDeliverySelect,
} from "../deliveries.ts";
import type { WireRow } from "../table.ts";
import { createParams } from "./params.ts";
import { type Asked, ask } from "./run.ts";

/** A place in the list: newest first, of one time by id. */
export interface DeliveryPlace {
  readonly createdAt: number;
  readonly id: string;
}

export interface DeliveriesRequest extends Generation {
  /** Only those that come after it. */
  readonly after: DeliveryPlace | undefined;
  readonly limit: number;
}

const HOUR_MS = 3_600_000;
/** From an hour to years in four steps. */
const GROWTH = 32;

/**
 * Newest first. A subscription may have many millions, and FINAL reads all that the conditions let through: so the time
 * that is looked at grows backwards until the page is full. `now`: ms.
 */
export async function deliveriesList(
  client: Asked,
  request: DeliveriesRequest,
  now: number,
): Promise<ListedDelivery[]> {
  const latest = request.after?.createdAt ?? now;
  for (let ms = HOUR_MS; ms < latest; ms *= GROWTH) {
    const found = await listedSince(latest - ms, client, request);
    if (found.length >= request.limit) return found;
  }
  return listedSince(0, client, request);
}

async function listedSince(since: number, client: Asked, request: DeliveriesRequest): Promise<ListedDelivery[]> {
  const params = createParams();
  const conditions = [isOf(request, params), `created_at >= ${bindTime(params, since)}`];
  if (request.after !== undefined) {
    const at = bindTime(params, request.after.createdAt);
    const id = params.bind("String", request.after.id);
    conditions.push(`created_at <= ${at}`, `(created_at < ${at} OR delivery_id < ${id})`);
  }
  const sql = `SELECT ${listedDeliverySelect} FROM ${deliveriesTable.name} FINAL WHERE ${all(conditions)}
    ORDER BY created_at DESC, delivery_id DESC LIMIT ${request.limit}`;
  return (await ask<WireRow>(client, "deliveries list", sql, params)).map(listedDelivery);
}

export async function deliveryById(client: Asked, of: Generation, id: string): Promise<DeliveryEnded | undefined> {
  const params = createParams();
  const sql = `SELECT ${deliverySelect} FROM ${deliveriesTable.name} FINAL
    WHERE ${all([isOf(of, params), `delivery_id = ${params.bind("String", id)}`])}
    ORDER BY created_at DESC LIMIT 1`;
  const [row] = await ask<WireRow>(client, "delivery by id", sql, params);
  return row === undefined ? undefined : deliveryRecord(row);
}

/** The deliveries of a deleted subscription are not those of another one with its id. */
const isOf = ({ subscriptionId, generation }: Generation, params: Params): string =>
  all([`subscription_id = ${params.bind("String", subscriptionId)}`, `generation = ${bindTime(params, generation)}`]);
