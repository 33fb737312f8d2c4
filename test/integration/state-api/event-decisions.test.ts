// Decisions of several instances over one Redis and a log that is slow, fails, and acknowledges late.
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { decide } from "../../../projections/event-state/decide.ts";
import type { CurrentEvent, EventRequest } from "../../../projections/event-state/types.ts";
import { AppError, unavailable } from "../../../schemas/errors.ts";
import { type EventStateKeys, eventStateKeys } from "../../../schemas/redis-keys.ts";
import { createLog } from "../../../services/common/log.ts";
import { createDecisions } from "../../../services/state-api/events/decisions.ts";
import { createRestore } from "../../../services/state-api/events/restore.ts";
import { createEventStore } from "../../../services/state-api/events/store.ts";
import { until } from "../../support/running/processes.ts";
import { useRedis } from "../../support/running/redis.ts";
import { checked, HOUR, updated } from "../../unit/projections/event-state/events.ts";
import { below, createRandom } from "../../unit/projections/live/random-log.ts";

const log = createLog("test", "silent");
const times = { leaseMs: HOUR, keepMs: HOUR };
const { client: redis, namespace } = useRedis("events", 1);
let worlds = 0;

type Weather = () => Promise<void>;

/** A separate log and separate keys; `before` and `after` a message is appended, the weather may delay or fail. */
async function createWorld(maxEventsPerToken = 1_000) {
  const keys = eventStateKeys(`${namespace}-${worlds++}`);
  await redis.set(keys.marker, "whole");
  const restored = { markerValue: async () => "whole", lost: () => undefined };
  const store = createEventStore({ redis, keys, restored, keepMs: HOUR, maxEvents: 1_000, maxEventsPerToken });
  const appended: { readonly key: string; readonly state: CurrentEvent }[] = [];

  function instance(before: Weather, after: Weather) {
    const write = async (key: string, state: CurrentEvent) => {
      await before();
      const offset = appended.push({ key, state }) - 1;
      await after();
      return offset;
    };
    const journal = { write, read: async () => [], logId: async () => "" };
    const decisions = createDecisions({ store, journal, log, stopped: new AbortController().signal });
    return async (scopeId: string, asked: EventRequest, laterMs = 0, by?: string): Promise<string> => {
      try {
        const decideLater = (state: CurrentEvent, now: number) =>
          decide(state, asked, { now: now + laterMs, ...times });
        const outcome = await decisions.decide({ scopeId, workflowId: "wf" }, decideLater, by);
        return "refused" in outcome ? outcome.refused : outcome.action;
      } catch (error) {
        if (error instanceof AppError && error.code === "UNAVAILABLE") return "unavailable";
        throw error;
      }
    };
  }

  /** Returns the last state of an event: compaction keeps this one. */
  const lastOf = (scopeId: string) => appended.findLast(({ key }) => key === JSON.stringify([scopeId, "wf"]))?.state;
  const storedOf = async (scopeId: string) => (await store.load({ scopeId, workflowId: "wf" })).entry?.state;
  const keysLeft = () => redis.keys(`${keys.marker.slice(0, -"complete".length)}*`);
  return { instance, lastOf, storedOf, appended, keysLeft, keys };
}

const calm: Weather = async () => undefined;
const met = (scopeId: string) => checked(true, { scopeId, scopeType: "zone" });
const notMet = (scopeId: string) => checked(false, { scopeId, scopeType: "zone" });
const wait = { kind: "wait" } as const;

test("a caller that was refused because the log is away hears the same when it repeats the request", async () => {
  const world = await createWorld();
  let away = true;
  const ask = world.instance(async () => {
    if (away) throw unavailable("away", 1_000);
  }, calm);

  expect([await ask("z", met("z")), await ask("z", met("z"))]).toEqual(["unavailable", "unavailable"]);
  away = false;
  expect([await ask("z", met("z")), await ask("z", met("z"))]).toEqual(["create_event", "no_action"]);

  await ask("z", updated({ globalEventId: "e" }));
  away = true;
  expect(await ask("z", notMet("z"))).toBe("unavailable");
  away = false;
  expect([await ask("z", notMet("z")), await ask("z", notMet("z"))]).toEqual(["close_event", "no_action"]);
});

test("a caller whose answer from the log got lost hears the same when it repeats the request", async () => {
  const world = await createWorld();
  let lost = true;
  const ask = world.instance(calm, async () => {
    if (lost) throw unavailable("lost", 1_000);
  });

  expect(await ask("z", met("z"))).toBe("unavailable");
  lost = false;
  expect([await ask("z", met("z")), await ask("z", met("z"))]).toEqual(["create_event", "no_action"]);
});

test("an event that was forgotten leaves nothing in Redis and a tombstone in the log", async () => {
  const world = await createWorld();
  const ask = world.instance(calm, calm);
  await ask("z", met("z"));
  await ask("z", updated({ state: "closed" }));
  const last = world.lastOf("z")?.version ?? 0;

  await ask("z", wait, 2 * HOUR);

  expect(world.appended.at(-1)?.state).toBeUndefined();
  expect(await world.keysLeft()).toHaveLength(1);
  expect(await ask("z", met("z"), 2 * HOUR)).toBe("create_event");
  expect(world.lastOf("z")?.version).toBeGreaterThan(last);
});

