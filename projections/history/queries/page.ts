import type { SortDirection } from "../../../schemas/filters.ts";
import { decodeCursor, encodeCursor, fingerprint, toPage } from "../../cursors.ts";
import { all, bindTime, given, type Params } from "../../filters/sql/sql.ts";
import type { WireRow } from "../table.ts";
import { after, type KeyPart } from "./keyset.ts";
import { answerByKeys, type KeysNarrow } from "./page-by-keys.ts";
import { createParams } from "./params.ts";
import { type Compiled, plain, type Question } from "./question.ts";
import type { Page, PageRequest } from "./records.ts";
import { ask, type QueryClient } from "./run.ts";

/** The properties of one kind of row. */
export interface PageKind<Record> {
  readonly name: string;
  /** Table or view, with FINAL where it is needed. */
  readonly from: string;
  /**
   * The way in which a page reads few rows in full. Without it, the store reads all rows that fulfil the condition in
   * full, which is best when they are few.
   */
  readonly narrow?: ((params: Params) => PageNarrow | undefined) | undefined;
  readonly select: string;
  readonly toRecord: (row: WireRow) => Record;
  /** Returns the record's value in a column of the sort key. */
  readonly keyOf: (record: Record, column: string) => string | number;
}

export type PageNarrow = TableNarrow | KeysNarrow | ColumnsNarrow;

/**
 * For kinds whose sort columns all belong to the table's key. All unmerged rows of one key then have the same sort
 * values.
 */
interface TableNarrow {
  /** `from` without FINAL. */
  readonly table: string;
}

/** For all other kinds. */
interface ColumnsNarrow {
  /** The columns that identify a row. */
  readonly columns: string;
  /** An index for sorts whose first column it contains. */
  readonly index?: KeyIndex | undefined;
  /** A condition that is cheaper than the filter. All rows that fulfil the filter fulfil it. */
  readonly among?: string | undefined;
  /** Used when there is no `among`: finds such a condition by a query, when the index has not been enough. */
  readonly findAmong?: (() => Promise<string | undefined>) | undefined;
}

/** Finds rows by the sort's first column, although that column is in no table's key. */
interface KeyIndex {
  readonly table: string;
  /**
   * The expression of the sort's first column in a row of the table. Some row of each key has the value that counts.
   */
  readonly lead: string;
  /** A condition that all rows of the wanted keys fulfil. */
  readonly condition: string;
}

export async function page<Rec, Filter, Sort>(
  client: QueryClient,
  kind: PageKind<Rec>,
  request: PageRequest<Filter, Sort>,
  key: readonly KeyPart[],
  compile: (params: Params, filter: Filter) => string | Compiled,
): Promise<Page<Rec>> {
  const { filter, first } = request;
  const print = fingerprint(filter, key);
  const params = createParams();
  const compiled = compile(params, filter);
  const { before, behind, widen, superset }: Compiled =
    typeof compiled === "string" ? { before: [compiled], behind: [] } : compiled;
  const conditions = [...before];
  let startsAt: number | undefined;
  if (given(request.after)) {
    const cursor = decodeCursor(request.after, key, print);
    conditions.push(after(params, key, cursor));
    if (typeof cursor[0] === "number") startsAt = cursor[0];
  }
  const asked = { select: kind.select, from: kind.from, key, limit: first + 1, startsAt };
  const condition = all(widen === undefined ? [...conditions, ...behind] : behind);
  const question = { ...asked, condition, widen, superset, own: conditions };
  const rows = await answer(client, kind, question, params);
  return toPage(rows.map(kind.toRecord), first, given(request.after), (record) =>
    encodeCursor(
      key.map(({ sql: column }) => kind.keyOf(record, column)),
      print,
    ),
  );
}

async function answer<Rec>(
  client: QueryClient,
  kind: PageKind<Rec>,
  question: Question,
  params: Params,
): Promise<WireRow[]> {
  const { name } = kind;
  const narrow = kind.narrow?.(params);
  if (narrow === undefined) return ask<WireRow>(client, name, plain(question), params);
  if ("keys" in narrow) return answerByKeys(client, name, question, narrow, params);
  const attempts = "table" in narrow ? upToBound(question, narrow) : ofIndexed(question, narrow, params);
  for (const { sql, candidates } of attempts) {
    const rows = await ask<WireRow & { readonly candidates: string }>(client, name, sql, params);
    const [row] = rows;
    const isWhole = rows.length === question.limit || (row !== undefined && Number(row.candidates) < candidates);
    if (isWhole) return rows;
  }
  if ("table" in narrow) return ask<WireRow>(client, name, plain(question), params);
  const among = narrow.among ?? (await narrow.findAmong?.());
  return ask<WireRow>(client, name, ofChosen(question, { ...narrow, among }), params);
}

