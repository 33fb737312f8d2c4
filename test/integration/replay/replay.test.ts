import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { detectionsInOrder, offsetsOf, type StoredDetection } from "../../../projections/history/queries/replays.ts";
import type { Detection } from "../../../schemas/events.ts";
import { replayKeys } from "../../../schemas/redis-keys.ts";
import { answering, type Behaviour, type Receiver, startReceiver } from "../../support/clients/receivers.ts";
import { until } from "../../support/running/processes.ts";
import { created, drawn, INSIDE, OUTSIDE, recorded, seen, T0, updated } from "../../unit/projections/live/camera.ts";
import type { Headers } from "../state-api/services.ts";
import { createReplaySystem, type ReplaySystem } from "./installation.ts";

let system: ReplaySystem;
let stopReplay: () => Promise<void>;
const live = new Map<string, Receiver>();

/** Each as a live subscription and as a session. */
const kinds: Readonly<Record<string, object>> = {
  tracks: { mode: "streaming", signal_type: "track_state" },
  zones: { mode: "streaming", signal_type: "zone_state" },
  compositions: {
    ...{ mode: "streaming", signal_type: "zone_state" },
    ...{ zone_emit_mode: "composition", heartbeat_seconds: 2 },
  },
  batches: { mode: "batch", batch_interval: 10, pixel_proximity_threshold: 100 },
};
const workflow = { workflow_name: "gates", workflow_id: "w1" };

const at = (trackId: string, ms: number, x: number, more: Partial<Detection> = {}) => seen(ms, x, { trackId, ...more });

beforeAll(async () => {
  system = await createReplaySystem();
  stopReplay = await system.startReplay();
  for (const [id, body] of Object.entries(kinds)) {
    const hook = await startReceiver();
    live.set(id, hook);
    const [x_token_id, x_token_value] = Object.values(system.token);
    const credentials = { x_token_id, x_token_value };
    const { status } = await system.ask("POST", `/api/subscriptions/${id}`, {
      ...{ webhook_url: hook.url, credentials, ...workflow },
      ...body,
    });
    expect(status).toBe(201);
  }
  await listened();
  await record();
  await until(() => signalsOf("tracks", "b").some(({ signal }) => signal === "track_expired"));
  await until(() => signalsOf("batches", "a").length + signalsOf("batches", "b").length === 2);
});

afterAll(async () => {
  await Promise.all([...live.values()].map((hook) => hook.close()));
  await system.close();
});

/** A subscription that is new hears only of what is folded after the state machine knows it. */
async function listened(): Promise<void> {
  await system.record(drawn());
  let ms = -600_000;
  await until(async () => {
    ms += 100;
    const trackId = `early${ms}`;
    await system.record(recorded(at(trackId, ms, INSIDE)), updated({ trackId, endTime: T0 + ms }));
    return areReceived();
  });
}

const areReceived = () => ["tracks", "zones", "compositions"].every((id) => (live.get(id)?.received.length ?? 0) > 0);

/** Three tracks at the same time: c was there before, and only a and b will be asked for. */
async function record(): Promise<void> {
  await system.record(
    created({ trackId: "c", tag: "car", startTime: T0 }),
    recorded(at("c", 0, INSIDE)),
    created({ trackId: "a", startTime: T0 + 500 }),
    recorded(at("a", 500, OUTSIDE), at("c", 500, INSIDE)),
  );
  for (let ms = 1_000; ms <= 4_000; ms += 500) {
    await system.record(
      recorded(at("a", ms, ms < 2_000 ? OUTSIDE : INSIDE), at("c", ms, INSIDE), at("b", ms + 100, ms / 20)),
    );
  }
  await system.record(
    updated({ trackId: "a", endTime: T0 + 4_200 }),
    recorded(at("c", 4_500, OUTSIDE), at("b", 4_600, OUTSIDE)),
  );
}

type Body = { readonly signal: string; readonly [name: string]: unknown };

const bodiesOf = (hook: Receiver | undefined): Body[] =>
  (hook?.delivered() ?? []).flatMap(({ text }) => JSON.parse(text) as Body | Body[]);

const trackOf = (body: Body): unknown => {
  const { track_state, zone_state } = body as {
    track_state?: { track_id: string };
    zone_state?: { trigger_track_id: string };
  };
  return track_state?.track_id ?? zone_state?.trigger_track_id;
};

