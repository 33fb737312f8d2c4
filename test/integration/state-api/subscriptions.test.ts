import { afterAll, beforeAll, expect, test } from "vitest";
import { createStateApi } from "./services.ts";

let api: Awaited<ReturnType<typeof createStateApi>>;

beforeAll(async () => {
  api = await createStateApi();
});

afterAll(() => api.stop());

/** A body that creates a subscription. */
const body = (given: object = {}) => ({
  webhook_url: "https://hooks.example.com/a",
  workflow_name: "A",
  mode: "streaming",
  signal_type: "track_state",
  credentials: { x_token_id: api.token["x-token-id"], x_token_value: api.token["x-token-value"] },
  ...given,
});

const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

test("a subscription is created, shown, replaced and deleted", async () => {
  const created = await api.ask("POST", "/api/subscriptions/gate%2F1", body({ workflow_id: "w", more: 1 }));

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

  const replaced = await api.ask("POST", "/api/subscriptions/gate%2F1", body({ mode: "batch", signal_type: null }));

  expect(replaced.status).toBe(200);
  expect(replaced.body).toMatchObject({ mode: "batch", workflow_id: null, created_at: kept.created_at });
  expect(replaced.body).not.toHaveProperty("secret");

  expect(await api.ask("DELETE", "/api/subscriptions/gate%2F1")).toMatchObject({ status: 204, body: undefined });
  expect(await api.ask("GET", "/api/subscriptions/gate%2F1")).toMatchObject({ status: 404 });
  expect(await api.ask("DELETE", "/api/subscriptions/gate%2F1")).toMatchObject({ status: 404 });
  expect(await api.ask("POST", "/api/subscriptions/gate%2F1/rotate-secret")).toMatchObject({ status: 404 });
});

test("a subscription after a deletion is another one, with another secret", async () => {
  const first = await api.ask("POST", "/api/subscriptions/again", body());
  await api.ask("DELETE", "/api/subscriptions/again");

  const second = await api.ask("POST", "/api/subscriptions/again", body());

  expect(second.status).toBe(201);
  expect(second.body.secret).not.toBe(first.body.secret);
});

test("a rotated secret is valid for a day more, and a given one is taken", async () => {
  const created = await api.ask("POST", "/api/subscriptions/rotated", body({ webhook_secret: secret }));
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
  const back = await api.ask("POST", "/api/subscriptions/rotated", body({ webhook_secret: secret }));
  expect(back.status).toBe(200);
});

test("neither a secret nor the value of a token is readable in the log", async () => {
  await api.ask("POST", "/api/subscriptions/sealed", body({ webhook_secret: secret }));

  const messages = await api.installation.read("subscriptions");

  const text = messages.map(({ message }) => message.value?.toString("latin1")).join("\n");
  expect(text).toContain("sealed");
  expect(text).not.toContain(api.token["x-token-value"]);
  expect(text).not.toContain(secret.slice("whsec_".length));
});
