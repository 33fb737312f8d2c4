// Records of the delivery log, within bounds.
import type { DeliveryAttempt, DeliveryEnded, DeliveryStatus } from "../../../schemas/records/delivery-ended.ts";
import type { Generation } from "./queue-id.ts";
import type { Parcel, WaitingSignal } from "./waiting.ts";

/** The fields of a record that do not depend on how the delivery ended. */
export interface Delivery extends Generation {
  readonly id: string;
  readonly signalIds: readonly string[];
  readonly signal: string;
  readonly createdAt: number;
}

export interface Ending {
  readonly status: DeliveryStatus;
  readonly endedAt: number;
  readonly attempts: readonly DeliveryAttempt[];
  readonly body: string;
}

export const deliveryOf = (of: Generation, { id, createdAt, signals, isBatch }: Parcel): Delivery => ({
  ...of,
  id,
  signalIds: signals.map((each) => each.id),
  signal: isBatch ? "batch" : (signals[0]?.signal ?? ""),
  createdAt,
});

const MAX_ATTEMPTS = 20;
const MAX_ERROR_LENGTH = 300;
/** Larger bodies are not kept, and their deliveries cannot be repeated later. */
const MAX_BODY_LENGTH = 256 * 1024;

export const newestAttempts = (attempts: readonly DeliveryAttempt[]): readonly DeliveryAttempt[] =>
  attempts
    .slice(-MAX_ATTEMPTS)
    .map((attempt) => ({ ...attempt, error: attempt.error?.slice(0, MAX_ERROR_LENGTH) ?? null }));

export const endDelivery = (delivery: Delivery, { attempts, body, ...ending }: Ending): DeliveryEnded => ({
  ...delivery,
  ...ending,
  attempts: newestAttempts(attempts),
  body: body.length > MAX_BODY_LENGTH ? "" : body,
});

/** Makes the record of a signal that was never sent as a delivery of its own. */
export const unsent = (
  of: Generation,
  { id, signal, createdAt }: WaitingSignal,
  ending: {
    readonly status: DeliveryStatus;
    readonly reason: string | null;
    readonly at: number;
    readonly body: string;
  },
): DeliveryEnded => {
  const { status, reason, at, body } = ending;
  const attempts = reason === null ? [] : [{ at, status: null, error: reason, ms: 0 }];
  const delivery = { ...of, id, signalIds: [id], signal, createdAt };
  return endDelivery(delivery, { status, endedAt: at, attempts, body });
};
