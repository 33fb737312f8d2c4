// The features of ClickHouse that the services use, through the unmodified client: they are the same on the embedded
// engine and on a server.
import { Readable } from "node:stream";
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useStack } from "../../support/running/stack.ts";

const { env, uniqueName } = useStack();
const database = uniqueName("gateway");

const clientFor = (name: string): ClickHouseClient =>
  createClient({
    url: env.CLICKHOUSE_URL,
    username: env.CLICKHOUSE_USER,
    password: env.CLICKHOUSE_PASSWORD,
    database: name,
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    log: { level: ClickHouseLogLevel.OFF },
  });

const admin = clientFor("default");
const client = clientFor(database);

beforeAll(() => admin.command({ query: `CREATE DATABASE ${database}` }));

afterAll(async () => {
  await admin.command({ query: `DROP DATABASE ${database}` });
  await Promise.all([admin.close(), client.close()]);
});

async function createTable(columns: string, engine: string): Promise<string> {
  const table = uniqueName("t");
  await client.command({ query: `CREATE TABLE ${table} (${columns}) ENGINE = ${engine}` });
  return table;
}

async function rowsOf(query: string): Promise<unknown[]> {
  const result = await client.query({ query, format: "JSONEachRow" });
  return result.json();
}

test("JSON rows keep empty lines, quotes and backslashes", async () => {
  const table = await createTable("id UInt64, text String", "MergeTree ORDER BY id");
  const values = ["a\n\nb", "\n\n", "it's", "back\\slash", `note:\n\nDROP TABLE ${table};\n`, "żółw 🐢"].map(
    (text, index) => ({ id: String(index), text }),
  );

  await client.insert({ table, values, format: "JSONEachRow" });

  expect(await rowsOf(`SELECT * FROM ${table} ORDER BY id`)).toEqual(values);
});

test("an empty line in CSV is data, not the end of it", async () => {
  const table = await createTable("id UInt64, text String", "MergeTree ORDER BY id");
  const text = `note:\n\nDROP TABLE ${table};\n`;

  await client.insert({
    table,
    values: Readable.from([`1,"${text}"\n2,"after"\n`], { objectMode: false }),
    format: "CSV",
  });

  expect(await rowsOf(`SELECT * FROM ${table} ORDER BY id`)).toEqual([
    { id: "1", text },
    { id: "2", text: "after" },
  ]);
});

test("two line feeds in a binary number are a number", async () => {
  const table = await createTable("id UInt16", "MergeTree ORDER BY id");
  const numbers = Uint16Array.of(1, 0x0a0a, 0x0a0a, 7);

  const { stream } = await client.exec({
    query: `INSERT INTO ${table} FORMAT RowBinary`,
    values: Readable.from([Buffer.from(numbers.buffer)], { objectMode: false }),
  });
  stream.destroy();

  expect(await rowsOf(`SELECT count() AS rows, countIf(id = 2570) AS lines FROM ${table}`)).toEqual([
    { rows: "4", lines: "2" },
  ]);
});

test("an INSERT with settings before its format keeps them on both ways in", async () => {
  const table = await createTable(
    "id UInt64, text String",
    "MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 10",
  );
  const insert = async (text: string, token: string) => {
    const { stream } = await client.exec({
      query: `INSERT INTO ${table} SETTINGS insert_deduplication_token = '${token}' FORMAT CSV`,
      values: Readable.from([`1,"${text}"\n`], { objectMode: false }),
    });
    stream.destroy();
  };

  for (const text of ["plain", "empty\n\nline"]) {
    await insert(text, text.slice(0, 5));
    await insert(text, text.slice(0, 5));
  }

  expect(await rowsOf(`SELECT count() AS rows FROM ${table}`)).toEqual([{ rows: "2" }]);
});

test("typed parameters arrive as they were, also arrays, maps, times and NULL", async () => {
  const result = await client.query({
    query: `SELECT {text:String} AS text, {list:Array(String)} AS list, {map:Map(String, UInt32)} AS map,
                   {at:DateTime64(3)} AS at, {none:Nullable(String)} AS none`,
    query_params: {
      text: "it's\n\n\\ {x}",
      list: ["x'", "y\\", "tab\tand\nline"],
      map: { cam: 1 },
      at: new Date("2026-01-01T00:00:00.123Z"),
      none: null,
    },
    format: "JSONEachRow",
    clickhouse_settings: { session_timezone: "UTC" },
  });

  expect(await result.json()).toEqual([
    {
      text: "it's\n\n\\ {x}",
      list: ["x'", "y\\", "tab\tand\nline"],
      map: { cam: 1 },
      at: "2026-01-01 00:00:00.123",
      none: null,
    },
  ]);
});

