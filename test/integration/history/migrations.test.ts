import { expect, onTestFinished, test } from "vitest";
import { migrateDatabase } from "../../../services/projector/migrate-database.ts";
import { createDatabase, fillInAnyOrder } from "./database.ts";
import { inOrder, readEverything } from "./everything.ts";
import { createWorld, seeded } from "./world.ts";

test("migrations run again change nothing, even when nobody remembers that they have run", async () => {
  const database = await createDatabase();
  const { client, config, name } = database;
  const world = createWorld(71, 60);
  await fillInAnyOrder(database, world, seeded(72), 2);

  expect(await migrateDatabase(config, name)).toEqual([]);
  await client.command({ query: "TRUNCATE TABLE migrations_v1" });
  const again = await Promise.all([migrateDatabase(config, name), migrateDatabase(config, name)]);

  expect(again.flat()).toContain("001_create_detections_v1.sql");
  expect(inOrder(await readEverything(client))).toEqual(inOrder(world));
});

test("a database of another version is refused before anything in it is changed", async () => {
  const { client, config, name } = await createDatabase();
  const other = { name: "007_add_log_to_projector_positions_v1.sql" };
  await client.insert({ table: "migrations_v1", values: [other], format: "JSONEachRow" });

  await expect(migrateDatabase(config, name)).rejects.toThrow(`The database ${name} holds tables of another version`);
});

test("the databases of the tests are those that the migrations make", async () => {
  const { config } = await createDatabase();
  const { client, name } = await createDatabase();
  const migrated = `${name}_migrated`;
  onTestFinished(async () => void (await client.command({ query: `DROP DATABASE ${migrated}` })));
  expect(await migrateDatabase(config, name)).toEqual([]);
  await migrateDatabase(config, migrated);
  const tablesOf = async (database: string) => {
    const query = `SELECT create_table_query FROM system.tables WHERE database = '${database}' ORDER BY name`;
    const tables = await (await client.query({ query, format: "JSONEachRow" })).text();
    return tables.replaceAll(`${database}.`, "").split("\n");
  };

  expect(await tablesOf(name)).toEqual(await tablesOf(migrated));
});
