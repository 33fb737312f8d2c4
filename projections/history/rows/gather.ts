// Turns events into the rows that one flush writes.
import type { Typed } from "../../../schemas/events.ts";
import { type Projected, type RecordOf, topicOf } from "../../../schemas/topics.ts";
import type { KindRows } from "../kind.ts";
import { historyKinds } from "../kinds.ts";
import type { RecordedAt, TableRows } from "../table.ts";

export type { TableRows };

export type HistoryEvent = Typed<RecordOf<Projected>>;

export interface Gathered {
  add(message: HistoryEvent, recorded: RecordedAt): void;
  /** Approximate number of rows. */
  size(): number;
  /** The rows by table. Tables without rows are left out. */
  byTable(): TableRows[];
}

export function createGathered(): Gathered {
  const byTopic = new Map<string, KindRows<HistoryEvent>>(historyKinds.map((kind) => [kind.topic, kind.createRows()]));
  const kinds = [...byTopic.values()];
  return {
    add: (message, recorded) => byTopic.get(topicOf(message.type))?.add(message, recorded),
    size() {
      let size = 0;
      for (const rows of kinds) size += rows.size();
      return size;
    },
    byTable: () => kinds.flatMap((rows) => rows.byTable()).filter(({ size }) => size > 0),
  };
}
