import { afterAll, beforeAll, expect, test } from "vitest";
import { readMessage } from "../../../schemas/read-message.ts";
import { stoppedKey } from "../../../schemas/records/subscription.ts";
import { until } from "../../support/running/processes.ts";
import { useRedis } from "../../support/running/redis.ts";
import { subscriptionBody } from "../../support/scenes/subscription-body.ts";
import { createStateApi } from "./services.ts";

const { client: redis } = useRedis("subscriptions", 1);
let api: Awaited<ReturnType<typeof createStateApi>>;

beforeAll(async () => {
  api = await createStateApi({ STATE_API_MAX_SUBSCRIPTIONS_PER_TOKEN: "10", STATE_API_MAX_SUBSCRIPTIONS: "12" });
});

afterAll(() => api.stop());

const body = (given: object = {}) => subscriptionBody(api.token, given);
const post = (id: string, given: object = {}) => api.ask("POST", `/api/subscriptions/${id}`, body(given));

const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

test("a subscription is created, shown, replaced and deleted", async () => {
  const created = await post("gate%2F1", { workflow_id: "w", more: 1 });

  expect(created.status).toBe(201);
  expect(created.headers.get("location")).toBe("/api/subscriptions/gate%2F1");
  const { secret: shown, ...kept } = created.body;
  expect(Buffer.from(shown.replace("whsec_", ""), "base64")).toHaveLength(32);
  expect(kept).toEqual({
    id: "gate/1",
    webhook_url: "https://hooks.example.com/a",
    workflow_name: "A",
    workflow_id: "w",
    mode: "streaming",
    signal_type: "track_state",
    filters: {
      ...{
        datasource_ids: [],
        tags: [],
        zone_ids: [],
        site_id: null,
        site_ids: [],
        chronicle_ids: [],
        producer_ids: [],
      },
      ...{ tag_ids: [], point_of_interest_ids: [], labels: [], locations: [], statuses: [], priorities: [] },
    },
    zone_emit_mode: "all",
    heartbeat_seconds: 30,
    batch_interval: 30,
    pixel_proximity_threshold: 50,
    geo_proximity_threshold_m: 5,
    trigger_on: ["chronicle_created", "chronicle_updated", "chronicle_closed"],
    credentials: {
      graphql_url: null,
      ws_url: null,
      x_token_id: api.token["x-token-id"],
      x_token_value: "********",
    },
    status: "active",
    stopped_reason: null,
    stopped_detail: null,
    stopped_at: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect((await api.ask("GET", "/api/subscriptions/gate%2F1")).body).toEqual(kept);

  const replaced = await post("gate%2F1", { mode: "batch", signal_type: null });

  expect(replaced.status).toBe(200);
  expect(replaced.body).toMatchObject({ mode: "batch", workflow_id: null, created_at: kept.created_at });
  expect(replaced.body).not.toHaveProperty("secret");

  expect(await api.ask("DELETE", "/api/subscriptions/gate%2F1")).toMatchObject({ status: 204, body: undefined });
  // The process that delivers its signals can see the deletion at once.
  expect(await redis.keys(`${api.installation.namespace}:wh:*:deleted:*/gate/1`)).toHaveLength(1);
  expect(await api.ask("GET", "/api/subscriptions/gate%2F1")).toMatchObject({ status: 404 });
  expect(await api.ask("DELETE", "/api/subscriptions/gate%2F1")).toMatchObject({ status: 404 });
  expect(await api.ask("POST", "/api/subscriptions/gate%2F1/rotate-secret")).toMatchObject({ status: 404 });
});

test("with If-None-Match: * a subscription is created, and an existing one stays as it is", async () => {
  const ifNew = { ...api.token, "if-none-match": "*" };
  const create = (given: object = {}) => api.ask("POST", "/api/subscriptions/only-new", body(given), ifNew);

  expect((await create()).status).toBe(201);
  const before = await api.ask("GET", "/api/subscriptions/only-new");
  const refused = await create({ workflow_name: "Another one" });

  expect(refused.status).toBe(412);
  expect(refused.body).toMatchObject({
    type: "urn:tracklog:problem:precondition-failed",
    detail: "there is a subscription only-new already",
  });
  expect((await api.ask("GET", "/api/subscriptions/only-new")).body).toEqual(before.body);
  await api.ask("DELETE", "/api/subscriptions/only-new");
  expect((await create()).status).toBe(201);
  await api.ask("DELETE", "/api/subscriptions/only-new");
});

test("another condition than * is refused, and creates nothing", async () => {
  const headers = { ...api.token, "if-none-match": '"1"' };

  const refused = await api.ask("POST", "/api/subscriptions/conditional", body(), headers);

  expect(refused.status).toBe(400);
  expect(refused.body.errors).toEqual([
    { pointer: "#/headers/if-none-match", detail: "only * is known: subscriptions have no versions to compare" },
  ]);
  expect((await api.ask("GET", "/api/subscriptions/conditional")).status).toBe(404);
});

test("a subscription after a deletion is another one, with another secret", async () => {
  const first = await post("again");
  await api.ask("DELETE", "/api/subscriptions/again");

  const second = await post("again");

  expect(second.status).toBe(201);
  expect(second.body.secret).not.toBe(first.body.secret);
});

test("a rotated secret is valid for a day more, and a given one is taken", async () => {
  const created = await post("rotated", { webhook_secret: secret });
  expect(created.body.secret).toBe(secret);
  const before = Date.now();

  const rotated = await api.ask("POST", "/api/subscriptions/rotated/rotate-secret");

  expect(rotated.status).toBe(200);
  expect(rotated.body.secret).not.toBe(secret);
  const day = 86_400_000;
  expect(Date.parse(rotated.body.previous_valid_until)).toBeGreaterThanOrEqual(before + day);
  expect(Date.parse(rotated.body.previous_valid_until)).toBeLessThanOrEqual(Date.now() + day);

  for (let i = 0; i < 3; i++) {
    expect(await api.ask("POST", "/api/subscriptions/rotated/rotate-secret")).toMatchObject({ status: 200 });
  }
  expect(await api.ask("POST", "/api/subscriptions/rotated/rotate-secret")).toMatchObject({ status: 409 });
  const back = await post("rotated", { webhook_secret: secret });
  expect(back.status).toBe(200);
});

test("neither a secret nor the value of a token is readable in the log", async () => {
  await post("sealed", { webhook_secret: secret });

  const messages = await api.installation.read("subscriptions");

  const text = messages.map(({ message }) => message.value?.toString("latin1")).join("\n");
  expect(text).toContain("sealed");
  expect(text).not.toContain(api.token["x-token-value"]);
  expect(text).not.toContain(secret.slice("whsec_".length));
});

test("credentials must be a valid token with the scope read", async () => {
  const writer = await api.createToken("write");
  const unknown = { x_token_id: api.token["x-token-id"], x_token_value: "wrong" };
  const blind = { x_token_id: writer["x-token-id"], x_token_value: writer["x-token-value"] };

  const refused = await post("refused", { credentials: unknown });
  const forbidden = await post("refused", { credentials: blind });

  expect(refused).toMatchObject({ status: 401, body: { errors: [{ pointer: "#/credentials" }] } });
  expect(forbidden).toMatchObject({ status: 403, body: { errors: [{ pointer: "#/credentials" }] } });
  expect(JSON.stringify([refused, forbidden])).not.toContain(writer["x-token-value"]);
  expect(await api.ask("GET", "/api/subscriptions/refused")).toMatchObject({ status: 404 });
});

test("changes need the scope write, and reading the scope read", async () => {
  const reader = await api.createToken("read");
  const writer = await api.createToken("write");
  const path = "/api/subscriptions/scopes";

  for (const [method, at] of [
    ["POST", path],
    ["DELETE", path],
    ["POST", `${path}/rotate-secret`],
  ] as const) {
    expect(await api.ask(method, at, method === "POST" ? body() : undefined, reader)).toMatchObject({ status: 403 });
    expect(await api.ask(method, at, undefined, {})).toMatchObject({ status: 401 });
  }
  expect(await api.ask("GET", path, undefined, writer)).toMatchObject({ status: 403 });
  expect(await api.ask("GET", "/api/subscriptions", undefined, {})).toMatchObject({ status: 401 });
});

test("a token that is revoked later is told as the reason why nothing is delivered", async () => {
  const token = await api.createToken("read");
  const credentials = { x_token_id: token["x-token-id"], x_token_value: token["x-token-value"] };
  await post("revoked", { credentials });
  const before = (await api.ask("GET", "/api/subscriptions/revoked")).body;
  expect(before.status).toBe("active");

  await api.revokeToken(token);

  const shown = async () => (await api.ask("GET", "/api/subscriptions/revoked")).body;
  await until(async () => (await shown()).status === "stopped");
  expect(await shown()).toMatchObject({ stopped_reason: "token_revoked", stopped_at: expect.any(String) });
  expect(await post("revoked", { credentials })).toMatchObject({ status: 401 });
  // The same one, so that what waits is not lost.
  const again = { status: "active", stopped_reason: null, created_at: before.created_at };
  expect((await post("revoked")).body).toMatchObject(again);
  await api.ask("DELETE", "/api/subscriptions/revoked");
});

test("a subscription that was stopped says why until it is set again; a rotation leaves it stopped", async () => {
  await post("stopped");
  const messages = await api.installation.read("subscriptions");
  const read = readMessage(api.installation.codec, "subscriptions", messages.at(-1)?.message.value ?? null);
  const { version } = read.ok ? read.event : { version: "" };

  const stop = { id: "stopped", version, reason: "gone", detail: "410", at: 5_000 } as const;
  await api.publish("SubscriptionStopped", { key: stoppedKey("stopped"), ...stop });

  const stopped = {
    status: "stopped",
    stopped_reason: "gone",
    stopped_detail: "410",
    stopped_at: "1970-01-01T00:00:05.000Z",
  };
  expect((await api.ask("GET", "/api/subscriptions/stopped")).body).toMatchObject(stopped);
  await api.ask("POST", "/api/subscriptions/stopped/rotate-secret");
  expect((await api.ask("GET", "/api/subscriptions/stopped")).body).toMatchObject(stopped);
  expect((await post("stopped")).body).toMatchObject({ status: "active", stopped_detail: null, stopped_at: null });
  await api.ask("DELETE", "/api/subscriptions/stopped");
});

test.each([
  ["http://127.0.0.1:5678/hook", "ALLOWED_URL_CIDRS"],
  ["http://localhost/hook", "ALLOWED_URL_DOMAINS"],
  ["http://169.254.169.254/latest", "ALLOWED_URL_CIDRS"],
])("the address %s is refused with the setting that would allow it", async (url, setting) => {
  const refused = await post("address", { webhook_url: url });

  expect(refused.status).toBe(400);
  expect(refused.body.errors).toEqual([{ pointer: "#/webhook_url", detail: expect.stringContaining(setting) }]);
});

test("addresses for the GraphQL API are judged as well", async () => {
  const credentials = { ...body().credentials, graphql_url: "http://10.0.0.1", ws_url: "ws://[::1]:4000" };

  const refused = await post("address", { credentials });

  const pointers = refused.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  expect(pointers).toEqual(["#/credentials/graphql_url", "#/credentials/ws_url"]);
});

test("bodies that make no sense are refused with what is wrong", async () => {
  const misspelt = await post("bad", { filters: { datasource_id: ["a"] } });
  expect(misspelt).toMatchObject({ status: 400, body: { errors: [{ pointer: "#/filters" }] } });
  expect(misspelt.body.detail).toContain("datasource_id");
  const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`member-${i}`, 1]));
  expect((await post("bad", { filters: members })).body.detail.length).toBeLessThan(1_000);

  const path = "/api/subscriptions/bad";
  expect(await api.ask("POST", path, "{")).toMatchObject({ status: 400 });
  expect(await api.ask("POST", path, body({ more: "x".repeat(1_100_000) }))).toMatchObject({ status: 413 });
  expect(await api.ask("POST", `/api/subscriptions/${"x".repeat(201)}`, body())).toMatchObject({ status: 400 });
  expect(await api.ask("POST", "/api/subscriptions/a%00stopped", body())).toMatchObject({ status: 400 });
  expect(await api.ask("PUT", path, body())).toMatchObject({ status: 405 });
});

