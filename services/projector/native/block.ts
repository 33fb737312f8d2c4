// The rows of a table as one block of ClickHouse's Native format: column by column, with the names and the types of the
// columns, so a server never takes a value for one of another column.
import type { TableRows } from "../../../projections/history/table.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { Bytes } from "./bytes.ts";
import type { ColumnType } from "./column-types.ts";

/** `types` are those of the table's columns, in their order. The same rows give the same bytes. */
export function writeBlock(bytes: Bytes, rows: TableRows, types: readonly ColumnType[]): void {
  const { name, columns } = rows.table;
  bytes.varint(columns.length);
  bytes.varint(rows.size);
  for (const [i, column] of columns.entries()) {
    const type = types[i];
    if (type === undefined) throw new TypeError(`${name}.${column} has no type`);
    bytes.text(column);
    bytes.text(type.name);
    try {
      type.write(bytes, rows.column(i));
    } catch (error) {
      throw new TypeError(`${name}.${column}: ${messageOf(error)}`);
    }
  }
}
