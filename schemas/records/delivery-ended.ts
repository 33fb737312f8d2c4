import { array, int, optional, record, string, time, withDefault, word } from "../avro.ts";
import { DAY_MS } from "../units.ts";
import { defineRecord } from "./define-record.ts";

export type DeliveryStatus = "delivered" | "failed" | "merged";

export interface DeliveryAttempt {
  readonly at: number;
  /** The HTTP status. Null when there was no answer. */
  readonly status: number | null;
  readonly error: string | null;
  /** Duration of the attempt, milliseconds. */
  readonly ms: number;
}

/** The end of a delivery: no attempt follows, unless a caller asks for it again. */
export interface DeliveryEnded {
  /** The `webhook-id`. */
  readonly id: string;
  readonly subscriptionId: string;
  /**
   * Time at which the subscription was created, ms. It distinguishes the subscription from a later one with the same
   * id. 0 means unknown, so the delivery belongs to no subscription.
   */
  readonly generation: number;
  /** Ids of the signals that were sent: one signal, or those of a batch. Empty for a test. */
  readonly signalIds: readonly string[];
  /** The name of the signal; "batch" for several, "test" for a test. */
  readonly signal: string;
  readonly status: DeliveryStatus;
  readonly createdAt: number;
  readonly endedAt: number;
  /** The newest attempts. */
  readonly attempts: readonly DeliveryAttempt[];
  /** The body that was sent, for a redelivery. Empty when it was too large to be kept, and when nothing was sent. */
  readonly body: string;
}

/** Deliveries are few beside detections, so one partition is enough. */
export const deliveryEnded = defineRecord({
  type: "DeliveryEnded",
  event: record<DeliveryEnded>("DeliveryEnded", {
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
  }),
  key: "subscriptionId",
  writers: ["webhooks", "dead-letters"],
  readers: ["webhooks", "projector"],
  partitions: 1,
  cleanup: "delete",
  retentionMs: 7 * DAY_MS,
});
