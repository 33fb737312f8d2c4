// Sessions that are paused, stepped and resumed: they send what they would have sent without it.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { replayKeys } from "../../../schemas/redis-keys.ts";
import { type Behaviour, type Receiver, startReceiver } from "../../support/clients/receivers.ts";
import { until } from "../../support/running/processes.ts";
import { seeded } from "../history/world.ts";
import { createReplaySystem, type ReplaySystem } from "./installation.ts";
import { beginReplay, recordScene } from "./scene.ts";

let system: ReplaySystem;
let stopReplay: (() => Promise<void>) | undefined;
let nextId = 0;

beforeAll(async () => {
  system = await createReplaySystem();
  await recordScene(system);
});

afterAll(() => system.close());

beforeEach(() => restart());

async function restart(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  await stopReplay?.();
  stopReplay = await system.startReplay(settings);
}

async function receiver(behaviour?: Behaviour): Promise<Receiver> {
  const hook = await startReceiver(behaviour);
  onTestFinished(hook.close);
  return hook;
}

const bodiesOf = ({ received }: Receiver): unknown[] => received.map(({ text }) => JSON.parse(text));

async function begin(hook: Receiver, more: object = {}): Promise<string> {
  nextId += 1;
  const id = `steered-${nextId}`;
  expect((await beginReplay(system, id, { webhook_url: hook.url, ...more })).status).toBe(201);
  return id;
}

const steer = (id: string, how: "pause" | "resume" | "step", body?: object) =>
  system.ask("POST", `/api/replay/${id}/${how}`, body);

/** Resolves with the bodies of a session that nobody pauses. */
async function expectedOf(more: object): Promise<unknown[]> {
  const hook = await receiver();
  await system.ended(await begin(hook, more));
  return bodiesOf(hook);
}

const KINDS: Readonly<Record<string, object>> = {
  tracks: {},
  zones: { signal_type: "zone_state" },
  compositions: { signal_type: "zone_state", zone_emit_mode: "composition", heartbeat_seconds: 2 },
  batches: { processing_mode: "batch", batch_interval: 1 },
};

test.each(Object.entries(KINDS))("%s: a session that is paused and resumed again and again", async (_kind, more) => {
  const expected = await expectedOf(more);
  expect(expected.length).toBeGreaterThan(1);
  const random = seeded(nextId);
  const hook = await receiver();
  const id = await begin(hook, { ...more, speed: 20 });

  for (let sent = 0; ; sent = hook.received.length) {
    const wanted = sent + 1 + Math.floor(random() * 4);
    let state = "running";
    await until(async () => {
      state = (await system.ask("GET", `/api/replay/${id}`)).body.state;
      return state === "finished" || hook.received.length >= wanted;
    });
    const paused = await steer(id, "pause");
    if (paused.status === 409) break;
    expect(paused.body.state).toMatch(/paused|finished/);
    const before = hook.received.length;
    const choice = random();
    if (choice < 0.3) await steer(id, "step", { count: 1 + Math.floor(random() * 3) });
    else if (choice < 0.5) await restart();
    else expect(hook.received).toHaveLength(before);
    await steer(id, "resume", random() < 0.5 ? { speed: 20 + Math.floor(random() * 20) } : undefined);
  }

  expect(await system.ended(id)).toMatchObject({ state: "finished", errors: 0, signals: expect.any(Number) });
  expect(bodiesOf(hook)).toEqual(expected);
});