const signalsOf = (id: string, ...tracks: readonly string[]): Body[] =>
  bodiesOf(live.get(id)).filter((body) => tracks.includes(String(trackOf(body))));

async function receiver(behaviour?: Behaviour) {
  const hook = await startReceiver(behaviour);
  onTestFinished(hook.close);
  return hook;
}

async function replay(id: string, hook: Receiver, more: object = {}, headers: Headers = system.token) {
  const body = { track_ids: ["a", "b"], mode: "auto", speed: "max", webhook_url: hook.url, ...workflow, ...more };
  return system.ask("POST", `/api/replay/${id}`, body, headers);
}

const asSession = ({ mode, ...members }: Readonly<Record<string, unknown>>) => ({ ...members, processing_mode: mode });

test.each(Object.entries(kinds))("%s: a replay's signals are those of then", async (id, body) => {
  const hook = await receiver();

  expect((await replay(`same-${id}`, hook, asSession(body as Record<string, unknown>))).status).toBe(201);

  const session = await system.ended(`same-${id}`);
  expect(session).toMatchObject({ state: "finished", reason: null, log: "topic", errors: 0, progress: 1 });
  const found = bodiesOf(hook);
  expect(found.length).toBeGreaterThan(1);
  expect(found).toEqual(signalsOf(id, "a", "b"));
  expect(session["signals_sent"]).toBe(found.length);
});

test("step by step: one detection of the asked tracks at a time, and no step beyond the last", async () => {
  const hook = await receiver();
  await replay("manual", hook, { mode: "manual", track_ids: ["a"] });
  const expected = signalsOf("tracks", "a");
  const names: string[] = [];

  for (let step = 1; step < expected.length; step++) {
    const { status, body } = await system.ask("POST", "/api/replay/manual/step", step === 1 ? undefined : {});
    expect(status).toBe(200);
    names.push(body.state);
    const isLast = step === expected.length - 1;
    expect(bodiesOf(hook)).toEqual(expected.slice(0, isLast ? undefined : step));
  }

  expect(names).toEqual([...names.slice(1).map(() => "paused"), "finished"]);
  const beyond = await system.ask("POST", "/api/replay/manual/step", { count: 2 });
  expect(beyond.status).toBe(409);
  expect((await system.ask("POST", "/api/replay/absent/step", {})).status).toBe(404);
});

test("deliveries are signed, and the secret is shown once", async () => {
  const hook = await receiver();
  const { body } = await replay("signed", hook);
  await system.ended("signed");

  const [first] = hook.received;
  expect(new Webhook(body.secret).verify(first?.text ?? "", first?.headers as Record<string, string>)).toBeDefined();
  expect((await system.ask("GET", "/api/replay/signed")).body).not.toHaveProperty("secret");
});

test("it goes at the recorded pace, which another process takes up where the one before stopped", async () => {
  const hook = await receiver();
  const asked = Date.now();
  await replay("paced", hook, { speed: 4 });
  expect((await replay("paced", hook)).status).toBe(409);
  await until(() => hook.received.length >= 4);

  await stopReplay();
  stopReplay = await system.startReplay();

  await system.ended("paced");
  const ids = hook.received.map(({ id }) => id);
  expect(bodiesOf(hook).filter((_, i) => ids.indexOf(ids[i] ?? "") === i)).toEqual(signalsOf("tracks", "a", "b"));
  // From the first detection to the end of b's time to live.
  expect((hook.received.at(-1)?.at ?? 0) - asked).toBeGreaterThanOrEqual(6_100 / 4);
});

test("a session of a process that is killed goes on in another one", async () => {
  await stopReplay();
  const killed = await system.spawnReplay();
  const hook = await receiver();
  await replay("killed", hook, { speed: 2 });
  await until(() => hook.received.length >= 4);

  await killed.kill();
  stopReplay = await system.startReplay();

  expect(await system.ended("killed")).toMatchObject({ state: "finished", errors: 0 });
  const ids = hook.received.map(({ id }) => id);
  expect(bodiesOf(hook).filter((_, i) => ids.indexOf(ids[i] ?? "") === i)).toEqual(signalsOf("tracks", "a", "b"));
  // A signal that was on its way when the process died may come twice, with the same id.
  expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(1);
});

