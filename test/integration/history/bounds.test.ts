// The limits of one operation in ClickHouse, over the HTTP face and the real store.
import { request } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { createParams } from "../../../projections/history/queries/params.ts";
import { ask } from "../../../projections/history/queries/run.ts";
import type { ApiContext } from "../../../services/api/graphql/context.ts";
import { formatError } from "../../../services/api/graphql/errors.ts";
import { type QueryBounds, querySettings } from "../../../services/api/read/history-client.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { createLog } from "../../../services/common/log.ts";
import { useStack } from "../../support/running/stack.ts";
import { createTestApi } from "../../unit/services/api/support.ts";
import { createDatabase, type Database, fillInAnyOrder } from "./database.ts";
import { createWorld, seeded, withOwnIds } from "./world.ts";

const { env, uniqueName } = useStack();
const world = createWorld(51);
let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  await fillInAnyOrder(database, world, seeded(52), 3);
});

const apiOf = (more: Readonly<Record<string, string>>, resolvers = {}) => {
  const { CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD } = env;
  const store = { CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, CLICKHOUSE_DATABASE: database.name };
  return createTestApi({ env: { ...store, ...more }, resolvers });
};

test("a list without `first` holds everything up to the objects that an operation may produce, and is refused beyond", async () => {
  const counted = withOwnIds(world).map((track) => ({
    track,
    count: world.detections.filter(({ trackId }) => trackId === track.trackId).length,
  }));
  const [most] = counted.sort((a, b) => b.count - a.count);
  if (most === undefined || most.count < 10) throw new Error("a world without detections");
  const query = "query ($id: ID!, $t: DateTimeOffset) { track(id: $id, timestamp: $t) { detections { id } } }";
  const variables = { id: most.track.trackId, t: new Date(most.track.startTime).toISOString() };

  const whole = await (await apiOf({ API_MAX_COST: "1000" })).ask(query, variables);
  expect(whole.body.data.track.detections).toHaveLength(most.count);
  const client = createClickHouse(database.config, database.name, { max_result_rows: String(most.count - 1) });
  const refused = await ask(client, "all", "SELECT 1 FROM detections_v1 FINAL", createParams()).catch((error) => error);
  await client.close();
  expect(shown(refused)).toMatchObject({ code: "BAD_USER_INPUT" });
});

const shown = (error: unknown) => formatError(error, createLog("test", "silent")).extensions;

const bounds: QueryBounds = {
  API_QUERY_MS: 20_000,
  API_QUERY_MEMORY_BYTES: 1_000_000_000,
  API_QUERY_READ_ROWS: 1_000_000_000,
  API_QUERY_RESULT_BYTES: 100_000_000,
  API_MAX_COST: 1_000,
};

test.each<[string, Partial<QueryBounds>, string, string]>([
  [
    "time",
    { API_QUERY_MS: 200 },
    "SELECT sum(sleepEachRow(0.1)) FROM numbers(60) SETTINGS max_block_size = 1",
    "QUERY_TOO_HEAVY",
  ],
  [
    "memory",
    { API_QUERY_MEMORY_BYTES: 20_000_000 },
    "SELECT length(groupArray(toString(number))) FROM numbers(5000000)",
    "QUERY_TOO_HEAVY",
  ],
  [
    "rows read",
    { API_QUERY_READ_ROWS: 1_000 },
    "SELECT count() FROM (SELECT sipHash64(number) AS x FROM numbers(100000)) WHERE x > 3",
    "BAD_USER_INPUT",
  ],
  [
    "buckets of all groups",
    {},
    "SELECT count() FROM (SELECT arrayJoin(range(20000 + number % 2)) FROM numbers(30000))",
    "BAD_USER_INPUT",
  ],
  ["rows of the answer", {}, "SELECT number FROM numbers(1001)", "BAD_USER_INPUT"],
  [
    "bytes of the answer",
    { API_QUERY_RESULT_BYTES: 1_000 },
    "SELECT repeat('x', 100 + number % 2) FROM numbers(100)",
    "BAD_USER_INPUT",
  ],
])("a question that exceeds its bound on %s is ended and refused", async (_case, given, sql, code) => {
  const client = createClickHouse(database.config, database.name, querySettings({ ...bounds, ...given }));

  const error = await ask(client, "too much", sql, createParams()).catch((thrown: unknown) => thrown);
  await client.close();

  // Without `retryAfterMs`: the same question would end in the same way.
  expect(shown(error)).toEqual({ code });
});

test("nothing can be written by what answers queries", async () => {
  const client = createClickHouse(database.config, database.name, querySettings(bounds));

  const command = client.command({ query: "TRUNCATE TABLE detections_v1" });
  await expect(command).rejects.toMatchObject({ code: "164" });
  await client.close();
});

test("the query of a client that is gone ends, that of another goes on", async () => {
  const mark = uniqueName("gone");
  const running = () =>
    ask<{ query: string }>(
      database.client,
      "running",
      `SELECT query FROM system.processes WHERE query LIKE '%${mark}-%'`,
      createParams(),
    ).then((rows) => rows.filter(({ query }) => !query.includes("system.processes")).length);
  const slow = (name: string) =>
    `SELECT sum(sleepEachRow(0.02)) AS ${name} FROM numbers(200) SETTINGS max_block_size = 1`;
  const zone = async (_root: unknown, { id }: { readonly id: string }, { history }: ApiContext) => {
    await ask(history.client, `${mark}-${id}`, slow(id), createParams());
    return null;
  };
  const { app, admin } = await apiOf({}, { Query: { zone } });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const post = (id: string) => {
    const headers = { ...admin, "content-type": "application/json" };
    const sent = request(`${app.listeningOrigin}/graphql`, { method: "POST", headers });
    sent.on("error", () => undefined);
    sent.end(JSON.stringify({ query: `{ zone(id: "${id}") { id } }` }));
    return sent;
  };
  const leaving = post("leaving");
  const staying = new Promise<number | undefined>((resolve) => {
    post("staying").on("response", (response) => resolve(response.resume().statusCode));
  });
  await expect.poll(running, { timeout: 20_000 }).toBe(2);

  leaving.destroy();

  await expect.poll(running, { timeout: 5_000 }).toBe(1);
  expect(await staying).toBe(200);
  await app.close();
});
