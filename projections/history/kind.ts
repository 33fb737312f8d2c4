// The part of the history that derives from one topic. Each kind has a file of its own in this folder, and a line in
// kinds.ts.
import type { Typed } from "../../schemas/events.ts";
import type { Projected, RecordOf } from "../../schemas/topics.ts";
import type { RecordedAt, RowTable, Table, TableRows } from "./table.ts";

/** A kind of history. Its functions are declared as methods, so that a kind may name the type of its events. */
export interface HistoryKind<T extends Projected = Projected> {
  readonly topic: T;
  /** The topic whose offsets rank the rows: the kind's own topic, or the one from which it derives. */
  readonly rankedBy: Projected;
  readonly tables: readonly Table[];
  /** The tables that are partitioned by month. Their old months are dropped. */
  readonly byMonth: readonly Table[];
  /** Collects the rows of one flush. */
  createRows(): KindRows<Typed<RecordOf<T>>>;
  /**
   * Adds the rank base of their partition to the offsets that an event contains. Absent when events contain none.
   * `partition` is that of the event.
   */
  rebase?(message: Typed<RecordOf<T>>, partition: number, rankBase: (partition: number) => number): Typed<RecordOf<T>>;
}

export interface KindRows<Event> {
  add(message: Event, recorded: RecordedAt): void;
  /** Approximate number of rows. */
  size(): number;
  byTable(): readonly TableRows[];
}

/** Rows for a kind whose events give one row each. */
export function rowPerEvent<Event, Source>(
  table: RowTable<Source>,
  toSource: (message: Event, recorded: RecordedAt) => Source,
): KindRows<Event> {
  const columns = table.collect();
  return {
    add: (message, recorded) => columns.add(toSource(message, recorded)),
    size: columns.size,
    byTable: () => [columns.rows()],
  };
}
