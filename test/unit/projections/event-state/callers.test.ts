// Many callers ask for one event in any order, do what they are told, or die. What they were told is compared with the
// promises, by an observer that knows no state: only who was told what, when, and what the callers reported.
import { expect, test } from "vitest";
import { below, createRandom, type Random } from "../live/random-log.ts";
import { checked, createEvent, MINUTE, times, updated } from "./events.ts";

const HOUR = 60 * MINUTE;
const SECONDS = [0, 1, 20, 59, 60, 61, 600, 1_800, 3_600, 90_000];

interface Task {
  readonly doing: "create" | "close";
  readonly id: string;
}

interface Life {
  readonly createdAt: number;
  readonly cooldownMs: number;
  readonly autoCloseAt: number;
  id: string | undefined;
  closeReported: number | undefined;
  closedAt: number | undefined;
}

/** When the event ended by what was reported, or by time. */
function endOf(life: Life): number {
  const byClosing = life.closeReported === undefined ? Number.POSITIVE_INFINITY : life.closeReported + times.leaseMs;
  const byItself = life.closeReported === undefined ? life.autoCloseAt : byClosing;
  return Math.min(life.closedAt ?? Number.POSITIVE_INFINITY, byItself);
}

function play(random: Random): void {
  const event = createEvent();
  const tasks: Task[] = [];
  let life: Life | undefined;
  let version = 0;

  function reported(action: string, now: number, hours: { cooldownHours: number; autoCloseHours: number }): void {
    if (action === "create_event") {
      if (life !== undefined && life.id === undefined) {
        expect(now, "one creates at a time").toBeGreaterThanOrEqual(life.createdAt + times.leaseMs);
      } else if (life !== undefined) {
        expect(now, "one event lives at a time, and the cooldown is kept").toBeGreaterThanOrEqual(
          endOf(life) + life.cooldownMs,
        );
      }
      const autoCloseAt = hours.autoCloseHours === 0 ? Number.POSITIVE_INFINITY : now + hours.autoCloseHours * HOUR;
      life = {
        ...{ createdAt: now, cooldownMs: hours.cooldownHours * HOUR, autoCloseAt },
        ...{ id: undefined, closeReported: undefined, closedAt: undefined },
      };
      tasks.push({ doing: "create", id: `e${now}` });
    }
    if (action === "update_event" || action === "close_event") {
      expect(life?.id, "only an event that was created is updated or closed").toBeDefined();
      expect(life && endOf(life) > now, "a closed event stays closed").toBe(true);
    }
    if (action === "close_event" && life !== undefined) {
      expect(life.closeReported, "one closes").toBeUndefined();
      life.closeReported = now;
      tasks.push({ doing: "close", id: life.id ?? "" });
    }
  }

  function work(now: number): void {
    const [task] = tasks.splice(below(random, tasks.length), 1);
    if (task === undefined || below(random, 4) === 0) return;
    const done = event.ask(
      updated(task.doing === "create" ? { globalEventId: task.id } : { globalEventId: task.id, state: "closed" }),
    );
    if (life === undefined || done !== "no_action") return;
    // A caller that closes too late may meet the next event, which has no id yet.
    life.id ??= task.id;
    if (task.doing === "close" && endOf(life) > now) life.closedAt = now;
  }

  for (let step = 0; step < 200; step++) {
    const now = event.now();
    const hours = {
      cooldownHours: [0, 0, 0.5, 3][below(random, 4)] ?? 0,
      autoCloseHours: [0, 0.01, 24][below(random, 3)] ?? 0,
    };
    if (below(random, 3) === 0) work(now);
    else if (below(random, 8) === 0) event.ask({ kind: "wait" });
    else {
      const met = below(random, 3) > 0;
      const action = event.ask(checked(met, hours));
      if (!met) expect(["close_event", "no_action"]).toContain(action);
      reported(action, now, hours);
    }
    const state = event.state();
    if (state !== undefined && state.version !== version) {
      expect(state.version, "the version grows").toBeGreaterThan(version);
      version = state.version;
    }
    event.wait((SECONDS[below(random, SECONDS.length)] ?? 0) * 1_000);
  }
}

test("of many callers one creates, one closes, a closed event stays closed and its cooldown is kept", () => {
  for (let seed = 1; seed <= 100; seed++) {
    try {
      play(createRandom(seed));
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
});
