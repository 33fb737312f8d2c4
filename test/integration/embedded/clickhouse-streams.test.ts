import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { afterAll, expect, test } from "vitest";
import { STREAM_HEADER } from "../../../services/embedded/clickhouse-gateway/request.ts";
import { useStack } from "../../support/running/stack.ts";

const { env, uniqueName } = useStack();
const client: ClickHouseClient = createClient({
  url: env.CLICKHOUSE_URL,
  username: env.CLICKHOUSE_USER,
  password: env.CLICKHOUSE_PASSWORD,
  log: { level: ClickHouseLogLevel.OFF },
});
const streamed = { http_headers: { [STREAM_HEADER]: "1" } };

afterAll(() => client.close());

/** Numbers of queries that run with this mark in their text. */
async function running(mark: string): Promise<number> {
  const result = await client.query({
    query:
      "SELECT count() AS queries FROM system.processes WHERE position(query, {mark:String}) > 0 AND query NOT LIKE '%system.processes%'",
    query_params: { mark },
    format: "JSONEachRow",
  });
  const [row] = await result.json<{ queries: string | number }>();
  return Number(row?.queries);
}

const endless = (mark: string) =>
  `SELECT /* ${mark} */ count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))`;

test("a long answer comes row by row and complete", async () => {
  const result = await client.query({
    query: "SELECT number FROM numbers(300000)",
    format: "JSONEachRow",
    ...streamed,
  });
  let rows = 0;
  let sum = 0;

  for await (const chunk of result.stream<{ number: string | number }>()) {
    for (const row of chunk) {
      rows++;
      sum += Number(row.json().number);
    }
  }

  expect({ rows, sum }).toEqual({ rows: 300_000, sum: (299_999 * 300_000) / 2 });
});

/** Reads rows until the query throws at the given row. */
async function readUntilFailure(row: number): Promise<void> {
  const result = await client.query({
    query: "SELECT throwIf(number = {row:UInt32}) AS x, repeat('x', 20) AS text FROM numbers(1000000)",
    query_params: { row },
    format: "JSONEachRow",
    clickhouse_settings: { max_block_size: "100" },
    ...streamed,
  });
  for await (const _ of result.stream()) {
    // Only the end matters.
  }
}

test("an error after some rows ends the stream with its code", async () => {
  await expect(readUntilFailure(500)).rejects.toMatchObject({ code: "395" });
});

test("an error after many rows is never taken for the end of the answer", async () => {
  // The client finds the code only if the error arrives in one piece; many rows before it do not ensure that.
  await expect(readUntilFailure(500_000)).rejects.toThrow();
});

test("aborting a query ends it in the engine", async () => {
  const mark = uniqueName("aborted");
  const abort = new AbortController();
  const answer = client
    .query({
      query: endless(mark),
      abort_signal: abort.signal,
      clickhouse_settings: { cancel_http_readonly_queries_on_client_close: 1 },
    })
    .catch((error: unknown) => error);
  await expect.poll(() => running(mark), { timeout: 20_000 }).toBe(1);

  abort.abort();

  await expect.poll(() => running(mark), { timeout: 20_000 }).toBe(0);
  expect(await answer).toBeInstanceOf(Error);
});

test("aborted and abandoned queries give their places back", async () => {
  for (let round = 0; round < 3; round++) {
    const mark = uniqueName("abandoned");
    const aborts = Array.from({ length: 4 }, () => new AbortController());
    const answers = aborts.map(({ signal }) =>
      client.query({ query: endless(mark), abort_signal: signal }).catch(() => {}),
    );
    for (const abort of aborts) abort.abort();
    await Promise.all(answers);
    const result = await client.query({
      query: "SELECT number FROM numbers(5000000)",
      format: "JSONEachRow",
      ...streamed,
    });
    for await (const _ of result.stream()) break;
  }

  const answers = await Promise.all(
    Array.from({ length: 12 }, async () =>
      (await client.query({ query: "SELECT 1 AS x", format: "JSONEachRow" })).json(),
    ),
  );

  expect(answers).toHaveLength(12);
});

test("a quick query does not wait for a slow one", async () => {
  const mark = uniqueName("slow");
  const abort = new AbortController();
  const slow = client.query({ query: endless(mark), abort_signal: abort.signal }).catch(() => "aborted");
  await expect.poll(() => running(mark), { timeout: 20_000 }).toBe(1);

  const quick = await client.query({ query: "SELECT 1 AS x", format: "JSONEachRow" });

  expect(await quick.json()).toEqual([{ x: 1 }]);
  expect(await running(mark)).toBe(1);
  abort.abort();
  expect(await slow).toBe("aborted");
});
