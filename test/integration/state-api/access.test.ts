import { afterAll, beforeAll, expect, test } from "vitest";
import { subscriptionBody } from "../../support/scenes/subscription-body.ts";
import { askAt, createStateApi, type Headers } from "./services.ts";

let api: Awaited<ReturnType<typeof createStateApi>>;
beforeAll(async () => {
  api = await createStateApi();
});
afterAll(() => api.stop());

test("whether the service runs is open to everybody", async () => {
  const { status, body } = await api.ask("GET", "/health", undefined, {});

  expect([status, body]).toEqual([200, { status: "ok" }]);
});

test("where callers have no tokens, all of them may have as many replay sessions as there is room for", async () => {
  const bounds = { STATE_API_MAX_REPLAYS: 2, STATE_API_MAX_REPLAYS_PER_TOKEN: 1 };
  const [closed, open] = [await api.start(bounds), await api.start({ ...bounds, STATE_API_AUTH: "off" })];
  const token = await api.createToken("read", "write");
  const body = {
    ...{ track_ids: ["a"], mode: "manual", speed: "max", workflow_name: "A" },
    ...{ webhook_url: "https://hooks.example.com/a", signal_type: "track_state" },
  };
  const begin = async (url: string, id: string, headers = {}) =>
    (await askAt(url, headers)("POST", `/api/replay/${id}`, body)).status;

  expect([await begin(open, "a"), await begin(open, "b"), await begin(open, "c")]).toEqual([201, 201, 409]);
  expect((await askAt(open, {})("DELETE", "/api/replay/a")).status).toBe(204);
  expect((await askAt(open, {})("DELETE", "/api/replay/b")).status).toBe(204);
  expect([await begin(closed, "a", token), await begin(closed, "b", token)]).toEqual([201, 409]);
});

test("a token with write alone makes secrets of its own subscriptions only, and steps no replay", async () => {
  const [own, writer] = [await api.createToken("read", "write"), await api.createToken("write")];
  const body = (token: Record<string, string>) => subscriptionBody(token);
  expect((await api.ask("POST", "/api/subscriptions/least", body(own))).status).toBe(201);
  const replay = {
    ...{ track_ids: ["a"], mode: "manual", speed: "max", workflow_name: "A" },
    ...{ webhook_url: "https://hooks.example.com/a", signal_type: "track_state" },
  };
  expect((await api.ask("POST", "/api/replay/least", replay)).status).toBe(201);
  const rotate = async (token: Headers) =>
    (await askAt(api.url, token)("POST", "/api/subscriptions/least/rotate-secret")).status;

  expect([await rotate(writer), await rotate(own), await rotate(api.token)]).toEqual([403, 200, 200]);
  expect(await askAt(api.url, writer)("POST", "/api/replay/least/step")).toMatchObject({ status: 403 });
});