test("one token has so many events and no more, and has room again when one is forgotten", async () => {
  const world = await createWorld(2);
  const ask = world.instance(calm, calm);
  const begin = (scopeId: string, by: string) => ask(scopeId, met(scopeId), 0, by);

  expect([await begin("a", "ours"), await begin("b", "ours"), await begin("c", "ours")]).toEqual([
    ...["create_event", "create_event"],
    "full",
  ]);
  expect(await begin("c", "theirs")).toBe("create_event");
  expect(await begin("a", "ours")).toBe("no_action");

  await ask("a", updated({ state: "closed" }));
  await ask("a", wait, 2 * HOUR);
  expect([await begin("d", "ours"), await begin("e", "ours")]).toEqual(["create_event", "full"]);

  for (const scopeId of ["b", "c", "d"]) {
    await ask(scopeId, updated({ state: "closed" }));
    await ask(scopeId, wait, 2 * HOUR);
  }
  expect(await world.keysLeft()).toHaveLength(1);
});

/** A version of state-api that knows no count per token forgets an event so. */
async function forgetUncounted(keys: EventStateKeys, scopeId: string): Promise<void> {
  const key = JSON.stringify([scopeId, "wf"]);
  await redis.multi().del(keys.event(key), keys.scope(scopeId)).zrem(keys.due, key).exec();
}

test("a count of a token's events that an older version left too high is mended before a caller is refused", async () => {
  const world = await createWorld(2);
  const ask = world.instance(calm, calm);
  for (const scopeId of ["a", "b"]) await ask(scopeId, met(scopeId), 0, "ours");
  await ask("c", met("c"), 0, "theirs");
  await forgetUncounted(world.keys, "a");

  expect(await ask("d", met("d"), 0, "ours")).toBe("create_event");

  expect(await redis.hgetall(world.keys.tokens)).toEqual({ ours: "2", theirs: "1" });
  expect(await ask("e", met("e"), 0, "ours")).toBe("full");
});

test("when states are restored, the events of each token are counted anew", async () => {
  const { keys, instance } = await createWorld();
  const ask = instance(calm, calm);
  for (const scopeId of ["a", "b"]) await ask(scopeId, met(scopeId), 0, "ours");
  await ask("c", met("c"), 0, "gone");
  for (const scopeId of ["a", "c"]) await forgetUncounted(keys, scopeId);

  const journal = { write: async () => 0, read: async () => [], logId: async () => "" };
  await createRestore({ redis, keys, journal, keepMs: HOUR, log })(false);

  expect(await redis.hgetall(keys.tokens)).toEqual({ ours: "1" });
});

test.each([1, 4, 6, 13, 23])(
  "whatever the log does (%s): one caller creates, one closes, and the newest state is the last in the log",
  async (seed) => {
    const world = await createWorld();
    const random = createRandom(seed);
    const storm: Weather = async () => {
      await delay(below(random, 6) === 0 ? 40 : below(random, 4));
      if (below(random, 6) === 0) throw unavailable("storm", 1_000);
    };
    const instances = Array.from({ length: 3 }, () => world.instance(storm, storm));
    const scopes = Array.from({ length: 12 }, (_, i) => `z${i}`);

    /** Repeats until it is told something, and does that; gives what it was told. */
    async function call(
      ask: (typeof instances)[number],
      scope: string,
      id: string,
      asked: EventRequest,
    ): Promise<string> {
      let action = await ask(scope, asked);
      while (action === "unavailable") action = await ask(scope, asked);
      const done = { create_event: { globalEventId: id }, close_event: { state: "closed" } as const };
      if (action !== "create_event" && action !== "close_event") return action;
      await until(async () => {
        const answer = await ask(scope, updated(done[action]));
        expect(["no_action", "unavailable"]).toContain(answer);
        return answer === "no_action";
      });
      return action;
    }

    async function callers(scope: string, asked: EventRequest): Promise<string[]> {
      const calls = Array.from({ length: 12 }, async (_, i) => {
        const ask = instances[i % instances.length];
        const received: string[] = [];
        for (let round = 0; ask !== undefined && round < 5; round++)
          received.push(await call(ask, scope, `e${i}`, asked));
        return received;
      });
      return (await Promise.all(calls)).flat();
    }

    await Promise.all(
      scopes.map(async (scope) => {
        const cooled = { scopeId: scope, scopeType: "zone", cooldownHours: 1 } as const;
        const created = await callers(scope, checked(true, cooled));
        const closed = await callers(scope, checked(false, cooled));
        expect(created.filter((action) => action === "create_event")).toHaveLength(1);
        expect(closed.filter((action) => action === "close_event")).toHaveLength(1);
      }),
    );

    const last = world.instance(calm, calm);
    for (const scope of scopes) {
      await last(scope, wait);
      const stored = await world.storedOf(scope);
      expect(stored?.state).toBe("closed");
      expect(world.lastOf(scope)).toEqual(stored);
    }
  },
);
