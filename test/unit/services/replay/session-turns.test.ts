// Redis knows how a session should go on before the notice comes, and also when it is lost.
import { expect, test } from "vitest";
import type { Steering } from "../../../../projections/replay/session.ts";
import type { Control } from "../../../../services/replay/control.ts";
import { createSessionTurns, SessionIdle } from "../../../../services/replay/session-turns.ts";

const HELD: Steering = { isHeld: true, granted: 0, speed: 1 };

/** @param renewed what each renewal of the claim learns; the last one counts for all further ones. */
function createTurns(idleMs: number, ...renewed: readonly Steering[]) {
  let steering = HELD;
  let renewals = 0;
  const calls: string[] = [];
  const signal = new AbortController().signal;
  const control: Control = {
    ...{ claim: signal, signal, steering: () => steering },
    changed: async () => {},
    paused: async () => void calls.push("wait"),
    async renew() {
      steering = renewed[Math.min(renewals, renewed.length - 1)] ?? HELD;
      renewals += 1;
      calls.push("renew");
    },
  };
  const turns = createSessionTurns({
    control,
    progress: { steps: 0, stepped: () => {}, unstepped: () => false },
    idleMs,
    pause: async () => void calls.push("pause"),
    goOn: async () => void calls.push("go on"),
  });
  return { turns, calls };
}

test("steps that were requested before the pause was recorded are learned with it", async () => {
  const { turns, calls } = createTurns(60_000, { ...HELD, granted: 1 });

  await turns.beforeStep();

  expect(calls).toEqual(["pause", "renew", "go on"]);
});

test.each([
  ["resumed", { ...HELD, isHeld: false }],
  ["stepped", { ...HELD, granted: 1 }],
])("a session that is %s at the end of its wait goes on, also when the notice was lost", async (_how, steering) => {
  const { turns, calls } = createTurns(0, HELD, steering);

  await turns.beforeStep();

  expect(calls).toEqual(["pause", "renew", "renew", "go on"]);
});

test("a session that nobody steps or resumes ends", async () => {
  const { turns, calls } = createTurns(0, HELD);

  await expect(turns.beforeStep()).rejects.toThrow(SessionIdle);
  expect(calls).toEqual(["pause", "renew", "renew"]);
});
