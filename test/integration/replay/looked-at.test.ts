// Sessions in their list, and their signals as callers look at them, with and without a receiver.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { replayKeys } from "../../../schemas/redis-keys.ts";
import { answering, type Behaviour, type Receiver, startReceiver } from "../../support/clients/receivers.ts";
import type { Headers } from "../../support/clients/rest-client.ts";
import { until } from "../../support/running/processes.ts";
import { createReplaySystem, type ReplaySystem } from "./installation.ts";
import { beginReplay, recordScene, type SeenSignals, signalsOf } from "./scene.ts";

let system: ReplaySystem;

beforeAll(async () => {
  system = await createReplaySystem();
  await system.startReplay();
  await recordScene(system);
});

afterAll(() => system.close());

async function receiver(behaviour?: Behaviour): Promise<Receiver> {
  const hook = await startReceiver(behaviour);
  onTestFinished(hook.close);
  return hook;
}

const bodies = ({ signals }: SeenSignals) => signals.map(({ signal }) => signal);

test.each([
  ["signal by signal", {}],
  ["in batches", { processing_mode: "batch", batch_interval: 1 }],
])("what a receiver got can be looked at, %s", async (how, more) => {
  const hook = await receiver();
  const id = `received ${how}`;
  await beginReplay(system, id, { webhook_url: hook.url, ...more });
  await system.ended(id);

  const seen = await signalsOf(system, id);

  const sent = hook.received.flatMap(({ text }) => JSON.parse(text));
  const received = sent.map(({ trigger_config: _ofTheSession, ...body }) => body);
  expect(received.length).toBeGreaterThan(1);
  expect(bodies(seen)).toEqual(received);
  expect(seen.signals.map(({ number }) => number)).toEqual(received.map((_, i) => i + 1));
  expect(new Set(seen.signals.map(({ result }) => result))).toEqual(new Set(["delivered"]));
  expect(seen).toMatchObject({ last: received.length, passed_over: 0 });
});

test("without a receiver a session has the same signals, and delivers them nowhere", async () => {
  const hook = await receiver();
  await beginReplay(system, "with", { webhook_url: hook.url });
  const { status, body: begun } = await beginReplay(system, "without");
  expect(status).toBe(201);
  expect(begun).toMatchObject({ webhook_url: "", secret: "" });
  await system.ended("with");

  const session = await system.ended("without");

  const expected = (await signalsOf(system, "with")).signals;
  const seen = await signalsOf(system, "without");
  expect(bodies(seen)).toEqual(expected.map(({ signal }) => signal));
  expect(new Set(seen.signals.map(({ result, error }) => `${result} ${error}`))).toEqual(new Set(["null null"]));
  expect(session).toMatchObject({ state: "finished", signals: expected.length, signals_sent: 0, deliveries: 0 });
});

test("signals that failed are there with the reason", async () => {
  const hook = await receiver(answering(500));
  await beginReplay(system, "failing", { webhook_url: hook.url });
  await system.ended("failing");

  const { signals } = await signalsOf(system, "failing");

  const failed = { result: "failed", error: "the receiver answered 500" };
  expect(signals).toMatchObject([failed, failed, failed]);
});

test("whoever follows a session gets each signal once, and learns how many were passed over", async () => {
  await beginReplay(system, "followed", { mode: "manual", track_ids: ["a"] });
  const step = (count: number) => system.ask("POST", "/api/replay/followed/step", { count });
  await step(3);
  const first = await signalsOf(system, "followed");
  await step(10);

  const next = await signalsOf(system, "followed", `after=${first.last}`);
  const newest = await signalsOf(system, "followed", `after=${first.last}&limit=2`);

  expect(next.signals[0]?.number).toBe(first.last + 1);
  expect(next.passed_over).toBe(0);
  expect(newest.signals).toEqual(next.signals.slice(-2));
  expect(newest).toMatchObject({ last: next.last, passed_over: next.signals.length - 2 });
  expect(await signalsOf(system, "followed", `after=${next.last}`)).toEqual({
    ...{ signals: [], last: next.last, passed_over: 0 },
  });
});

test.each(["after=-1", "after=x", "after=1e400", "limit=0", "limit=201", "after=1.5", "after=99999999999999999999"])(
  "%s is refused",
  async (query) => {
    await beginReplay(system, "asked");

    expect((await system.ask("GET", `/api/replay/asked/signals?${query}`)).status).toBe(400);
  },
);

