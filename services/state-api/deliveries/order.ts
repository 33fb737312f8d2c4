import type { DeliveryPlace } from "../../../projections/history/queries/deliveries.ts";

/** As the store compares texts: by their bytes. */
const byText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export const newestFirst = (a: DeliveryPlace, b: DeliveryPlace): number =>
  b.createdAt - a.createdAt || byText(b.id, a.id);

export const comesAfter =
  (place: DeliveryPlace | undefined) =>
  (each: DeliveryPlace): boolean =>
    place === undefined || newestFirst(place, each) < 0;
