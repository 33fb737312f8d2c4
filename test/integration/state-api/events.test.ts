// Event state over real stores, with two instances that share the callers.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventStateKeys } from "../../../schemas/redis-keys.ts";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createRedis, type RedisPart, redisDatabase } from "../../../services/common/redis/client.ts";
import { startService, until } from "../../support/running/processes.ts";
import { detection } from "../../support/scenes/detection.ts";
import { type Ask, askAt, createStateApi } from "./services.ts";

let api: Awaited<ReturnType<typeof createStateApi>>;
let asks: readonly Ask[];
let redis: RedisPart;

beforeAll(async () => {
  api = await createStateApi({ STATE_API_MAX_EVENTS: "100", TRACK_TTL: "1" });
  const { variables, log } = api.installation;
  asks = [api.ask, askAt(await api.start(), api.token)];
  redis = createRedis(redisDatabase(loadConfig(redisEnv, variables), 1), log);
  await redis.start();
});
afterAll(async () => {
  await redis.stop();
  await api.stop();
});

const body = (met: boolean, more: object = {}) => ({
  ...{ scope_type: "zone", workflow_id: "wf", workflow_name: "Gate watch", conditions_met: met },
  ...more,
});
const post = (scope: string, met: boolean, more: object = {}, ask: Ask = api.ask) =>
  ask("POST", `/api/events/${scope}`, body(met, more));
const patch = (scope: string, changes: object, ask: Ask = api.ask) => ask("PATCH", `/api/events/${scope}`, changes);
const get = (scope: string, query = "", ask: Ask = api.ask) => ask("GET", `/api/events/${scope}${query}`);

async function open(scope: string, more: object = {}): Promise<void> {
  expect((await post(scope, true, more)).body.action).toBe("create_event");
  expect((await patch(scope, { workflow_id: "wf", global_event_id: `id of ${scope}` })).status).toBe(200);
}

const keys = () => eventStateKeys(api.installation.namespace);

/** Deletes the state of all events, as after the loss of the Redis that has it. The other databases are unchanged. */
async function loseStates(): Promise<void> {
  const { marker } = keys();
  const names = await redis.client.keys(`${marker.slice(0, marker.lastIndexOf(":"))}:*`);
  await redis.client.del(...names);
}

test("an event is created, updated and closed, and every instance knows it", async () => {
  const [first, second] = asks;
  const created = await post("z1", true, { cooldown_hours: 0.5 }, first);
  expect(created.body).toMatchObject({
    ...{ action: "create_event", scope: "z1", scope_type: "zone", workflow_id: "wf", state: "pending" },
    ...{ global_event_id: null, event_start_time: null, cooldown_hours: 0.5, auto_close_hours: 24 },
  });

  const start = "2026-01-01T00:00:00.000Z";
  const updated = await patch("z1", { global_event_id: "e1", event_start_time: start }, second);
  expect([updated.status, updated.body]).toEqual([
    200,
    expect.objectContaining({ state: "active", global_event_id: "e1", event_start_time: start }),
  ]);
  expect((await post("z1", true, {}, first)).body).toMatchObject({ action: "update_event", global_event_id: "e1" });
  expect((await post("z1", false, {}, second)).body).toMatchObject({
    ...{ action: "close_event", global_event_id: "e1", event_start_time: start },
  });
  expect((await post("z1", false, {}, first)).body.action).toBe("no_action");
  await patch("z1", { state: "closed" }, second);
  expect((await get("z1", "", first)).body).toMatchObject({ state: "closed", closure_reason: "conditions_not_met" });
  expect((await post("z1", true, {}, first)).body).toMatchObject({ action: "no_action", state: "closed" });
});

test("of 200 callers at two instances one creates the event, and of 200 one closes it", async () => {
  const many = (met: boolean) =>
    Promise.all(Array.from({ length: 200 }, (_, i) => post("crowd", met, {}, asks[i % asks.length])));
  const actions = async (met: boolean) => (await many(met)).map((answer) => answer.body.action).sort();

  expect(await actions(true)).toEqual(["create_event", ...Array(199).fill("no_action")]);
  await patch("crowd", { global_event_id: "e" });
  expect(await actions(true)).toEqual(Array(200).fill("update_event"));
  expect(await actions(false)).toEqual(["close_event", ...Array(199).fill("no_action")]);
});

test("what Redis loses comes back from the log before anything is answered", async () => {
  await open("kept");
  await open("ended", { cooldown_hours: 1 });
  await patch("ended", { state: "closed", closure_reason: "manual_close" });
  const before = await Promise.all(["kept", "ended"].map((scope) => get(scope)));

  await loseStates();
  const actions = await Promise.all(asks.flatMap((ask) => [post("kept", true, {}, ask), post("ended", true, {}, ask)]));

  expect(actions.map((answer) => answer.body.action)).toEqual([
    "update_event",
    "no_action",
    "update_event",
    "no_action",
  ]);
  expect((await Promise.all(["kept", "ended"].map((scope) => get(scope)))).map((answer) => answer.body)).toEqual(
    before.map((answer) => answer.body),
  );
});

