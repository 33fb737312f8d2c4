import { expect, test } from "vitest";
import { tooManyRequests } from "../../../../../schemas/errors.ts";
import { createSlots } from "../../../../../services/common/fairness/slots.ts";

function slotsOf(max: number, maxWaiting = 100) {
  const slots = createSlots({
    max,
    maxWaiting: () => maxWaiting,
    refusal: (caller) => tooManyRequests(`too many of ${caller}`),
  });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, signal?: AbortSignal) =>
    slots.run(
      name[0] ?? "",
      () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      },
      signal,
    );
  /** Ends the task, and resolves when those that follow have begun. */
  const end = async (name: string) => {
    ends.get(name)?.();
    for (let i = 0; i < 10; i++) await undefined;
  };
  return { slots, begun, run, end };
}

test("a caller alone gets three quarters of the slots, and the rest of its work begins in its order", async () => {
  const { slots, begun, run, end } = slotsOf(4);
  for (let i = 1; i <= 6; i++) void run(`a${i}`);
  expect([begun, slots.running(), slots.waiting()]).toEqual([["a1", "a2", "a3"], 3, 3]);

  await end("a2");
  await end("a1");

  expect(begun).toEqual(["a1", "a2", "a3", "a4", "a5"]);
});

test("a caller that comes while another one has much work waiting begins at once, and soon has as many slots", async () => {
  const { begun, run, end } = slotsOf(4);
  for (let i = 1; i <= 9; i++) void run(`a${i}`);
  for (let i = 1; i <= 4; i++) void run(`b${i}`);
  expect(begun).toEqual(["a1", "a2", "a3", "b1"]);

  await end("a1");
  expect(begun.at(-1)).toBe("b2");
  await end("a2");
  expect(begun.at(-1)).toBe("a4");
  await end("b1");
  expect(begun.at(-1)).toBe("b3");
});

test("no slot stays free while a caller waits that has fewer than its part", async () => {
  const { slots, run } = slotsOf(8);
  for (const caller of ["a", "b", "c"]) for (let i = 1; i <= 9; i++) void run(`${caller}${i}`);

  expect(slots.running()).toBe(8);
});

test("a task beyond those that may wait is refused, and other callers' tasks are not", async () => {
  const { begun, run, slots } = slotsOf(2, 2);
  for (let i = 1; i <= 3; i++) void run(`a${i}`);

  await expect(run("a4")).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", message: "too many of a" });
  void run("b1");

  expect([begun, slots.waiting()]).toEqual([["a1", "b1"], 2]);
});

test("a caller that has gone leaves the line, and takes no slot", async () => {
  const { begun, run, end, slots } = slotsOf(1);
  const gone = new AbortController();
  void run("a1");
  const left = run("a2", gone.signal);
  void run("a3");
  gone.abort();

  await expect(left).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(run("a4", gone.signal)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await end("a1");
  expect([begun, slots.running(), slots.waiting()]).toEqual([["a1", "a3"], 1, 0]);
});

test("work that fails gives its slot back, and the caller gets its error", async () => {
  const { slots } = slotsOf(2);
  const fail = () => Promise.reject(new Error("broken"));

  await expect(slots.run("a", fail)).rejects.toThrow("broken");
  await expect(slots.run("a", async () => 5)).resolves.toBe(5);
  expect([slots.running(), slots.waiting()]).toEqual([0, 0]);
});

test("one slot is enough for everybody, one after the other", async () => {
  const { begun, run, end } = slotsOf(1);
  for (const name of ["a1", "a2", "b1"]) void run(name);

  for (const name of ["a1", "a2", "b1"]) await end(name);
  await end("b1");

  expect(begun.toSorted()).toEqual(["a1", "a2", "b1"]);
});
