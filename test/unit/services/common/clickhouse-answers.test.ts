// A proxy between a client and ClickHouse may answer in its place.
import { createServer, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createParams } from "../../../../projections/history/queries/params.ts";
import { ask } from "../../../../projections/history/queries/run.ts";
import { createClickHouse } from "../../../../services/common/clickhouse.ts";
import { insertBytes } from "../../../../services/common/clickhouse-insert.ts";
import { clickhouseEnv, loadConfig } from "../../../../services/common/config.ts";
import { verdictOf } from "../../../../services/common/store-away.ts";

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** Resolves with a client of a server that answers everything alike. */
async function clientOf({ status, body, headers = {} }: Answer) {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = createClickHouse(loadConfig(clickhouseEnv, { CLICKHOUSE_URL: `http://127.0.0.1:${port}` }));
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  return client;
}

type Client = Awaited<ReturnType<typeof clientOf>>;

const queried = (client: Client) => ask(client, "one", "SELECT 1", createParams());
const inserted = (client: Client) => client.insert({ table: "t", values: [[1]], format: "JSONCompactEachRow" });
const commanded = (client: Client) => client.command({ query: "ALTER TABLE t DROP PARTITION 1" });
const insertedAsBytes = (client: Client) =>
  insertBytes(client, { table: "t", columns: ["a"], format: "Native", bytes: Buffer.from("x"), settings: {} });
const requests = { queried, inserted, insertedAsBytes, commanded };

const pages: readonly Answer[] = [
  { status: 200, body: "<html>maintenance</html>" },
  { status: 200, body: "" },
  { status: 403, body: "<html>not for you</html>" },
  { status: 502, body: "Bad Gateway" },
  { status: 503, body: "<html>Service Unavailable</html>" },
  { status: 504, body: "" },
];

test.each(pages.flatMap((page) => Object.entries(requests).map(([name, request]) => ({ ...page, name, request }))))(
  "a page with status $status and body '$body' in place of ClickHouse's answer is a store that is away ($name)",
  async ({ request, ...page }) => {
    const failure = await request(await clientOf(page)).catch((error: unknown) => error);

    expect(verdictOf(failure)).toBe("away");
  },
);

test("a page of megabytes does not go into the log", async () => {
  const failure = await queried(await clientOf({ status: 502, body: "x".repeat(1_000_000) })).catch(String);

  expect(JSON.stringify(failure).length).toBeLessThan(500);
});

test.each([
  ["in the usual form", "Code: 62. DB::Exception: Syntax error: failed at position 1. (SYNTAX_ERROR) (version 25.8)"],
  ["in a form that the client does not read", "Poco::Exception. Code: 1000, e.code() = 0, HTML Form Exception"],
])("a mistake that ClickHouse states %s stays one", async (_name, body) => {
  const failure = await queried(await clientOf({ status: 400, body })).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(Error);
  expect(verdictOf(failure)).toBe("mistake");
});

test("an empty answer of ClickHouse is an empty result", async () => {
  const headers = { "X-ClickHouse-Query-Id": "1" };

  expect(await queried(await clientOf({ status: 200, body: "", headers }))).toEqual([]);
});

test("an insert of nothing asks nobody", async () => {
  const client = await clientOf({ status: 503, body: "" });

  expect(await client.insert({ table: "t", values: [] })).toMatchObject({ executed: false });
});
