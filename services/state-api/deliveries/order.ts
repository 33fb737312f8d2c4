import type { DeliveryPosition } from "../../../projections/history/queries/deliveries.ts";

/** Compares texts by their bytes, as ClickHouse does. */
const byText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export const newestFirst = (a: DeliveryPosition, b: DeliveryPosition): number =>
  b.createdAt - a.createdAt || byText(b.id, a.id);

export const comesAfter =
  (place: DeliveryPosition | undefined) =>
  (each: DeliveryPosition): boolean =>
    place === undefined || newestFirst(place, each) < 0;
