import { array, int, optional, record, string, time, withDefault, word } from "../avro.ts";

export type DeliveryStatus = "delivered" | "failed" | "merged";

export interface DeliveryAttempt {
  readonly at: number;
  /** The HTTP status; null = there was no answer. */
  readonly status: number | null;
  readonly error: string | null;
  /** How long it took. */
  readonly ms: number;
}

/** Nothing more happens with a delivery, unless somebody asks for it again. */
export interface DeliveryEnded {
  /** The `webhook-id`. */
  readonly id: string;
  readonly subscriptionId: string;
  /** When the subscription was created, ms: one that gets the id later is another one. 0 = not said, so nobody's. */
  readonly generation: number;
  /** The signals that were sent: one, or those of a batch. None for a test. */
  readonly signalIds: readonly string[];
  /** The name of the signal, "batch" for several, or "test". */
  readonly signal: string;
  readonly status: DeliveryStatus;
  readonly createdAt: number;
  readonly endedAt: number;
  /** The newest ones. */
  readonly attempts: readonly DeliveryAttempt[];
  /** What was sent, for a redelivery; empty when it was too large to be kept, and when nothing was sent. */
  readonly body: string;
}

export const deliveryEnded = record<DeliveryEnded>("DeliveryEnded", {
  id: string,
  subscriptionId: string,
  generation: withDefault(time, 0),
  signalIds: array(string),
  signal: string,
  status: word<DeliveryStatus>(),
  createdAt: time,
  endedAt: time,
  attempts: array(
    record<DeliveryAttempt>("DeliveryAttempt", { at: time, status: optional(int), error: optional(string), ms: int }),
  ),
  body: string,
});
