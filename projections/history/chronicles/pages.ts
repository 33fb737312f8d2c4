// Pages, counts and look-ups of chronicles, one implementation for every kind.
import type { ChronicleKind } from "../../../schemas/chronicles/kinds.ts";
import type { Sort } from "../../../schemas/filters.ts";
import { type AnyChronicleDescription, type Chronicle, chronicleFieldsOf } from "../../chronicles/define-chronicle.ts";
import { chronicles } from "../../chronicles/kinds.ts";
import { activityFields, eventChronicleFields, summaryFields } from "../../filters/chronicles.ts";
import { compile } from "../../filters/compile.ts";
import { eventFields as eventViewFields } from "../../filters/events.ts";
import type { Filtering, SqlField } from "../../filters/fields.ts";
import { all, given, type Params } from "../../filters/sql/sql.ts";
import { type KeyColumn, sortKey } from "../queries/keyset.ts";
import { type PageKind, page } from "../queries/page.ts";
import { createParams } from "../queries/params.ts";
import type { History, Page, PageRequest } from "../queries/records.ts";
import { ask, askCount, type QueryClient } from "../queries/run.ts";
import type { WireRow } from "../table.ts";
import { amongChronicles, type FilterOfChronicles, ownStart, type Rows, startCondition } from "./candidates.ts";
import { columnOf } from "./columns.ts";
import { chronicleHistory } from "./tables.ts";

type SortField = "ID" | "START_TIME" | "END_TIME" | "TIMESTAMP" | "NAME" | "PRIORITY" | "STATUS";

export interface ChronicleQueries<K extends ChronicleKind> {
  page(history: History, request: PageRequest<object, Sort<string>>): Promise<Page<Chronicle<K>>>;
  count(history: History, filter: object): Promise<number>;
  /**
   * A condition on the view that is true whenever the filter is, and lets the store read less.
   * @returns undefined when there is none.
   */
  among(params: Params, filter: object): string | undefined;
  /** The chronicles in no particular order. Unknown and deleted ones are left out. */
  byIds(client: QueryClient, ids: readonly string[]): Promise<readonly Chronicle<K>[]>;
  /** The ids of those chronicles that existed and were deleted. */
  deletedOf(client: QueryClient, ids: readonly string[]): Promise<readonly string[]>;
}

/** The last instant that the store can hold: a period without an end sorts as if it ended then. */
const NEVER_MS = 10_413_791_999_999;

interface SortColumn extends KeyColumn {
  readonly of: (chronicle: Readonly<Record<string, unknown>>) => string | number;
}

const named = (field: string, type: KeyColumn["type"]): SortColumn => ({
  sql: columnOf(field),
  type,
  of: (chronicle) => chronicle[field] as string | number,
});

/** A missing text sorts after all others. */
const maybe = (field: string): SortColumn => ({
  sql: `if(${field} IS NULL, '1', concat('0', assumeNotNull(${field})))`,
  type: "String",
  of: ({ [field]: text }) => (text === null ? "1" : `0${text}`),
});

const id: SortColumn = { sql: "chronicle_id", type: "String", of: (chronicle) => String(chronicle["id"]) };

const sortColumns: Readonly<Record<SortField, SortColumn>> = {
  ID: id,
  START_TIME: named("startTime", "time"),
  TIMESTAMP: named("timestamp", "time"),
  END_TIME: {
    sql: `ifNull(end_time, fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC'))`,
    type: "time",
    of: ({ endTime }) => (endTime === null ? NEVER_MS : (endTime as number)),
  },
  NAME: named("name", "String"),
  PRIORITY: maybe("priority"),
  STATUS: maybe("status"),
};

const bySql = new Map(Object.values(sortColumns).map((column) => [column.sql, column]));

