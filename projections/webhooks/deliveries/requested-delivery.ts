// A delivery that a caller requested, as the store keeps it until it is attempted. There is one attempt, outside the
// order of the queue.
import type { DeliveryEnded } from "../../../schemas/records/delivery-ended.ts";

export type RequestedDelivery =
  /** A test signal. */
  | { readonly kind: "test"; readonly createdAt: number }
  /** A delivery that waits in the queue. It stays there unless the attempt succeeds. */
  | { readonly kind: "waiting"; readonly createdAt: number; readonly signal: string }
  /** A delivery that has ended, to be sent again. */
  | { readonly kind: "ended"; readonly createdAt: number; readonly delivery: DeliveryEnded };

/** The body is the last member, because the store cuts it off for lists. */
export function textOf(request: RequestedDelivery): string {
  if (request.kind !== "ended") return JSON.stringify(request);
  const { body, ...delivery } = request.delivery;
  return JSON.stringify({ ...request, delivery: { ...delivery, body } });
}

/** The text must come from textOf; it is not checked. */
export const parseRequestedDelivery = (text: string): RequestedDelivery => JSON.parse(text);