test("a paused session goes step by step, stays paused, and then goes on by itself", async () => {
  const expected = await expectedOf({ track_ids: ["a"] });
  const hook = await receiver();
  const id = await begin(hook, { track_ids: ["a"], speed: 5 });
  await until(() => hook.received.length >= 3);
  const { body: paused } = await steer(id, "pause");
  expect(paused).toMatchObject({ state: "paused", mode: "auto", speed: 5, steps_asked: paused.steps });

  expect(paused).toMatchObject({ steps: hook.received.length, signals: hook.received.length });

  const { body: stepped } = await steer(id, "step", { count: 2 });

  expect(stepped).toMatchObject({ state: "paused", steps: paused.steps + 2, steps_asked: paused.steps + 2 });
  expect(bodiesOf(hook)).toEqual(expected.slice(0, hook.received.length));
  expect(stepped.signals).toBe(hook.received.length);
  expect(stepped.signals).toBe(paused.signals + 2);
  const { body: resumed } = await steer(id, "resume", { speed: "max" });
  expect(resumed).toMatchObject({ mode: "auto", speed: "max", steps_asked: null });
  expect(await system.ended(id)).toMatchObject({ state: "finished" });
  expect(bodiesOf(hook)).toEqual(expected);
});

test("a session of the mode manual that is resumed goes on by itself, and can be paused", async () => {
  const expected = await expectedOf({ track_ids: ["a"] });
  const hook = await receiver();
  const id = await begin(hook, { track_ids: ["a"], mode: "manual", speed: 5 });
  expect((await steer(id, "step", {})).body).toMatchObject({ state: "paused", steps: 1 });

  expect((await steer(id, "resume")).body).toMatchObject({ state: "running", mode: "auto", speed: 5 });

  await until(() => hook.received.length >= 4);
  expect((await steer(id, "step", {})).status).toBe(409);
  expect((await steer(id, "pause")).body.state).toBe("paused");
  expect((await steer(id, "step", {})).status).toBe(200);
  await steer(id, "resume", { speed: "max" });
  await system.ended(id);
  expect(bodiesOf(hook)).toEqual(expected);
});

test("the speed of a session that goes on by itself can be changed, also while it waits for a signal", async () => {
  const hook = await receiver();
  // The next detection comes after five seconds, the last one after minutes.
  const id = await begin(hook, { speed: 0.1 });
  await until(() => hook.received.length >= 1);

  expect((await steer(id, "resume", { speed: "max" })).body).toMatchObject({ speed: "max" });

  expect(await system.ended(id)).toMatchObject({ state: "finished", errors: 0 });
  expect(bodiesOf(hook)).toEqual(await expectedOf({}));
});

test("a session that waits for the time of a signal is paused before it, and steps to it", async () => {
  const hook = await receiver();
  // The next signal is due in five seconds.
  const id = await begin(hook, { track_ids: ["a"], speed: 0.1 });
  await until(() => hook.received.length === 1);

  expect((await steer(id, "pause")).body).toMatchObject({ state: "paused", steps: 1, signals_sent: 1 });

  expect((await steer(id, "step")).body).toMatchObject({ state: "paused", steps: 2, signals_sent: 2 });
});

test("a paused session gives its place to others", async () => {
  await restart({ REPLAY_SESSIONS: "1" });
  const [hook, otherHook] = [await receiver(), await receiver()];
  const id = await begin(hook, { speed: 5 });
  await until(() => hook.received.length >= 2);
  const { body: paused } = await steer(id, "pause");

  const other = await begin(otherHook);

  expect(await system.ended(other)).toMatchObject({ state: "finished" });
  expect((await system.ask("GET", `/api/replay/${id}`)).body).toEqual(paused);
  await steer(id, "resume", { speed: "max" });
  await system.ended(id);
  expect(bodiesOf(hook)).toEqual(bodiesOf(otherHook));
});

test("a session that no process runs is paused at once, and goes on by steps", async () => {
  await stopReplay?.();
  stopReplay = undefined;
  const hook = await receiver();
  const id = await begin(hook);
  expect((await steer(id, "pause")).body).toMatchObject({ state: "paused", steps: 0 });

  await restart();

  expect((await steer(id, "step", {})).body).toMatchObject({ state: "paused", steps: 1 });
  expect(bodiesOf(hook)).toHaveLength(1);
});