test("the largest number is a number like others", async () => {
  await beginReplay(system, "large");

  expect(await signalsOf(system, "large", `after=${Number.MAX_SAFE_INTEGER}`)).toMatchObject({ signals: [] });
});

test("nothing is left of the signals of a session that is deleted, or replaced by another one", async () => {
  const hook = await receiver();
  await beginReplay(system, "left", { webhook_url: hook.url });
  await system.ended("left");
  expect((await signalsOf(system, "left")).signals.length).toBeGreaterThan(0);
  const keys = replayKeys(system.installation.namespace);
  const stream = async () => `${keys.signals}${await system.redis.hget(`${keys.session}left`, "version")}`;
  const first = await stream();

  await beginReplay(system, "left", { mode: "manual" });

  expect((await signalsOf(system, "left")).signals).toEqual([]);
  expect(await system.redis.exists(first)).toBe(0);
  await system.ask("POST", "/api/replay/left/step", { count: 2 });
  expect((await signalsOf(system, "left")).signals.length).toBeGreaterThan(0);
  const second = await stream();
  expect(await system.redis.exists(second)).toBe(1);
  await system.ask("DELETE", "/api/replay/left");
  expect(await system.redis.exists(second)).toBe(0);
  expect((await system.ask("GET", "/api/replay/left/signals")).status).toBe(404);
});

test("what is kept has no secret", async () => {
  const hook = await receiver();
  const { body } = await beginReplay(system, "secret", { webhook_url: hook.url });
  await system.ended("secret");

  expect(JSON.stringify(await signalsOf(system, "secret"))).not.toContain(body.secret.slice("whsec_".length));
});

const listed = async (token: Headers, query = "") => {
  const { status, body } = await system.ask("GET", `/api/replay${query}`, undefined, token);
  expect(status).toBe(200);
  return {
    ids: body.sessions.map(({ id }: { id: string }) => id) as string[],
    cursor: body.next_cursor as string | null,
  };
};

test("a token lists its own sessions, the newest first and in pages; an administrator also what others have open", async () => {
  const [one, other, admin] = await Promise.all([
    system.createToken("read", "write"),
    system.createToken("read", "write"),
    system.createToken("admin"),
  ]);
  for (const id of ["l1", "l2", "l3"]) await beginReplay(system, id, { mode: "manual" }, one);
  await beginReplay(system, "l4", {}, one);
  await system.ended("l4");
  await beginReplay(system, "l5", { mode: "manual" }, other);

  expect(await listed(one)).toEqual({ ids: ["l4", "l3", "l2", "l1"], cursor: null });
  expect((await listed(other)).ids).toEqual(["l5"]);
  const all = (await listed(admin)).ids.filter((id) => /^l\d$/.test(id));
  expect(all).toEqual(["l5", "l3", "l2", "l1"]);
  const first = await listed(one, "?limit=3");
  expect(first.ids).toEqual(["l4", "l3", "l2"]);
  expect(await listed(one, `?limit=3&cursor=${first.cursor}`)).toEqual({ ids: ["l1"], cursor: null });
  expect((await listed(await system.createToken("read"))).ids).toEqual([]);
  const { body: shown } = await system.ask("GET", "/api/replay/l4");
  expect((await system.ask("GET", "/api/replay?limit=1", undefined, one)).body.sessions).toEqual([shown]);
});

test("an ended session whose id another token has taken over is in the list of that one alone", async () => {
  const [one, other] = [await system.createToken("read", "write"), await system.createToken("read", "write")];
  await beginReplay(system, "taken", {}, one);
  await system.ended("taken");

  await beginReplay(system, "taken", { mode: "manual" }, other);

  expect([(await listed(one)).ids, (await listed(other)).ids]).toEqual([[], ["taken"]]);
});

test.each(["limit=0", "limit=1001", "cursor=%F0%9F", "cursor=no-cursor!", `cursor=${"x".repeat(1_001)}`])(
  "a list with %s is refused",
  async (query) => {
    expect((await system.ask("GET", `/api/replay?${query}`)).status).toBe(400);
  },
);

test("a token without the scope read neither lists sessions nor looks at signals", async () => {
  const writer = await system.createToken("write");
  await beginReplay(system, "unread");
  await until(async () => (await signalsOf(system, "unread")).signals.length > 0);

  for (const path of ["/api/replay", "/api/replay/unread/signals"]) {
    expect((await system.ask("GET", path, undefined, writer)).status).toBe(403);
    expect((await system.ask("GET", path, undefined, {})).status).toBe(401);
  }
});
