// webhook_deliveries_v1: one row per delivery; a delivery that was repeated is as its newest record says.
import type { DeliveryEnded } from "../../schemas/events.ts";
import type { DeliveryAttempt, DeliveryStatus } from "../../schemas/records/delivery-ended.ts";
import { type HistoryKind, rowPerEvent } from "./kind.ts";
import { columnsFrom, createReader, createTable, type Read, type Recorded, text, time, type WireRow } from "./table.ts";

interface RecordedDelivery extends DeliveryEnded {
  readonly recorded: Recorded;
}

// The casts are safe: we wrote these values.
const status: Read<DeliveryStatus> = { of: (wire) => wire as DeliveryStatus };
const attempts: Read<readonly DeliveryAttempt[]> = { of: (wire) => JSON.parse(String(wire)) };
const texts: Read<readonly string[]> = { of: (wire) => wire as string[] };

const columns = columnsFrom<RecordedDelivery>()({
  subscription_id: { from: ({ subscriptionId }) => subscriptionId, read: text },
  generation: { from: ({ generation }) => generation, read: time },
  created_at: { from: ({ createdAt }) => createdAt, read: time },
  delivery_id: { from: ({ id }) => id, read: text },
  signal: { from: ({ signal }) => signal, read: text },
  signal_ids: { from: ({ signalIds }) => signalIds, read: texts },
  status: { from: (delivery) => delivery.status, read: status },
  ended_at: { from: ({ endedAt }) => endedAt, read: time },
  attempts: { from: (delivery) => JSON.stringify(delivery.attempts), read: attempts },
  body: { from: ({ body }) => body, read: text },
  recorded_at: { from: ({ recorded }) => recorded.recordedAt },
  partition: { from: ({ recorded }) => recorded.partition },
  offset: { from: ({ recorded }) => recorded.offset },
});

export const deliveriesTable = createTable("webhook_deliveries_v1", columns);

export const deliveries: HistoryKind<"webhook-deliveries"> = {
  topic: "webhook-deliveries",
  rankedBy: "webhook-deliveries",
  tables: [deliveriesTable],
  byMonth: [deliveriesTable],
  createRows: () => rowPerEvent(deliveriesTable, ({ event }, recorded) => ({ ...event, recorded })),
};

const reader = createReader(columns);

export const deliverySelect = reader.select;

export function deliveryRecord(wire: WireRow): DeliveryEnded {
  return { ...listedDelivery(wire), body: reader.read(wire).body };
}

/** A list does not need what was sent. */
export type ListedDelivery = Omit<DeliveryEnded, "body">;

const { body: _, ...listedColumns } = columns;
const listReader = createReader(listedColumns);

export const listedDeliverySelect = listReader.select;

export function listedDelivery(wire: WireRow): ListedDelivery {
  const row = listReader.read(wire);
  return {
    id: row.delivery_id,
    subscriptionId: row.subscription_id,
    generation: row.generation,
    signalIds: row.signal_ids,
    signal: row.signal,
    status: row.status,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    attempts: row.attempts,
  };
}