test("fifty sessions at once do not disturb one another", async () => {
  const hooks = await Promise.all(Array.from({ length: 50 }, () => receiver()));

  await Promise.all(hooks.map((hook, i) => replay(`many-${i}`, hook, { speed: i % 2 === 0 ? "max" : 20 })));

  // One after the other: fifty callers that ask again and again would take the time of the sessions.
  const sessions: Awaited<ReturnType<typeof system.ended>>[] = [];
  for (const [i] of hooks.entries()) sessions.push(await system.ended(`many-${i}`));
  expect(sessions.filter(({ state }) => state !== "finished")).toEqual([]);
  const expected = signalsOf("tracks", "a", "b");
  for (const hook of hooks) expect(bodiesOf(hook)).toEqual(expected);
  const { groups } = await system.installation.admin.listGroups();
  const own = groups.filter(({ groupId }) => groupId.includes(`${system.installation.namespace}.replay`));
  expect(own.filter(({ groupId }) => !/\.(catalog|zones)\./.test(groupId))).toEqual([]);
});

test("a deleted session sends nothing more and leaves nothing behind", async () => {
  const hook = await receiver();
  await replay("deleted", hook, { speed: 0.1 });
  await until(() => hook.received.length === 1);

  expect((await system.ask("DELETE", "/api/replay/deleted")).status).toBe(204);

  expect((await system.ask("GET", "/api/replay/deleted")).status).toBe(404);
  expect((await system.ask("DELETE", "/api/replay/deleted")).status).toBe(404);
  expect((await system.redis.keys("*")).filter((key) => key.includes("deleted"))).toEqual([]);
  await replay("after", hook, { track_ids: ["a"] });
  await system.ended("after");
  expect(bodiesOf(hook).slice(1)).toEqual(signalsOf("tracks", "a"));
});

test("a deleted session sends nothing more, also when the notice of its deletion is lost", async () => {
  await stopReplay();
  stopReplay = await system.startReplay({ REPLAY_RETRY_FOR_MS: "60000" });
  const held: ServerResponse[] = [];
  const hook = await receiver((response) => {
    held.push(response);
    return undefined;
  });
  await replay("unnoticed", hook);
  // While it waits for this answer, nothing else is on its way.
  await until(() => held.length >= 1);

  const { open, session } = replayKeys(system.installation.namespace);
  await system.redis.multi().del(`${session}unnoticed`).hdel(open, "unnoticed").exec();
  const sent = hook.received.length;
  for (const response of held) response.writeHead(500).end();

  // The deleted one would have tried again until this one has ended.
  await replay("beside", await receiver(), { speed: 2 });
  await system.ended("beside");
  expect(hook.received).toHaveLength(sent);
});

test("a revoked token ends its sessions, those that run, are paused or wait for room; others go on", async () => {
  await stopReplay();
  stopReplay = await system.startReplay({ REPLAY_SESSIONS: "3" });
  const [hook, slowHook, slowerHook, otherHook] = await Promise.all([receiver(), receiver(), receiver(), receiver()]);
  const token = await system.createToken("read", "write");
  await replay("stepped", hook, { mode: "manual" }, token);
  expect((await system.ask("POST", "/api/replay/stepped/step", {})).body).toMatchObject({ state: "paused", steps: 1 });
  // The second of them has the place of the one that waits for a step.
  await replay("slow", slowHook, { speed: 0.1 }, token);
  await replay("slower", slowerHook, { speed: 0.1 }, token);
  await until(() => slowHook.received.length >= 1 && slowerHook.received.length >= 1);
  // The last slot is left for others.
  await replay("waiting", hook, {}, token);
  await replay("other", otherHook);
  expect(await system.ended("other")).toMatchObject({ state: "finished", errors: 0 });
  expect((await system.ask("GET", "/api/replay/waiting")).body).toMatchObject({ state: "running", log: null });

  await system.revokeToken(token);

  for (const id of ["slow", "slower", "stepped", "waiting"]) {
    expect(await system.ended(id)).toMatchObject({ state: "failed", reason: "its token was revoked" });
  }
  expect(bodiesOf(otherHook)).toEqual(signalsOf("tracks", "a", "b"));
});

