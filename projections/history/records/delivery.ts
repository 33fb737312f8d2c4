// The table webhook_deliveries_v1: one row per delivery. The row of a repeated delivery has the state of its newest
// record.
import type { DeliveryAttempt, DeliveryEnded, DeliveryStatus } from "../../../schemas/records/delivery-ended.ts";
import {
  type ColumnReader,
  columnsFrom,
  createReader,
  type ReadRow,
  textColumn,
  timeColumn,
  type WireRow,
} from "../table.ts";
import { type PlacedEvent, recordedColumns, rowPerRecord } from "./row-per-record.ts";

// The casts are safe: the projector wrote these values.
const status: ColumnReader<DeliveryStatus> = { of: (wire) => wire as DeliveryStatus };
const attempts: ColumnReader<readonly DeliveryAttempt[]> = { of: (wire) => JSON.parse(String(wire)) };
const texts: ColumnReader<readonly string[]> = { of: (wire) => wire as string[] };

const columns = columnsFrom<PlacedEvent<DeliveryEnded>>()({
  subscription_id: { from: ({ event }) => event.subscriptionId, read: textColumn },
  generation: { from: ({ event }) => event.generation, read: timeColumn },
  created_at: { from: ({ event }) => event.createdAt, read: timeColumn },
  delivery_id: { from: ({ event }) => event.id, read: textColumn },
  signal: { from: ({ event }) => event.signal, read: textColumn },
  signal_ids: { from: ({ event }) => event.signalIds, read: texts },
  status: { from: ({ event }) => event.status, read: status },
  ended_at: { from: ({ event }) => event.endedAt, read: timeColumn },
  attempts: { from: ({ event }) => JSON.stringify(event.attempts), read: attempts },
  body: { from: ({ event }) => event.body, read: textColumn },
  ...recordedColumns,
});

export const deliveryHistory = rowPerRecord({
  topic: "webhook-deliveries",
  name: "webhook_deliveries_v1",
  columns,
  toRecord: (row): DeliveryEnded => ({ ...listed(row), body: row.body }),
  isByMonth: true,
});

/** A delivery in a list, without the body that was sent. */
export type ListedDelivery = Omit<DeliveryEnded, "body">;

const { body: _, ...listedColumns } = columns;
const listReader = createReader(listedColumns);

export const listedDeliverySelect = listReader.select;

export const listedDelivery = (wire: WireRow): ListedDelivery => listed(listReader.read(wire));

function listed(row: ReadRow<typeof listedColumns>): ListedDelivery {
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