test("a delivery that is under way is finished before the pause, and comes once", async () => {
  let answer = () => {};
  const held = Promise.withResolvers<void>();
  const hook = await receiver((response, nth) => {
    answer = () => response.writeHead(200).end();
    if (nth !== 1) answer();
    else held.resolve();
    return 200;
  });
  const id = await begin(hook, { speed: 20 });
  await held.promise;

  const pausing = steer(id, "pause");
  await until(async () => (await system.redis.hget(`${keys().session}${id}`, "held")) === "1");
  answer();

  expect((await pausing).body).toMatchObject({ state: "paused", signals_sent: 2 });
  expect(hook.received).toHaveLength(2);
  await steer(id, "resume", { speed: "max" });
  await system.ended(id);
  expect(bodiesOf(hook)).toEqual(await expectedOf({}));
});

test("a step that is requested while a delivery is under way comes after it", async () => {
  const held = Promise.withResolvers<() => void>();
  const hook = await receiver((response, nth) => {
    const answer = () => response.writeHead(200).end();
    if (nth === 1) held.resolve(answer);
    else answer();
    return 200;
  });
  const id = await begin(hook, { track_ids: ["a"], speed: 20 });
  const answer = await held.promise;
  const fields = () => system.redis.hmget(`${keys().session}${id}`, "held", "granted", "earlySteps");

  const pausing = steer(id, "pause");
  await until(async () => (await fields())[0] === "1");
  const stepping = steer(id, "step");
  await until(async () => (await fields()).slice(1).some((count) => Number(count) > 0));
  answer();

  expect((await stepping).body).toMatchObject({ state: "paused", steps: 3, signals_sent: 3 });
  expect((await pausing).body).toMatchObject({ state: "paused" });
});

const keys = () => replayKeys(system.installation.namespace);

test("a paused session that nobody resumes ends", async () => {
  await restart({ REPLAY_IDLE_MS: "1000" });
  const hook = await receiver();
  const id = await begin(hook, { speed: 0.1 });
  await until(() => hook.received.length >= 1);
  await steer(id, "pause");

  expect(await system.ended(id)).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("resumed it for 1 s"),
  });
  expect((await steer(id, "resume")).status).toBe(409);
});

test("pausing and resuming twice is pausing and resuming once; ended and unknown sessions are refused", async () => {
  const hook = await receiver();
  const id = await begin(hook, { speed: 0.1 });
  await until(() => hook.received.length >= 1);

  const first = await steer(id, "pause");
  expect(first.body.state).toBe("paused");
  expect((await steer(id, "pause")).body).toEqual(first.body);
  expect((await steer(id, "resume")).body.state).toBe("running");
  expect((await steer(id, "resume", { speed: null })).body).toMatchObject({ state: "running", speed: 0.1 });

  await steer(id, "resume", { speed: "max" });
  await system.ended(id);
  expect([(await steer(id, "pause")).status, (await steer(id, "resume")).status]).toEqual([409, 409]);
  expect([(await steer("absent", "pause")).status, (await steer("absent", "resume")).status]).toEqual([404, 404]);
});

test.each([[{ speed: 0 }], [{ speed: 1e9 }], [{ speed: "fast" }], [{ speed: "1'; DROP" }], [[]], ["x"]])(
  "a resumption with %j is refused, and the session stays as it is",
  async (body) => {
    const id = await begin(await receiver(), { mode: "manual" });

    expect((await steer(id, "resume", body as object)).status).toBe(400);

    expect((await system.ask("GET", `/api/replay/${id}`)).body).toMatchObject({ mode: "manual", state: "paused" });
  },
);

test("who may not both read and write steers nothing", async () => {
  const id = await begin(await receiver(), { mode: "manual" });
  for (const scope of ["read", "write"] as const) {
    const token = await system.createToken(scope);
    for (const how of ["pause", "resume", "step"] as const) {
      expect((await system.ask("POST", `/api/replay/${id}/${how}`, undefined, token)).status).toBe(403);
    }
  }
});
