import type { ClickHouseClient } from "@clickhouse/client";
import { all, createParams, given, type Params } from "../filters/sql.ts";
import { after, decodeCursor, encodeCursor, fingerprint, type KeyPart, orderBy, toPage } from "./keyset.ts";
import type { Page, PageRequest } from "./records.ts";
import { ask } from "./run.ts";

/** What is particular to one kind of row. */
export interface Kind<Row, Record> {
  readonly name: string;
  /** Table or view, with FINAL where it is needed. */
  readonly from: string;
  readonly select: string;
  readonly toRecord: (row: Row) => Record;
  /** The values of the sort key's columns. */
  readonly keyOf: (record: Record, column: string) => string | number;
}

export async function page<Row, Rec, Filter, Sort>(
  client: ClickHouseClient,
  kind: Kind<Row, Rec>,
  request: PageRequest<Filter, Sort>,
  key: readonly KeyPart[],
  compile: (params: Params, filter: Filter) => string,
): Promise<Page<Rec>> {
  const { filter, first } = request;
  const print = fingerprint(filter, key);
  const params = createParams();
  const conditions = [compile(params, filter)];
  if (given(request.after)) conditions.push(after(params, key, decodeCursor(request.after, key, print)));
  const sql = `SELECT ${kind.select} FROM ${kind.from} WHERE ${all(conditions)}
    ORDER BY ${orderBy(key)} LIMIT ${params.bind("UInt32", first + 1)}`;
  const rows = await ask<Row>(client, kind.name, sql, params);
  return toPage(rows.map(kind.toRecord), first, given(request.after), (record) =>
    encodeCursor(
      key.map(({ sql: column }) => kind.keyOf(record, column)),
      print,
    ),
  );
}