function queriesFor<K extends ChronicleKind, Inputs>(
  kind: K,
  words: string,
  filterFields: { readonly [Name in keyof Inputs]: SqlField<Inputs[Name]> },
): ChronicleQueries<K> {
  const description: AnyChronicleDescription = chronicles[kind];
  const { table, view, select, toRecord } = chronicleHistory[kind];
  const rows = rowsOf(description, table.name);
  const start = columnOf(description.start);
  const kindOfPage: PageKind<Chronicle<K>> = {
    name: `${words} page`,
    from: view,
    select,
    toRecord,
    keyOf: (chronicle, sql) => bySql.get(sql)?.of({ ...chronicle }) ?? "",
  };

  // The cast is safe: graphql-js has coerced the filter to the kind's type.
  const toSql = (params: Params, filter: object, { dataSourceIds }: History) =>
    compile(filterFields, filter as Filtering<Inputs>, { params, dataSourceIds });

  function narrowFor(filter: FilterOfChronicles, isByStart: boolean) {
    return (params: Params) => {
      const among = amongChronicles(params, filter, rows);
      if (!isByStart) return { columns: "chronicle_id", among };
      const index = { table: table.name, lead: ownStart(start), condition: startCondition(params, filter, rows) };
      return { columns: "chronicle_id", index, among };
    };
  }

  return {
    page(history, request) {
      // The cast is safe: the SDL has no other sort fields.
      const sort = request.sort as readonly Sort<SortField>[];
      const key = sortKey(sort, sortColumns, [id]);
      const { id: named }: FilterOfChronicles = request.filter;
      // A list of ids selects few chronicles, and the table is ordered by id.
      const isNamed = given(named?.eq) || given(named?.in);
      const narrow = isNamed ? undefined : narrowFor(request.filter, key[0]?.sql === start);
      return page(history.client, { ...kindOfPage, narrow }, request, key, (params, filter) =>
        toSql(params, filter, history),
      );
    },

    count(history, filter) {
      const params = createParams();
      const among = amongChronicles(params, filter, rows);
      const conditions = [toSql(params, filter, history), ...(among === undefined ? [] : [among])];
      return askCount(history.client, `${words} count`, view, all(conditions), params);
    },

    among: (params, filter) => amongChronicles(params, filter, rows),

    ...lookUpsFor(kind, words),
  };
}

function lookUpsFor<K extends ChronicleKind>(kind: K, words: string): Pick<ChronicleQueries<K>, "byIds" | "deletedOf"> {
  const { table, view, select, toRecord } = chronicleHistory[kind];
  return {
    async byIds(client, ids) {
      if (ids.length === 0) return [];
      const params = createParams();
      const sql = `SELECT ${select} FROM ${view} WHERE chronicle_id IN ${params.bindList("String", ids)}`;
      return (await ask<WireRow>(client, `${words} by ids`, sql, params)).map(toRecord);
    },

    async deletedOf(client, ids) {
      if (ids.length === 0) return [];
      const params = createParams();
      const sql = `SELECT DISTINCT chronicle_id AS id FROM ${table.name}
        WHERE chronicle_id IN ${params.bindList("String", ids)} AND deleted = 1`;
      return (await ask<{ id: string }>(client, `deleted ${words}`, sql, params)).map((row) => row.id);
    },
  };
}

function rowsOf(description: AnyChronicleDescription, table: string): Rows {
  const fields = chronicleFieldsOf(description);
  const start = columnOf(description.start);
  const ofType = (...types: readonly string[]) =>
    fields.flatMap(([name, { type, grows }]) => (types.includes(type) && !grows ? [name] : []));
  return {
    table,
    start,
    texts: ofType("name", "text", "id", "timezone"),
    lists: ofType("texts", "ids"),
    times: ofType("time").filter((name) => columnOf(name) !== start),
  };
}

export const chronicleQueries: { readonly [K in ChronicleKind]: ChronicleQueries<K> } = {
  activityChronicle: queriesFor("activityChronicle", "activityChronicles", activityFields),
  eventChronicle: queriesFor("eventChronicle", "eventChronicles", eventChronicleFields),
  summaryChronicle: queriesFor("summaryChronicle", "summaryChronicles", summaryFields),
};

/** Activities under their former name. The filters use the names of activities. */
export const eventQueries = queriesFor("activityChronicle", "events", eventViewFields);
