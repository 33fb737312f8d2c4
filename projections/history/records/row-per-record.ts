// The tables of record kinds whose events give one row each.
import type { KindTopic } from "../../../schemas/records/kinds.ts";
import { type KindRows, rowPerEvent } from "../kind.ts";
import type { PageNarrow } from "../queries/page.ts";
import {
  type Column,
  createReader,
  createTable,
  type ReadRow,
  type RecordedAt,
  type RowTable,
  type WireRow,
} from "../table.ts";
import type { EventOfTopic } from "./define-record-history.ts";

/** An event with its place in the log. */
export interface PlacedEvent<Event> {
  readonly event: Event;
  readonly recorded: RecordedAt;
}

type RecordColumns<T extends KindTopic> = Readonly<Record<string, Column<PlacedEvent<EventOfTopic<T>>>>>;

/** The columns that all these tables have. */
export const recordedColumns = {
  recorded_at: { from: ({ recorded }: PlacedEvent<unknown>) => recorded.recordedAt },
  partition: { from: ({ recorded }: PlacedEvent<unknown>) => recorded.partition },
  offset: { from: ({ recorded }: PlacedEvent<unknown>) => recorded.offset },
};

interface RowPerRecord<T extends KindTopic, Columns extends RecordColumns<T>, Rec> {
  readonly topic: T;
  readonly name: string;
  readonly columns: Columns;
  toRecord(row: ReadRow<Columns>): Rec;
  /** True for a table that is partitioned by month. Its old months are dropped. */
  readonly isByMonth: boolean;
}

/**
 * Rows with the same key are one record. All columns by which clients sort belong to the key, and `FINAL` chooses the
 * row that counts.
 */
export function rowPerRecord<T extends KindTopic, Columns extends RecordColumns<T>, Rec>({
  topic,
  name,
  columns,
  toRecord,
  isByMonth,
}: RowPerRecord<T, Columns, Rec>) {
  const table: RowTable<PlacedEvent<EventOfTopic<T>>> = createTable(name, columns);
  const { select, read } = createReader(columns);
  return {
    topic,
    rankedBy: topic,
    tables: [table],
    byMonth: isByMonth ? [table] : [],
    createRows: (): KindRows<{ readonly event: EventOfTopic<T> }> =>
      rowPerEvent(table, ({ event }, recorded) => ({ event, recorded })),
    from: `${name} FINAL`,
    narrow: (): PageNarrow => ({ table: name }),
    select,
    toRecord: (row: WireRow) => toRecord(read(row)),
  };
}
