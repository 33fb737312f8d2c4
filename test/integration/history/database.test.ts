// Databases of tests are dropped, wherever they were made.
import { beforeAll, expect, test } from "vitest";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { createDatabase, type Database } from "./database.ts";

let ofFile: Database;
let ofTest: Database;

beforeAll(async () => {
  ofFile = await createDatabase();
});

const isThere = async ({ config, name }: Database): Promise<boolean> => {
  const client = createClickHouse({ ...config, CLICKHOUSE_DATABASE: "default" });
  try {
    const found = await client.query({ query: `EXISTS DATABASE ${name}`, format: "JSONEachRow" });
    return (await found.json<{ result: number }>())[0]?.result === 1;
  } finally {
    await client.close();
  }
};

test("a database that a test makes is there during the test", async () => {
  ofTest = await createDatabase();

  expect(await isThere(ofTest)).toBe(true);
});

test("it is dropped when that test has ended, and one of the file is not", async () => {
  expect([await isThere(ofTest), await isThere(ofFile)]).toEqual([false, true]);
});