test("parameters too long for an address come in the body", async () => {
  const list = Array.from({ length: 5_000 }, (_, index) => `camera-${index}`);

  const result = await client.query({
    query: "SELECT length({list:Array(String)}) AS length",
    query_params: { list },
    use_multipart_params: true,
    format: "JSONEachRow",
  });

  expect(await result.json()).toEqual([{ length: "5000" }]);
});

test("parameters may be longer together than a text, but not each of them nor in number", async () => {
  const query = (params: Record<string, unknown>) =>
    client
      .query({
        query: `SELECT ${Object.keys(params)
          .map((name) => `length({${name}:String})`)
          .join(" + ")} AS n`,
        query_params: params,
        use_multipart_params_auto: true,
        format: "JSONEachRow",
      })
      .then((result) => result.json());
  const many = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, value]));

  expect(await query(many(8, "x".repeat(100_000)))).toEqual([{ n: "800000" }]);
  await expect(query({ v: "x".repeat(140_000) })).rejects.toMatchObject({ code: "1000" });
  await expect(query(many(1_001, "x"))).rejects.toMatchObject({ code: "1000" });
});

test("settings and parameters of one request are unknown to the next", async () => {
  await client.query({ query: "SELECT 1", clickhouse_settings: { max_result_rows: "1" }, query_params: { x: 1 } });

  expect(await rowsOf("SELECT number FROM numbers(2)")).toHaveLength(2);
  await expect(rowsOf("SELECT {x:UInt8}")).rejects.toMatchObject({ code: "456" });
});

test("several statements in one text are refused and none is run", async () => {
  const table = await createTable("id UInt64", "MergeTree ORDER BY id");

  await expect(client.command({ query: `SELECT 1; DROP TABLE ${table}` })).rejects.toMatchObject({ code: "62" });
  await expect(client.command({ query: `SELEC 1; DROP TABLE ${table}` })).rejects.toMatchObject({ code: "62" });

  expect(await rowsOf(`SELECT count() AS rows FROM ${table}`)).toEqual([{ rows: "0" }]);
});

test("a failed query leaves no rows to the next", async () => {
  const failing = "SELECT throwIf(number = 3) AS x FROM numbers(10) SETTINGS max_block_size = 1";

  for (let round = 0; round < 10; round++) {
    await expect(rowsOf(failing)).rejects.toMatchObject({ code: "395" });
    expect(await rowsOf("SELECT 7 AS x")).toEqual([{ x: 7 }]);
  }
});

test("errors carry the code and the type of the engine", async () => {
  await expect(rowsOf("SELECT * FROM nowhere")).rejects.toMatchObject({ code: "60", type: "UNKNOWN_TABLE" });
  await expect(clientFor("no_such_database").command({ query: "SELECT 1" })).rejects.toMatchObject({ code: "81" });
});

test("a token keeps a repeated insert out", async () => {
  const table = await createTable(
    "id UInt64",
    "MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 100",
  );
  const insert = (id: number, token: string) =>
    client.insert({
      table,
      values: [{ id }],
      format: "JSONEachRow",
      clickhouse_settings: { insert_deduplication_token: token },
    });

  await insert(1, "first");
  await insert(1, "first");
  await insert(1, "second");

  expect(await rowsOf(`SELECT count() AS rows FROM ${table}`)).toEqual([{ rows: "2" }]);
});

test("ReplacingMergeTree with FINAL gives the newest version before any merge", async () => {
  const table = await createTable("id UInt64, name String, version UInt64", "ReplacingMergeTree(version) ORDER BY id");
  for (const [name, version] of [
    ["new", 2],
    ["old", 1],
  ] as const) {
    await client.insert({ table, values: [{ id: 1, name, version }], format: "JSONEachRow" });
  }

  expect(await rowsOf(`SELECT name FROM ${table} FINAL`)).toEqual([{ name: "new" }]);
});

test("AggregatingMergeTree folds simple aggregates and a mutation ends", async () => {
  const table = await createTable(
    "id UInt64, last SimpleAggregateFunction(max, UInt32), total SimpleAggregateFunction(sum, UInt64)",
    "AggregatingMergeTree ORDER BY id",
  );
  for (const last of [3, 9, 5]) {
    await client.insert({ table, values: [{ id: 1, last, total: 1 }], format: "JSONEachRow" });
  }

  expect(await rowsOf(`SELECT last, total FROM ${table} FINAL`)).toEqual([{ last: 9, total: "3" }]);
  await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
  await client.command({
    query: `ALTER TABLE ${table} DELETE WHERE id = 1`,
    clickhouse_settings: { mutations_sync: "1" },
  });
  expect(await rowsOf(`SELECT * FROM ${table}`)).toEqual([]);
});

test("whole numbers above 2^53 keep their digits", async () => {
  expect(await rowsOf("SELECT toUInt64('18446744073709551615') AS big")).toEqual([{ big: "18446744073709551615" }]);
});
