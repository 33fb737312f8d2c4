import { expect, test } from "vitest";
import {
  createOperationQueue,
  type OperationQueueOptions,
} from "../../../../../services/api/subscriptions/operation-queue.ts";

const bodyBudget = {
  take: () => true,
  giveBack: () => undefined,
  turn: (_bytes: number, letIn: () => void) => letIn(),
};
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function createQueue(options: Partial<OperationQueueOptions> = {}) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = createOperationQueue({
    ...{ maxRunning: 1, maxWaiting: 2, maxBytes: 100, bodyBudget, congested: () => false, onIdle: () => {} },
    ...options,
  });
  const add = (id: string, bytes = 1) =>
    queue.add(id, {
      bytes,
      run: () => {
        begun.push(id);
        return new Promise((resolve) => ends.set(id, resolve));
      },
    });
  const end = async (id: string) => {
    ends.get(id)?.();
    await settled();
  };
  return { queue, begun, add, end };
}

test("so many run, and the next when one has ended, in the order in which they came", async () => {
  const { begun, add, end } = createQueue({ maxRunning: 2 });

  expect(["a", "b", "c", "d"].map((id) => add(id))).toEqual([true, true, true, true]);
  expect(begun).toEqual(["a", "b"]);
  await end("b");
  expect(begun).toEqual(["a", "b", "c"]);
  await end("a");
  expect(begun).toEqual(["a", "b", "c", "d"]);
});

test("beyond the number or the bytes nothing is taken, and room comes back", async () => {
  const { begun, add, end } = createQueue();

  expect([add("a", 1_000), add("b", 60), add("c", 60), add("d", 40), add("e")]).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  await end("a");
  expect(begun).toEqual(["a", "b"]);
  expect(add("f", 60)).toBe(true);
});

test("what is taken back does not run and leaves its room", async () => {
  const { queue, begun, add, end } = createQueue();
  add("a");
  add("b", 100);
  queue.remove("b");

  expect(add("c", 100)).toBe(true);
  await end("a");
  expect(begun).toEqual(["a", "c"]);
});

test("nothing begins while the client does not read, nor after the end", async () => {
  let congested = true;
  const { queue, begun, add } = createQueue({ congested: () => congested });
  add("a");
  expect(begun).toEqual([]);

  congested = false;
  queue.flush();
  expect(begun).toEqual(["a"]);
  add("b");
  queue.clear();
  queue.flush();
  expect(begun).toEqual(["a"]);
});

test("what is in line keeps its room until it is let in", async () => {
  let taken = 0;
  const turns: (() => void)[] = [];
  const lined = {
    take: (bytes: number) => {
      taken += bytes;
      return true;
    },
    giveBack: (bytes: number) => {
      taken -= bytes;
    },
    turn: (_bytes: number, letIn: () => void) => void turns.push(letIn),
  };
  const nextTurn = () => turns.shift()?.();
  const { queue, begun, add } = createQueue({ maxRunning: 2, maxWaiting: 3, bodyBudget: lined });

  expect([add("a", 10), add("b", 20), add("c", 30), add("d")]).toEqual([true, true, true, false]);
  expect(begun).toEqual([]);
  expect(taken).toBe(60 + 3 * 256);
  nextTurn();
  expect(begun).toEqual(["a"]);
  expect(taken).toBe(50 + 2 * 256);
  queue.remove("b");
  expect(taken).toBe(30 + 256);
  add("e");
  queue.clear();
  expect(taken).toBe(0);
  while (turns.length > 0) nextTurn();
  expect(begun).toEqual(["a"]);
  expect(taken).toBe(0);
});
