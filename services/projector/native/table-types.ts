// The types of the columns that the projector writes, as the tables of its database have them.
import { historyKinds } from "../../../projections/history/kinds.ts";
import { columnTypesOf } from "../../../projections/history/queries/column-types.ts";
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import type { Table } from "../../../projections/history/table.ts";
import { PermanentError } from "../../common/permanent-errors.ts";
import { type ColumnType, columnType } from "./column-types.ts";

/** The types of a table's columns, in the order of the columns, by the table's name. */
export type TableTypes = ReadonlyMap<string, readonly ColumnType[]>;

const written: readonly Table[] = historyKinds.flatMap(({ tables }) => tables);

/**
 * Rejects with PermanentError when a table lacks a column, or has one of a type that the projector cannot write. A
 * table that does not exist may still be created.
 */
export async function tableTypes(client: QueryClient): Promise<TableTypes> {
  const found = await columnTypesOf(
    client,
    written.map(({ name }) => name),
  );
  return new Map(
    written.map(({ name, columns }) => {
      const types = found.get(name);
      if (types === undefined) throw new Error(`The table ${name} does not exist yet: run npm run migrate.`);
      return [name, columns.map((column) => typeOf(`${name}.${column}`, types.get(column)))];
    }),
  );
}

function typeOf(column: string, name: string | undefined): ColumnType {
  if (name === undefined) throw new PermanentError(`There is no column ${column}: run npm run migrate.`);
  const type = columnType(name);
  if (type !== undefined) return type;
  throw new PermanentError(`The column ${column} has the type ${name}, which the projector cannot write.`);
}