test("a data source has room for few different settings with one token", async () => {
  const token = await api.createToken("read");
  const credentials = { x_token_id: token["x-token-id"], x_token_value: token["x-token-value"] };
  const batch = (pixels: number) =>
    post(`batch-${pixels}`, {
      ...{ mode: "batch", signal_type: null, credentials, pixel_proximity_threshold: pixels },
      filters: { datasource_ids: ["cam"] },
    });

  const answers = await Promise.all([1, 2, 3, 4, 5].map(batch));

  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body.type).toBe("urn:tracklog:problem:too-many-subscriptions");
  expect(refused?.body.detail).toContain("2 different pairs of proximity thresholds with the credentials of one token");
  for (const { body: created } of answers) await api.ask("DELETE", `/api/subscriptions/${created.id ?? "none"}`);
});

test("subscriptions are listed by id, in pages that a cursor leads through", async () => {
  for (const id of ["page-c", "page-a", "page-b"]) await post(id);
  const { body: whole } = await api.ask("GET", "/api/subscriptions");
  const ids: string[] = whole.subscriptions.map(({ id }: { id: string }) => id);
  expect(ids).toEqual([...ids].sort());
  expect(ids).toEqual(expect.arrayContaining(["page-a", "page-b", "page-c"]));
  expect(whole.next_cursor).toBeNull();

  const paged: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "limit=2" : `limit=2&cursor=${cursor}`;
    const page = (await api.ask("GET", `/api/subscriptions?${query}`)).body;
    expect(page.subscriptions.length).toBeLessThanOrEqual(2);
    paged.push(...page.subscriptions);
    cursor = page.next_cursor;
  }

  expect(paged).toEqual(whole.subscriptions);
  for (const query of ["limit=0", "limit=1001", "limit=x", "cursor=*"]) {
    expect(await api.ask("GET", `/api/subscriptions?${query}`), query).toMatchObject({ status: 400 });
  }
});

test("there are as many subscriptions as the settings allow, also when they are asked for at the same time", async () => {
  const other = await api.createToken("read");
  const credentials = { x_token_id: other["x-token-id"], x_token_value: other["x-token-value"] };
  const count = async () => (await api.ask("GET", "/api/subscriptions")).body.subscriptions.length;
  const before = await count();

  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => post(`limit-${i}`)));

  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(12 - (10 - before));
  expect(refused[0]?.body.type).toBe("urn:tracklog:problem:too-many-subscriptions");
  expect(await count()).toBe(10);
  expect(await post("page-a")).toMatchObject({ status: 200 });
  const others = await Promise.all(Array.from({ length: 4 }, (_, i) => post(`other-${i}`, { credentials })));
  expect(others.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
  await api.ask("DELETE", "/api/subscriptions/page-b");
  expect(await post("page-b")).toMatchObject({ status: 201 });
});