/** Number of candidates for each row of the page. There is a reserve, because several unmerged rows may become one. */
const SPARE = 2;
/**
 * Number of candidates from an index for each row of the page: at the first attempt, and at the second. Each candidate
 * is a row of its own, but some do not fulfil the filter.
 */
const SPARE_OF_INDEX = [1.2, 32];
/** Number of unmerged rows for which a read of an index allows at each key. */
const ROWS_PER_KEY = 3;
/**
 * Number of rows that ClickHouse reads at a time. A query with a condition reads whole blocks of every part before it
 * counts the rows of the page, so blocks are small.
 */
const BLOCK_ROWS = 1_024;

interface Attempt {
  readonly sql: string;
  readonly candidates: number;
}

/**
 * Finds out how far the page can reach, from one column of a few unmerged rows. The rows that count are among the
 * unmerged ones.
 */
function withReach(
  { key: [lead] }: Question,
  sql: string,
  table: string,
  condition: string,
  candidates: number,
): string {
  const direction = lead?.direction ?? "ASC";
  const last = direction === "ASC" ? "max" : "min";
  return `WITH (SELECT (${last}(lead), count()) FROM (
    SELECT ${sql} AS lead FROM ${table} WHERE ${condition} ORDER BY lead ${direction} LIMIT ${candidates})) AS reach`;
}

const withinReach = ({ key: [lead] }: Question, sql: string): string =>
  `${sql} ${lead?.direction === "DESC" ? ">=" : "<="} reach.1`;

/**
 * FINAL merges all columns of the rows that fulfil the condition, so the condition keeps only the rows within the
 * page's reach.
 */
function upToBound(question: Question, { table }: TableNarrow): Attempt[] {
  const [lead] = question.key;
  if (lead === undefined) return [];
  const candidates = question.limit * SPARE;
  const reach = withReach(question, lead.sql, table, question.condition, candidates);
  const bound = withinReach(question, lead.sql);
  const select = `${question.select}, reach.2 AS candidates`;
  const sql = `${reach} ${plain({ ...question, select, condition: `${question.condition} AND ${bound}` })}`;
  return [{ sql, candidates }];
}

/** Reads the rows that the index names, in their merged state. */
function ofIndexed(question: Question, { columns, index }: ColumnsNarrow, params: Params): Attempt[] {
  const [lead] = question.key;
  if (lead === undefined || index === undefined) return [];
  const select = `${question.select}, reach.2 AS candidates`;
  const rows = [index.condition];
  if (question.startsAt !== undefined) {
    rows.push(`${index.lead} ${lead.direction === "ASC" ? ">=" : "<="} ${bindTime(params, question.startsAt)}`);
  }
  const named = `SELECT ${columns} FROM ${index.table} WHERE ${all([...rows, withinReach(question, index.lead)])}`;
  const condition = all([question.condition, withinReach(question, lead.sql), `(${columns}) IN (${named})`]);
  return SPARE_OF_INDEX.map((spare) => {
    const candidates = Math.ceil(question.limit * spare);
    const reach = indexReach(lead.direction, { ...index, condition: all(rows) }, columns, candidates);
    return { sql: `${reach} ${plain({ ...question, select, condition })}`, candidates };
  });
}

/**
 * Finds the reach like withReach, but counts distinct keys. The store reads rows in the order of the index, and no more
 * than are needed. When there are fewer keys than candidates, the reach is that of all rows read: the value that counts
 * for a key may be in another row than its first.
 */
function indexReach(
  direction: SortDirection,
  { table, lead, condition }: KeyIndex,
  columns: string,
  candidates: number,
) {
  const last = direction === "ASC" ? "max" : "min";
  const most = candidates * ROWS_PER_KEY;
  const rows = `SELECT ${columns}, ${lead} AS lead FROM ${table} WHERE ${condition} ORDER BY lead ${direction} LIMIT ${most}
    SETTINGS max_block_size = ${BLOCK_ROWS}`;
  const counted = `SELECT *, count() OVER () AS read, ${last}(lead) OVER () AS furthest FROM (${rows})`;
  const keys = `SELECT lead, read, furthest, ${columns} FROM (${counted})
    ORDER BY lead ${direction} LIMIT 1 BY ${columns} LIMIT ${candidates}`;
  return `WITH (SELECT (if(count() = ${candidates}, ${last}(lead), any(furthest)),
    if(any(read) = ${most}, ${candidates}, count())) FROM (${keys})) AS reach`;
}

/**
 * Chooses the rows by the few columns that the condition and the sort need, and reads the other columns of the chosen
 * rows only.
 */
function ofChosen(question: Question, { columns, among }: ColumnsNarrow): string {
  const condition = among === undefined ? question.condition : `${question.condition} AND ${among}`;
  const chosen = plain({ ...question, select: columns, condition });
  return plain({ ...question, condition: `(${columns}) IN (${chosen})` });
}
