// A delivery that somebody asked for, as the store keeps it until it is tried. It is tried once, outside the order.
import type { DeliveryEnded } from "../../schemas/records/delivery-ended.ts";

export type AskedDelivery =
  /** A signal that says only that it is a test. */
  | { readonly kind: "test"; readonly createdAt: number }
  /** Of the queue: it goes on waiting unless it succeeds. */
  | { readonly kind: "waiting"; readonly createdAt: number; readonly signal: string }
  /** What ended before, once more. */
  | { readonly kind: "ended"; readonly createdAt: number; readonly delivery: DeliveryEnded };

/** What was sent comes last: the store cuts it off for lists. */
export function textOf(asked: AskedDelivery): string {
  if (asked.kind !== "ended") return JSON.stringify(asked);
  const { body, ...delivery } = asked.delivery;
  return JSON.stringify({ ...asked, delivery: { ...delivery, body } });
}

/** The text is ours. */
export const parseAsked = (text: string): AskedDelivery => JSON.parse(text);
