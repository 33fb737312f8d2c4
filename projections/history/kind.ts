// What the history keeps of one topic. Each kind has a file of its own beside this one, and a line in kinds.ts.
import type { Typed } from "../../schemas/events.ts";
import type { Projected, RecordOf } from "../../schemas/topics.ts";
import type { Recorded, Row, RowTable, Table } from "./table.ts";

/** Functions are declared as methods, so that a kind may name the type of its events. */
export interface HistoryKind<T extends Projected = Projected> {
  readonly topic: T;
  /** The topic whose offsets rank the rows: its own, or the one that it derives from. */
  readonly rankedBy: Projected;
  readonly tables: readonly Table[];
  /** Those of them that are partitioned by month: old months are dropped. */
  readonly byMonth: readonly Table[];
  /** Rows of one flush. */
  createRows(): KindRows<Typed<RecordOf<T>>>;
  /**
   * The event, with the offsets that it names counted from the base of their partition. Absent: it names none.
   * `partition`: that of the event.
   */
  rebase?(message: Typed<RecordOf<T>>, partition: number, rankBase: (partition: number) => number): Typed<RecordOf<T>>;
}

export interface KindRows<Event> {
  add(message: Event, recorded: Recorded): void;
  /** About as many as there are rows. */
  size(): number;
  byTable(): readonly TableRows[];
}

export interface TableRows {
  readonly table: Table;
  readonly rows: readonly Row[];
}

/** For a kind whose events give one row each. */
export function rowPerEvent<Event, Source>(
  table: RowTable<Source>,
  toSource: (message: Event, recorded: Recorded) => Source,
): KindRows<Event> {
  const rows: Row[] = [];
  return {
    add: (message, recorded) => {
      rows.push(table.row(toSource(message, recorded)));
    },
    size: () => rows.length,
    byTable: () => [{ table, rows }],
  };
}
