// The projector writes rows as blocks of the Native format. The tables must have the same bytes as after an insert of
// the same rows as JSON, whatever the values are.
import { expect, test } from "vitest";
import { detectionsTable } from "../../../projections/history/detections.ts";
import { historyKinds } from "../../../projections/history/kinds.ts";
import { columnTypesOf } from "../../../projections/history/queries/column-types.ts";
import {
  type Column,
  createTable,
  numberListsColumn,
  type Row,
  type Table,
  type TableRows,
} from "../../../projections/history/table.ts";
import { PermanentError } from "../../../services/common/permanent-errors.ts";
import { createHistoryStore, type ProjectedRange } from "../../../services/projector/history-store.ts";
import { howMany } from "../../support/random/how-many.ts";
import { createDatabase, type Database, setMerges } from "../history/database.ts";
import { type Random, seeded } from "../history/world.ts";
import { anyValue } from "./any-value.ts";

const tables = historyKinds.flatMap((kind) => kind.tables);
const covered: ProjectedRange = { topic: "any", partition: 0, logId: "any", rankBase: 0, first: 0, next: 1 };

function rowsOf({ name, columns }: Table, rows: readonly Row[]): TableRows {
  const column = (index: number): Column<Row> => ({
    from: (row) => row[index],
    ...(columns[index] === "rings" ? { read: numberListsColumn } : {}),
  });
  return createTable<Row>(name, Object.fromEntries(columns.map((each, i) => [each, column(i)]))).rowsOf(rows);
}

const inColumns = (all: readonly { table: Table; rows: readonly Row[] }[]): TableRows[] =>
  all.map(({ table, rows }) => rowsOf(table, rows));

async function anyRows({ client }: Database, random: Random, count: number) {
  const types = await columnTypesOf(
    client,
    tables.map(({ name }) => name),
  );
  return tables.map((table) => {
    const row = () => table.columns.map((column) => anyValue(types.get(table.name)?.get(column) ?? "", random));
    return { table, rows: Array.from({ length: count }, row) };
  });
}

async function insertAsJson(
  { client }: Database,
  all: readonly { table: Table; rows: readonly Row[] }[],
): Promise<void> {
  for (const { table, rows } of all) {
    await client.insert({
      table: table.name,
      columns: [...table.columns],
      values: rows,
      format: "JSONCompactEachRow",
      clickhouse_settings: {
        max_partitions_per_insert_block: "1000",
        // The projector inserts in this way. Every row is compared, not only the last of a key.
        optimize_on_insert: table.name === detectionsTable.name ? 0 : 1,
      },
    });
  }
}

/** All columns but the one that is the time of the insert, and those that the server computes as well. */
async function bytesOf({ client }: Database, { name }: Table): Promise<string> {
  const isTouched = name === "tracks_unsettled_v3" ? " EXCEPT touched_at" : "";
  const { stream } = await client.exec({
    query: `SELECT *${isTouched} FROM ${name} ORDER BY ALL SETTINGS asterisk_include_materialized_columns = 1 FORMAT RowBinary`,
  });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("hex");
}

test.for(Array.from({ length: howMany({ short: 1, full: 20 }) }, (_, i) => i + 1))(
  "any values are stored as those of JSON are, to the bit (seed %i)",
  async (seed) => {
    const [native, json] = [await createDatabase(), await createDatabase()];
    for (const database of [native, json]) await setMerges(database, "STOP");
    const all = await anyRows(native, seeded(seed), 100);

    await createHistoryStore(native.client).insert(inColumns(all), [covered]);
    await insertAsJson(json, all);

    for (const { table } of all) {
      const bytes = await bytesOf(native, table);
      expect(bytes, table.name).not.toBe("");
      expect(bytes === (await bytesOf(json, table)), `${table.name} has the bytes of JSON`).toBe(true);
    }
  },
);

test("a column keeps its distinct texts apart, however many there are", async () => {
  const table: Table = { name: "tracks_unsettled_v3", columns: ["data_source_id", "track_id"] };
  const { client } = await createDatabase();
  const { insert } = createHistoryStore(client);
  const counts = [256, 257, 65_536, 65_537];

  for (const count of counts) {
    const ids = Array.from({ length: count }, (_, i) => `${count} ${i}`);
    const twice = [...ids, ...ids].map((id) => [id, id]);
    await insert([rowsOf(table, twice)], [{ ...covered, first: count }]);
  }

  const query = `SELECT splitByChar(' ', track_id)[1] AS count, uniqExact(track_id) AS texts FROM ${table.name}
    WHERE data_source_id = track_id GROUP BY count ORDER BY texts`;
  const result = await client.query({ query, format: "JSONEachRow" });
  expect(await result.json()).toEqual(counts.map((count) => ({ count: String(count), texts: String(count) })));
});

test("a repeated insert adds no row", async () => {
  const database = await createDatabase();
  await setMerges(database, "STOP");
  const all = await anyRows(database, seeded(3), 5);
  const { insert } = createHistoryStore(database.client);

  await insert(inColumns(all), [covered]);
  const once = await Promise.all(tables.map((table) => bytesOf(database, table)));
  await insert(inColumns(all), [covered]);

  expect(await Promise.all(tables.map((table) => bytesOf(database, table)))).toEqual(once);
});

test("columns of the server that the projector does not know have their defaults, and other types get the values", async () => {
  const { client, layout } = await createDatabase();
  // On a cluster, the table of a shard as well as the one above it.
  for (const name of new Set([layout.storedName("measurements_v1"), "measurements_v1"])) {
    await client.command({ query: `ALTER TABLE ${name} ADD COLUMN unit String DEFAULT 'K' FIRST` });
    await client.command({ query: `ALTER TABLE ${name} MODIFY COLUMN value LowCardinality(String)` });
  }

  await createHistoryStore(client).insert([rowsOf(measurements(), [["s", 1, "id", "12.5", 2, 3, 4]])], [covered]);

  const query = "SELECT unit, sensor_id, measurement_id, value FROM measurements_v1";
  const result = await client.query({ query, format: "JSONEachRow" });
  expect(await result.json()).toEqual([{ unit: "K", sensor_id: "s", measurement_id: "id", value: "12.5" }]);
});

test.each([
  ["lacks a column", "RENAME COLUMN body TO text", "There is no column webhook_deliveries_v1.body"],
  ["has a type that it cannot write", "MODIFY COLUMN body FixedString(5)", "has the type FixedString(5)"],
])("a projector does not begin when a table %s", async (_name, change, text) => {
  const { client } = await createDatabase();
  await client.command({ query: `ALTER TABLE webhook_deliveries_v1 ${change}` });

  const failure = await createHistoryStore(client)
    .loadPositions("camera-log")
    .catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(PermanentError);
  expect(String(failure)).toContain(text);
});

function measurements(): Table {
  const table = tables.find(({ name }) => name === "measurements_v1");
  if (table === undefined) throw new Error("no table of measurements");
  return table;
}
