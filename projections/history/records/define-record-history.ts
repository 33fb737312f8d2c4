// The description of a record kind in the history: its table, the columns by which clients filter and sort, and its
// subscription. The projector, the queries and the feed follow the descriptions, which kinds.ts lists.
import type { Sort } from "../../../schemas/filters.ts";
import type { EventOfKind } from "../../../schemas/records/define-record.ts";
import type { KindTopic, RecordTopics } from "../../../schemas/records/kinds.ts";
import { compile } from "../../filters/compile.ts";
import type { Fields, MemoryFields } from "../../filters/fields.ts";
import { all, type Params } from "../../filters/sql/sql.ts";
import type { HistoryKind } from "../kind.ts";
import { type KeyPart, keyOfSorts, type SortColumn, sortKey } from "../queries/keyset.ts";
import { type PageKind, type PageNarrow, page } from "../queries/page.ts";
import { createParams } from "../queries/params.ts";
import type { History, Page, PageRequest } from "../queries/records.ts";
import { ask, askCount, type QueryClient } from "../queries/run.ts";
import type { WireRow } from "../table.ts";

/** The event of the kind with this topic. */
export type EventOfTopic<T extends KindTopic> = EventOfKind<RecordTopics[T]>;

/** The subscription of a kind. Each event gives its subscribers one message, or none. */
export interface RecordFeed<Event, Shown, Filter> {
  /** Name of the subscription field in the SDL. */
  readonly field: string;
  readonly filter: MemoryFields<Filter, Shown>;
  /** Returns the id of an event. A repeated event has the same id; only the first one gives a message. */
  idOf(event: Event): string;
  /**
   * Returns the object for subscribers.
   * @returns undefined when the event gives them no message.
   */
  show(event: Event): Shown | undefined;
  /**
   * Returns the data source on which a filter may have a condition. Absent when the filters of the kind have no such
   * condition.
   */
  dataSourceOf?(shown: Shown): string;
}

/** A subscription for code that handles every kind alike. */
export type AnyRecordFeed = Omit<RecordFeed<object, object, object>, "filter"> & { readonly filter: object };

/**
 * The properties in which the record kinds differ. The functions are declared as methods, so that a kind may name its
 * types.
 */
interface RecordDescription<T extends KindTopic, Rec, Filter, SortField extends string> extends HistoryKind<T> {
  readonly topic: T;
  /** Table or view, with FINAL where it is needed. */
  readonly from: string;
  readonly select: string;
  toRecord(row: WireRow): Rec;
  /** Returns the way in which queries read few rows in full (see PageKind). `key` is empty for a count. */
  narrow?(params: Params, filter: Filter, key: readonly KeyPart[]): PageNarrow;
  readonly filter: Fields<Filter, Rec>;
  readonly sorts: { readonly [Field in SortField | "ID"]: SortColumn<Rec> };
  /** The sort columns that identify a record. */
  readonly identity: readonly SortField[];
  /** The clause that chooses one of several records with the same id. Absent when no two have the same. */
  readonly oneOfId?: string;
  readonly feed?: AnyRecordFeed;
}

export interface RecordHistory<T extends KindTopic, Rec, Filter, SortField extends string>
  extends RecordDescription<T, Rec, Filter, SortField> {
  page(history: History, request: PageRequest<Filter, Sort<SortField>>): Promise<Page<Rec>>;
  count(history: History, filter: Filter): Promise<number>;
  /** The records in no particular order. Unknown ids are left out. */
  byIds(client: QueryClient, ids: readonly string[]): Promise<Rec[]>;
}

export function defineRecordHistory<T extends KindTopic, Rec, Filter, SortField extends string>(
  description: RecordDescription<T, Rec, Filter, SortField>,
): RecordHistory<T, Rec, Filter, SortField> {
  const { topic, from, select, toRecord, sorts, oneOfId = "" } = description;
  const shown: PageKind<Rec> = { name: `${topic} page`, from, select, toRecord, keyOf: keyOfSorts(sorts) };
  const identity = description.identity.map((field) => sorts[field]);

  // The casts are safe: the description has a field for each member of the filter.
  const toSql = (params: Params, filter: Filter, { dataSourceIds }: History) =>
    compile(description.filter as never, filter as never, { params, dataSourceIds });

  return {
    ...description,

    page(history, request) {
      const key = sortKey(request.sort, sorts, identity);
      const narrow = (params: Params) => description.narrow?.(params, request.filter, key);
      return page(history.client, { ...shown, narrow }, request, key, (params, filter) =>
        toSql(params, filter, history),
      );
    },

    count(history, filter) {
      const params = createParams();
      const condition = toSql(params, filter, history);
      const narrow = description.narrow?.(params, filter, []);
      const among = narrow !== undefined && "among" in narrow ? narrow.among : undefined;
      const conditions = among === undefined ? [condition] : [condition, among];
      return askCount(history.client, `${topic} count`, from, all(conditions), params);
    },

    async byIds(client, ids) {
      if (ids.length === 0) return [];
      const params = createParams();
      const named = `${sorts.ID.sql} IN ${params.bindList("String", ids)}`;
      const sql = `SELECT ${select} FROM ${from} WHERE ${named} ${oneOfId}`;
      return (await ask<WireRow>(client, `${topic} by ids`, sql, params)).map(toRecord);
    },
  };
}
