import type { SortDirection } from "../../../schemas/filters.ts";
import { decodeCursor, encodeCursor, fingerprint, toPage } from "../../cursors.ts";
import { all, bindTime, given, type Params } from "../../filters/sql/sql.ts";
import type { WireRow } from "../table.ts";
import { after, type KeyPart } from "./keyset.ts";
import { answerByKeys, type KeysNarrow } from "./page-by-keys.ts";
import { createParams } from "./params.ts";
import { type Compiled, plain, type Question } from "./question.ts";
import type { Page, PageRequest } from "./records.ts";
import { type Asked, ask } from "./run.ts";

/** The properties of one kind of row. */
export interface Kind<Record> {
  readonly name: string;
  /** Table or view, with FINAL where it is needed. */
  readonly from: string;
  /** How a page reads few rows in full. Without it, all rows that fulfil the condition are read: best for few rows. */
  readonly narrow?: ((params: Params) => Narrow) | undefined;
  readonly select: string;
  readonly toRecord: (row: WireRow) => Record;
  /** The values of the sort key's columns. */
  readonly keyOf: (record: Record, column: string) => string | number;
}

type Narrow = TableNarrow | KeysNarrow | ColumnsNarrow;

/** For kinds whose sort columns all belong to the table's key, so that rows to be merged agree in them. */
interface TableNarrow {
  /** `from` without FINAL. */
  readonly table: string;
}

/** For other kinds. */
interface ColumnsNarrow {
  /** The columns that identify a row. */
  readonly columns: string;
  /** For a sort that begins with the column that the index knows of. */
  readonly index?: KeyIndex | undefined;
  /** Fulfilled by whatever fulfils the filter, and cheaper to judge by. */
  readonly among?: string | undefined;
}

/** Finds rows by the sort's first column, although it belongs to no key. */
interface KeyIndex {
  readonly table: string;
  /** What a row of the table says about the first column of the sort. Some row says what counts. */
  readonly lead: string;
  /** Fulfilled by all rows of the table that belong to what is asked for. */
  readonly condition: string;
}

export async function page<Rec, Filter, Sort>(
  client: Asked,
  kind: Kind<Rec>,
  request: PageRequest<Filter, Sort>,
  key: readonly KeyPart[],
  compile: (params: Params, filter: Filter) => string | Compiled,
): Promise<Page<Rec>> {
  const { filter, first } = request;
  const print = fingerprint(filter, key);
  const params = createParams();
  const compiled = compile(params, filter);
  const { before, behind, widen } = typeof compiled === "string" ? { before: [compiled], behind: [] } : compiled;
  const conditions = [...before];
  let startsAt: number | undefined;
  if (given(request.after)) {
    const cursor = decodeCursor(request.after, key, print);
    conditions.push(after(params, key, cursor));
    if (typeof cursor[0] === "number") startsAt = cursor[0];
  }
  const asked = { select: kind.select, from: kind.from, key, limit: first + 1, startsAt };
  const widened = widen && ((from: string, more: readonly string[]) => widen(from, [...conditions, ...more]));
  const condition = all(widen === undefined ? [...conditions, ...behind] : behind);
  const question = { ...asked, condition, widen: widened };
  const rows = await answer(client, kind, question, params);
  return toPage(rows.map(kind.toRecord), first, given(request.after), (record) =>
    encodeCursor(
      key.map(({ sql: column }) => kind.keyOf(record, column)),
      print,
    ),
  );
}

async function answer<Rec>(client: Asked, kind: Kind<Rec>, question: Question, params: Params): Promise<WireRow[]> {
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
  return ask<WireRow>(client, name, "table" in narrow ? plain(question) : ofChosen(question, narrow), params);
}

/** Rows that will be merged into one count as several candidates. */
const SPARE = 2;
/** Of an index each candidate is a row of its own; some do not fulfil the filter. A second try takes many more. */
const SPARE_OF_INDEX = [1.2, 32];
/** In an index, as long as they are not merged. */
const ROWS_PER_KEY = 3;
/** With a condition, the store reads whole blocks of every part before it counts the rows of the page. */
const BLOCK_ROWS = 1_024;

interface Attempt {
  readonly sql: string;
  readonly candidates: number;
}

/**
 * How far the page can reach is said by the rows as they are in the table, before they are merged: by one column of
 * a few of them. A row that counts is among them.
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

/** FINAL merges whatever the condition leaves, all columns of it: so no more is left than the page can reach. */
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

/** The rows that the index names, as they are when merged. */
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
 * As withReach, of different keys; rows are read in the order of the index, no more than are needed. If there are fewer
 * keys, the reach is that of all rows: what counts of a key may be another row than its first.
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

/** The condition and the sort may take a few columns only: the others are read of the rows that were chosen by them. */
function ofChosen(question: Question, { columns, among }: ColumnsNarrow): string {
  const condition = among === undefined ? question.condition : `${question.condition} AND ${among}`;
  const chosen = plain({ ...question, select: columns, condition });
  return plain({ ...question, condition: `(${columns}) IN (${chosen})` });
}