test("a session that waits for a step gives its place to others, and goes on behind its last delivery", async () => {
  await stopReplay();
  stopReplay = await system.startReplay({ REPLAY_SESSIONS: "1" });
  const [hook, otherHook] = [await receiver(), await receiver()];
  const step = async () => (await system.ask("POST", "/api/replay/giving/step", {})).body;
  await replay("giving", hook, { mode: "manual", track_ids: ["a"] });
  await step();
  const halfway = await step();
  expect(halfway).toMatchObject({ state: "paused", steps: 2 });

  await replay("taking", otherHook);

  expect(await system.ended("taking")).toMatchObject({ state: "finished", errors: 0 });
  expect((await system.ask("GET", "/api/replay/giving")).body).toEqual(halfway);
  expect(await step()).toMatchObject({ state: "paused", steps: 3 });
  const expected = signalsOf("tracks", "a");
  await system.ask("POST", "/api/replay/giving/step", { count: expected.length });
  expect(await system.ended("giving")).toMatchObject({ state: "finished", errors: 0 });
  expect(bodiesOf(hook)).toEqual(expected);
});

test("a session that nobody steps ends, also when its process has stopped meanwhile", async () => {
  await stopReplay();
  stopReplay = await system.startReplay({ REPLAY_IDLE_MS: "1000" });
  const hook = await receiver();
  await replay("idle", hook, { mode: "manual" });
  const { session } = replayKeys(system.installation.namespace);
  await until(async () => (await system.redis.hexists(`${session}idle`, "idleUntil")) === 1);

  await stopReplay();
  stopReplay = await system.startReplay();

  expect(await system.ended("idle")).toMatchObject({ state: "failed", reason: expect.stringContaining("for a step") });
  expect(hook.received).toEqual([]);
});

test("a receiver that is gone, one that fails, and unknown tracks end a session with the reason", async () => {
  const gone = await receiver(answering(410));
  const failing = await receiver(answering(500));
  await replay("gone", gone);
  await replay("failing", failing);
  await replay("unknown", failing, { track_ids: ["a", "nobody"] });

  expect(await system.ended("gone")).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("410"),
    errors: 1,
  });
  const failed = await system.ended("failing");
  expect(failed).toMatchObject({
    state: "failed",
    errors: 3,
    signals_sent: 0,
    last_error: "the receiver answered 500",
  });
  const unknown = await system.ended("unknown");
  expect(unknown).toMatchObject({ state: "failed", reason: expect.stringContaining("nobody") });
});

test.each([
  ["no tracks", { track_ids: [] }],
  ["too many tracks", { track_ids: Array.from({ length: 101 }, (_, i) => `t${i}`) }],
  ["an unknown mode", { mode: "fast" }],
  ["a speed that is too low", { speed: 0.01 }],
  ["zones in batches", { processing_mode: "batch", signal_type: "zone_state" }],
  ["chronicles", { signal_type: "activity_chronicle" }],
  ["an interval that is too short", { processing_mode: "batch", batch_interval: 0.5 }],
  ["a private address", { webhook_url: "http://10.0.0.1/hook" }],
])("%s: 400", async (_what, body) => {
  const hook = await receiver();

  const answer = await replay("bad", hook, body);

  expect(answer.status).toBe(400);
  expect(answer.body.errors).not.toEqual([]);
});

test("the history gives as much at a time as is asked for, and all of it in the end", async () => {
  const window = { dataSourceIds: ["cam"], from: T0, to: T0 + 5_000 };
  const offsets = await offsetsOf(system.history, window, 0);
  if (offsets === undefined) throw new Error("the history has no detections");
  const portionOf = (bytes: number, after?: StoredDetection) =>
    detectionsInOrder(system.history, { ...window, offsets, limit: 100, after, bytes });

  const found: StoredDetection[] = [];
  for (let isCut = true; isCut; ) {
    const portion = await portionOf(1, found.at(-1));
    expect(portion.detections).toHaveLength(1);
    found.push(...portion.detections);
    isCut = portion.isCut;
  }

  expect(found.length).toBeGreaterThan(20);
  expect(await portionOf(1_000_000)).toEqual({ detections: found, isCut: false });
});

test("what the log has forgotten is replayed from the history", async () => {
  const { admin, topic } = system.installation;
  const ranges = await admin.fetchTopicOffsets(topic("camera-log"));
  await admin.deleteTopicRecords({
    topic: topic("camera-log"),
    partitions: ranges.map(({ partition, high }) => ({ partition, offset: high })),
  });
  await system.record(recorded(at("late", 100_000, OUTSIDE)));
  const hook = await receiver();

  await replay("forgotten", hook);

  expect(await system.ended("forgotten")).toMatchObject({ state: "finished", log: "history" });
  expect(bodiesOf(hook)).toEqual(signalsOf("tracks", "a", "b"));
});
