import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createClickHouse } from "../../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig } from "../../../../services/common/config.ts";

/** Answers each request with the next code of ClickHouse's errors, and then with success. */
async function serverThatAnswers(codes: number[]) {
  const addresses: URL[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      addresses.push(new URL(request.url ?? "/", "http://server"));
      const code = codes.shift();
      response.setHeader("X-ClickHouse-Summary", "{}");
      if (code === undefined) return void response.end();
      response.setHeader("X-ClickHouse-Exception-Code", code);
      response.statusCode = 500;
      response.end(`Code: ${code}. DB::Exception: no. (SOME_NAME) (version 26.7)\n`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const clientWith = (env: Readonly<Record<string, string>>) => {
    const client = createClickHouse(loadConfig(clickhouseEnv, { CLICKHOUSE_URL: `http://127.0.0.1:${port}`, ...env }));
    onTestFinished(async () => {
      await client.close();
      server.close();
    });
    return client;
  };
  return { addresses, clientWith };
}

const row = { table: "t", values: [{ a: 1 }], format: "JSONEachRow" } as const;
const CLUSTER = { CLICKHOUSE_CLUSTER: "tracklog" };
const settingsIn = ([address]: readonly URL[]): string[] =>
  [...(address?.searchParams.keys() ?? [])].filter((name) => !["database", "query", "query_id"].includes(name));

test("without a cluster a request has the settings that it always had", async () => {
  const { addresses, clientWith } = await serverThatAnswers([]);

  await clientWith({}).insert(row);

  expect(settingsIn(addresses)).toEqual(["async_insert", "output_format_json_quote_64bit_integers"]);
});

test("on a cluster an insert waits for a quorum of each shard, and a query for what was acknowledged", async () => {
  const { addresses, clientWith } = await serverThatAnswers([]);

  await clientWith(CLUSTER).insert(row);

  expect(Object.fromEntries(addresses[0]?.searchParams ?? [])).toMatchObject({
    insert_quorum: "auto",
    insert_quorum_parallel: "0",
    select_sequential_consistency: "1",
    distributed_foreground_insert: "1",
    distributed_product_mode: "local",
    skip_unavailable_shards: "0",
  });
});

test("an insert that another one keeps from its quorum is repeated", async () => {
  const { addresses, clientWith } = await serverThatAnswers([286, 286]);

  await clientWith(CLUSTER).insert(row);

  expect(addresses).toHaveLength(3);
});

test("rows that a query inserts are repeated like those of an insert, other commands are not", async () => {
  const { addresses, clientWith } = await serverThatAnswers([286, 286]);
  const client = clientWith(CLUSTER);

  await client.command({ query: "\n  INSERT INTO t (a) SELECT a FROM u" });

  expect(addresses).toHaveLength(3);

  const others = await serverThatAnswers([286]);
  await expect(others.clientWith(CLUSTER).command({ query: "OPTIMIZE TABLE t" })).rejects.toMatchObject({
    code: "286",
  });
  expect(others.addresses).toHaveLength(1);
});

test("an insert whose result is unknown is left to its caller, which has the same rows once more", async () => {
  const { addresses, clientWith } = await serverThatAnswers([319]);

  await expect(clientWith(CLUSTER).insert(row)).rejects.toMatchObject({ code: "319" });

  expect(addresses).toHaveLength(1);
});

test("without a cluster no insert is repeated by itself", async () => {
  const { addresses, clientWith } = await serverThatAnswers([286]);

  await expect(clientWith({}).insert(row)).rejects.toMatchObject({ code: "286" });

  expect(addresses).toHaveLength(1);
});
