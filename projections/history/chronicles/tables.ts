// The tables of chronicles have partial rows, each from a part of the log. The views fold them.
import type { ChronicleKind } from "../../../schemas/chronicles/kinds.ts";
import { type AnyChronicleDescription, type Chronicle, chronicleFieldsOf } from "../../chronicles/define-chronicle.ts";
import { type ChronicleEvent, kindOfEvent } from "../../chronicles/evolve.ts";
import { chronicles } from "../../chronicles/kinds.ts";
import type { HistoryKind, KindRows } from "../kind.ts";
import { type Column, createTable, type RowTable, type WireRow } from "../table.ts";
import { addedOf, type ChronicleChange, createChronicleChanges, setOf } from "./changes.ts";
import { columnOf, readOf, selectOf } from "./columns.ts";

/** The tables of one kind in the history. */
export interface ChronicleHistory<K extends ChronicleKind> {
  readonly table: RowTable<ChronicleChange>;
  readonly view: string;
  /** The text between SELECT and FROM, with the columns of the view. */
  readonly select: string;
  readonly toRecord: (row: WireRow) => Chronicle<K>;
}

function historyOf<K extends ChronicleKind>(kind: K): ChronicleHistory<K> {
  const name = kind.replace("Chronicle", "_chronicles");
  const description: AnyChronicleDescription = chronicles[kind];
  const fields = chronicleFieldsOf(description);
  const times = [
    "toUnixTimestamp64Milli(created_at) AS created_at_ms",
    "toUnixTimestamp64Milli(updated_at) AS updated_at_ms",
  ];
  return {
    table: createTable(`${name}_v1`, columnsOf(description)),
    view: `${name}_current_v1`,
    select: ["chronicle_id", ...times, ...fields.flatMap(([field, type]) => selectOf(field, type))].join(", "),
    toRecord: (row) =>
      ({
        ...Object.fromEntries(fields.map(([field, type]) => [field, readOf(field, type, row)])),
        id: row["chronicle_id"],
        createdAt: Number(row["created_at_ms"]),
        updatedAt: Number(row["updated_at_ms"]),
      }) as Chronicle<K>,
  };
}

function columnsOf(description: AnyChronicleDescription): Readonly<Record<string, Column<ChronicleChange>>> {
  const columns: Record<string, Column<ChronicleChange>> = {
    chronicle_id: { from: ({ id }) => id },
    created: { from: ({ created }) => created },
    deleted: { from: ({ deleted }) => (deleted ? 1 : 0) },
    updated: { from: ({ updatedAt }) => updatedAt },
    last_offset: { from: ({ lastOffset }) => lastOffset },
  };
  for (const [name, field] of chronicleFieldsOf(description)) {
    columns[`set_${columnOf(name)}`] = { from: (change) => setOf(change, name, field) };
    if (field.grows) columns[`added_${columnOf(name)}`] = { from: (change) => addedOf(change, name) };
  }
  return columns;
}

export const chronicleHistory: { readonly [K in ChronicleKind]: ChronicleHistory<K> } = {
  activityChronicle: historyOf("activityChronicle"),
  eventChronicle: historyOf("eventChronicle"),
  summaryChronicle: historyOf("summaryChronicle"),
};

export const chroniclesHistory: HistoryKind<"chronicles"> = {
  topic: "chronicles",
  rankedBy: "chronicles",
  tables: Object.values(chronicleHistory).map(({ table }) => table),
  // Chronicles are few, and clients look them up for long, so their months are never dropped.
  byMonth: [],
  createRows,
};

function createRows(): KindRows<ChronicleEvent> {
  const folds = Object.values(chronicles).map((description: AnyChronicleDescription) => ({
    kind: description.kind,
    table: chronicleHistory[description.kind].table,
    changes: createChronicleChanges(description),
  }));
  const byKind = new Map(folds.map(({ kind, changes }) => [kind, changes]));
  let events = 0;

  return {
    add(message, recorded) {
      const changes = byKind.get(kindOfEvent(message.type));
      events += 1;
      if (message.type === "ActivityMediaAdded") changes?.mediaAdded(message.event, recorded);
      else changes?.changed(message.event, recorded);
    },
    /** There is at most one row for each event. */
    size: () => events,
    byTable: () => folds.map(({ table, changes }) => table.rowsOf(changes.changes())),
  };
}
