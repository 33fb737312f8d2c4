import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { historyKinds } from "../../../../../projections/history/kinds.ts";
import { layoutOf, oneServer } from "../../../../../projections/history/layout/layout.ts";
import { placedTables, shardOf } from "../../../../../projections/history/layout/placement.ts";
import { readText } from "../../../../structure/repository.ts";

const FOLDER = "projections/history/migrations";
const migrations = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .map((name) => ({ name, statement: readText(`${FOLDER}/${name}`) }));
const layout = layoutOf({ cluster: "tracklog", database: "db" });

const createsTable = /^CREATE TABLE IF NOT EXISTS (\w+)/m;
const tables = migrations.flatMap(({ statement }) => {
  const [, table] = createsTable.exec(statement) ?? [];
  return table === undefined ? [] : [{ table, statement }];
});

test("without a cluster every statement stays as it is, and so do the system tables", () => {
  for (const { statement } of migrations) expect(oneServer.statements(statement)).toEqual([statement]);
  expect(layoutOf({ cluster: "", database: "db" })).toBe(oneServer);
  expect([oneServer.parts, oneServer.mutations]).toEqual(["system.parts", "system.mutations"]);
  expect([oneServer.isOwn, oneServer.storedName("t")]).toEqual(["database = currentDatabase()", "t"]);
});

test.each(migrations)("$name has a form in which all servers carry it out", ({ statement }) => {
  const forms = layout.statements(statement);

  const isInsert = /^INSERT INTO /m.test(statement);
  for (const form of forms) expect(form.includes(" ON CLUSTER 'tracklog'")).toBe(!isInsert);
});

test.each(tables)("$table is replicated within its shard, and Distributed above", ({ table, statement }) => {
  const [local = "", above = "", ...more] = layout.statements(statement);

  expect(more).toEqual([]);
  expect(local).toContain(`CREATE TABLE IF NOT EXISTS ${table}_local ON CLUSTER 'tracklog'`);
  expect(local).toMatch(
    /ENGINE = Replicated(Replacing|Aggregating|)MergeTree\('\/clickhouse\/tables\/\{shard\}\/\{database\}\/\{table\}', '\{replica\}'/,
  );
  expect(local).not.toContain("non_replicated");
  expect(above).toBe(
    `CREATE TABLE IF NOT EXISTS ${table} ON CLUSTER 'tracklog' AS ${table}_local
    ENGINE = Distributed('tracklog', 'db', '${table}_local', ${shardOf(table)})`,
  );
  // Nothing else of the statement has changed.
  const undone = local
    .replace("_local ON CLUSTER 'tracklog'", "")
    .replace(/Replicated(\w*)\('[^']*', '\{replica\}'(, )?/, (_all, engine, more) => (more ? `${engine}(` : engine))
    .replace(/(ENGINE = \w+)\)/, "$1")
    .replace("replicated_deduplication", "non_replicated_deduplication");
  expect(undone).toBe(statement.trim());
});

test("rows that replace each other lie on one shard, because the shard follows from the table's key", () => {
  // The id of an intersection derives from its track.
  const derived = { zone_intersections_v1: "intersection_id", geofence_intersections_v1: "intersection_id" };
  const keyOf = (statement: string) => /^ORDER BY \(?([^)\n]*)\)?$/m.exec(statement)?.[1]?.split(", ") ?? [];
  for (const { table, statement } of tables) {
    const [column = ""] = /\w+_id\b|\btopic\b/.exec(shardOf(table)) ?? [];
    const wanted = new Map(Object.entries(derived)).get(table) ?? (table === "images_v1" ? "source_key" : column);
    if (shardOf(table) !== "0") expect([table, keyOf(statement)]).toEqual([table, expect.arrayContaining([wanted])]);
  }
});

test("every table that is written has a place, and no place is without a table", () => {
  const written = historyKinds.flatMap((kind) => kind.tables.map(({ name }) => name));

  expect(placedTables).toEqual(expect.arrayContaining(written));
  expect([...placedTables].toSorted()).toEqual([...tables.map(({ table }) => table), "migrations_v1"].toSorted());
  expect(() => shardOf("another_v1")).toThrow("has no place on a cluster");
});

test("a view lies on each shard, over the shard's table, and is Distributed above", () => {
  const [local, above] = layout.statements(
    "-- Why.\nCREATE VIEW IF NOT EXISTS tracks_current_v1 AS\nSELECT 1\nFROM tracks_v1 FINAL",
  );

  expect(local).toBe(
    "-- Why.\nCREATE VIEW IF NOT EXISTS tracks_current_v1_local ON CLUSTER 'tracklog' AS\nSELECT 1\nFROM tracks_v1_local FINAL",
  );
  expect(above).toContain("ENGINE = Distributed('tracklog', 'db', 'tracks_current_v1_local')");
});

test("rows and partitions are removed from the shards", () => {
  const condition = "(data_source_id) IN (SELECT data_source_id FROM tracks_to_delete_v1 WHERE run = {p1:String})";

  expect(layout.statements(`DELETE FROM tracks_v1 WHERE ${condition}`)).toEqual([
    `DELETE FROM tracks_v1_local ON CLUSTER 'tracklog' WHERE ${condition.replace("_v1", "_v1_local")}`,
  ]);
  expect(layout.statements("ALTER TABLE tracks_v1 DROP PARTITION ID '202001'")).toEqual([
    "ALTER TABLE tracks_v1_local ON CLUSTER 'tracklog' DROP PARTITION ID '202001'",
  ]);
});

test("a column is added to the shards first, so that the table above never reads one that is missing", () => {
  expect(layout.statements("ALTER TABLE videos_v1\n    ADD COLUMN IF NOT EXISTS a String")).toEqual([
    "ALTER TABLE videos_v1_local ON CLUSTER 'tracklog'\n    ADD COLUMN IF NOT EXISTS a String",
    "ALTER TABLE videos_v1 ON CLUSTER 'tracklog'\n    ADD COLUMN IF NOT EXISTS a String",
  ]);
});

test("a statement without a form is refused", () => {
  for (const statement of ["ALTER TABLE videos_v1 DROP COLUMN a", "DROP TABLE videos_v1", "-- CREATE VIEW\nSELECT 1"])
    expect(() => layout.statements(statement)).toThrow("has no form on a cluster");
});
