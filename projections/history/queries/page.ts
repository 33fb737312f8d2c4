import { decodeCursor, encodeCursor, fingerprint, toPage } from "../../cursors.ts";
import { all, createParams, given, type Params } from "../../filters/sql/sql.ts";
import type { WireRow } from "../table.ts";
import { after, type KeyPart, orderBy } from "./keyset.ts";
import type { Page, PageRequest } from "./records.ts";
import { type Asked, ask } from "./run.ts";

/** What is particular to one kind of row. */
export interface Kind<Record> {
  readonly name: string;
  /** Table or view, with FINAL where it is needed. */
  readonly from: string;
  /**
   * How a page reads few rows in full. A table: `from` without FINAL, for kinds whose sort columns all belong to the
   * table's key, so that rows to be merged agree in them. Columns: those that identify a row, for other kinds. Without
   * it all rows that fulfil the condition are read in full, which is best for few.
   */
  readonly narrow?: { readonly table: string } | { readonly columns: string };
  readonly select: string;
  readonly toRecord: (row: WireRow) => Record;
  /** The values of the sort key's columns. */
  readonly keyOf: (record: Record, column: string) => string | number;
}

interface Question {
  readonly select: string;
  readonly from: string;
  readonly condition: string;
  readonly key: readonly KeyPart[];
  readonly limit: number;
}

export async function page<Rec, Filter, Sort>(
  client: Asked,
  kind: Kind<Rec>,
  request: PageRequest<Filter, Sort>,
  key: readonly KeyPart[],
  compile: (params: Params, filter: Filter) => string,
): Promise<Page<Rec>> {
  const { filter, first } = request;
  const print = fingerprint(filter, key);
  const params = createParams();
  const conditions = [compile(params, filter)];
  if (given(request.after)) conditions.push(after(params, key, decodeCursor(request.after, key, print)));
  const question = { select: kind.select, from: kind.from, condition: all(conditions), key, limit: first + 1 };
  const rows = await answer(client, kind, question, params);
  return toPage(rows.map(kind.toRecord), first, given(request.after), (record) =>
    encodeCursor(
      key.map(({ sql: column }) => kind.keyOf(record, column)),
      print,
    ),
  );
}

async function answer<Rec>(
  client: Asked,
  { name, narrow }: Kind<Rec>,
  question: Question,
  params: Params,
): Promise<WireRow[]> {
  if (narrow === undefined) return ask<WireRow>(client, name, plain(question), params);
  if ("columns" in narrow) return ask<WireRow>(client, name, ofChosen(question, narrow.columns), params);
  const candidates = question.limit * SPARE;
  const sql = upToBound(question, narrow.table, candidates);
  const rows = await ask<WireRow & { readonly candidates: string }>(client, name, sql, params);
  const [row] = rows;
  const isWhole = rows.length === question.limit || (row !== undefined && Number(row.candidates) < candidates);
  return isWhole ? rows : ask<WireRow>(client, name, plain(question), params);
}

/** Rows that are to be merged into one count as several candidates; rarely does that leave too few. */
const SPARE = 2;

const plain = ({ select, from, condition, key, limit }: Question): string =>
  `SELECT ${select} FROM ${from} WHERE ${condition} ORDER BY ${orderBy(key)} LIMIT ${limit}`;

/**
 * FINAL merges whatever the condition leaves, all columns of it. So first the unmerged rows say, by one column, how far
 * the page can reach; a row that counts is among them, because it stands in the table as it is.
 */
function upToBound(question: Question, table: string, candidates: number): string {
  const [lead] = question.key;
  if (lead === undefined) return plain(question);
  const [last, operator] = lead.direction === "ASC" ? ["max", "<="] : ["min", ">="];
  const reach = `SELECT (${last}(lead), count()) FROM (
    SELECT ${lead.sql} AS lead FROM ${table} WHERE ${question.condition}
    ORDER BY ${lead.sql} ${lead.direction} LIMIT ${candidates})`;
  const select = `${question.select}, reach.2 AS candidates`;
  return `WITH (${reach}) AS reach
    ${plain({ ...question, select, condition: `${question.condition} AND ${lead.sql} ${operator} reach.1` })}`;
}

/** The condition and the sort may take a few columns only: the others are read of the rows that were chosen by them. */
function ofChosen(question: Question, columns: string): string {
  const chosen = plain({ ...question, select: columns });
  return plain({ ...question, condition: `(${columns}) IN (${chosen})` });
}
