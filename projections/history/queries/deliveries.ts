import type { DeliveryEnded } from "../../../schemas/records/delivery-ended.ts";
import { HOUR_MS } from "../../../schemas/units.ts";
import { all, bindTime, type Params } from "../../filters/sql/sql.ts";
import { deliveryHistory, type ListedDelivery, listedDelivery, listedDeliverySelect } from "../records/delivery.ts";
import type { WireRow } from "../table.ts";
import { createParams } from "./params.ts";
import { ask, type QueryClient } from "./run.ts";

/** A place in the list, which has the newest first. Deliveries of one time are sorted by id. */
export interface DeliveryPosition {
  readonly createdAt: number;
  readonly id: string;
}

/** A subscription from its creation to its deletion. */
type OneGeneration = Pick<DeliveryEnded, "subscriptionId" | "generation">;

export interface DeliveriesRequest extends OneGeneration {
  /** The list begins after this place. */
  readonly after: DeliveryPosition | undefined;
  readonly limit: number;
}

/** The factor by which the time range grows. Four steps lead from an hour to years. */
const GROWTH = 32;

/**
 * Lists the newest deliveries first. A subscription may have many millions, and FINAL reads all that fulfil the
 * conditions, so the time range grows backwards until the page is full. `now` is in ms.
 */
export async function deliveriesList(
  client: QueryClient,
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

async function listedSince(since: number, client: QueryClient, request: DeliveriesRequest): Promise<ListedDelivery[]> {
  const params = createParams();
  const conditions = [isOf(request, params), `created_at >= ${bindTime(params, since)}`];
  if (request.after !== undefined) {
    const at = bindTime(params, request.after.createdAt);
    const id = params.bind("String", request.after.id);
    conditions.push(`created_at <= ${at}`, `(created_at < ${at} OR delivery_id < ${id})`);
  }
  const sql = `SELECT ${listedDeliverySelect} FROM ${deliveryHistory.from} WHERE ${all(conditions)}
    ORDER BY created_at DESC, delivery_id DESC LIMIT ${request.limit}`;
  return (await ask<WireRow>(client, "deliveries list", sql, params)).map(listedDelivery);
}

export async function deliveryById(
  client: QueryClient,
  of: OneGeneration,
  id: string,
): Promise<DeliveryEnded | undefined> {
  const params = createParams();
  const sql = `SELECT ${deliveryHistory.select} FROM ${deliveryHistory.from}
    WHERE ${all([isOf(of, params), `delivery_id = ${params.bind("String", id)}`])}
    ORDER BY created_at DESC LIMIT 1`;
  const [row] = await ask<WireRow>(client, "delivery by id", sql, params);
  return row === undefined ? undefined : deliveryHistory.toRecord(row);
}

/**
 * The condition contains the generation, because the deliveries of a deleted subscription do not belong to a later one
 * with its id.
 */
const isOf = ({ subscriptionId, generation }: OneGeneration, params: Params): string =>
  all([`subscription_id = ${params.bind("String", subscriptionId)}`, `generation = ${bindTime(params, generation)}`]);