test("a new instance knows a closed event, and does not create it again before its cooldown", async () => {
  await open("closed", { cooldown_hours: 1 });
  await patch("closed", { event_end_time: "2026-01-01T00:00:00Z" });

  const ask = askAt(await api.start(), api.token);

  expect((await post("closed", true, {}, ask)).body).toMatchObject({ action: "no_action", state: "closed" });
});

test("a decision that its process could not write to the log is written by the next reader", async () => {
  await open("dirty");
  const [event] = await redis.client.keys(`${keys().event("*")}`.replace("*", '*"dirty"*'));
  await redis.client.hset(event ?? "", { logged: -1 });
  const count = async () => (await api.installation.read("event-states")).length;
  const before = await count();

  await get("dirty");

  expect(await count()).toBe(before + 1);
  expect(Number(await redis.client.hget(event ?? "", "logged"))).toBeGreaterThanOrEqual(0);
});

test("an event is closed by its time-out without a request", async () => {
  await open("short", { auto_close_hours: 0.0001 });

  await until(async () =>
    (await redis.client.hget(keys().event('["short","wf"]'), "state"))?.includes("event_timeout"),
  );

  expect((await get("short")).body).toMatchObject({ state: "closed", closure_reason: "event_timeout" });
});

const seen = (trackId: string, timestamp: number) =>
  api.publish("DetectionsRecorded", { dataSourceId: "cam", detections: [detection({ trackId, timestamp })] });

test("the expiry of a track closes its events, pending ones as well, and they stay closed when it comes back", async () => {
  const machine = await startService("state-machine", api.installation.variables);
  onTestFinished(async () => void (await machine.stop()));
  const now = Date.now();
  await seen("t1", now);
  await until(async () => (await api.ask("GET", "/api/tracks/t1")).status === 200);
  await post("t1", true, { scope_type: "track" });
  await post("t1", true, { scope_type: "track", workflow_id: "other" });
  await patch("t1", { workflow_id: "other", global_event_id: "e1" });
  await post("unknown track", true, { scope_type: "track" });
  // So that the track ends after the events began, however slow this machine is.
  await seen("t1", now + 10);

  await until(async () => (await get("t1", "?workflow_id=other")).body.state === "closed");
  await until(async () => (await get("t1", "?workflow_id=wf")).body.state === "closed");
  await seen("t1", now + 20);
  await until(async () => (await api.ask("GET", "/api/tracks/t1")).body.detection_count === 3);

  expect((await get("t1", "?workflow_id=other")).body).toMatchObject({
    ...{ state: "closed", closure_reason: "track_expired", global_event_id: "e1" },
  });
  expect((await get("unknown track")).body.state).toBe("pending");
});

test("several workflows under a scope must be told apart", async () => {
  await post("two", true, { workflow_id: "a" });
  expect((await get("two")).status).toBe(200);
  await post("two", true, { workflow_id: "b" });

  expect((await get("two")).status).toBe(400);
  expect((await patch("two", { global_event_id: "e" })).status).toBe(400);
  expect((await get("two", "?workflow_id=b")).body.workflow_id).toBe("b");
  expect((await ask400("two", "?workflow_id=a", { workflow_id: "b", global_event_id: "e" })).status).toBe(400);
});
const ask400 = (scope: string, query: string, changes: object) =>
  api.ask("PATCH", `/api/events/${scope}${query}`, changes);

test("refusals", async () => {
  await open("r");
  const statuses = await Promise.all([
    post("r", true, { scope_type: "track" }),
    patch("r", { global_event_id: "another" }),
    patch("r", {}),
    patch("r", { closure_reason: "manual_close" }),
    patch("r", { state: "pending" }),
    patch("r", { event_start_time: "2026-01-02T00:00:00Z", event_end_time: "2026-01-01T00:00:00Z" }),
    patch("nobody", { global_event_id: "e" }),
    get("nobody"),
    get("nobody", "?workflow_id=wf"),
    post("r", true, { cooldown_hours: -1 }),
    post("r", true, { auto_close_hours: 1e9 }),
    post("r", true, { workflow_id: "a\nb" }),
    post("r", true, { workflow_name: "x".repeat(201) }),
    post("r", true, { conditions_met: "yes" }),
    post("x".repeat(201), true),
  ]);

  expect(statuses.map(({ status }) => status)).toEqual([
    ...[409, 409, 400, 400, 400, 400, 404, 404, 404, 400, 400, 400, 400, 400, 400],
  ]);
});

test("a token that may only read changes nothing", async () => {
  const reader = await api.createToken("read");
  const asReader = async (method: string, content?: unknown) =>
    (await api.ask(method, "/api/events/readers", content, reader)).status;

  expect(await asReader("POST", body(true))).toBe(403);
  expect(await asReader("PATCH", { global_event_id: "e" })).toBe(403);
  expect(await asReader("GET")).toBe(404);
});

test("there are at most so many events", async () => {
  const answers = await Promise.all(Array.from({ length: 110 }, (_, i) => post(`many${i}`, true)));
  const statuses = answers.map(({ status }) => status);

  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await post("many0", true)).status).toBe(200);
});
