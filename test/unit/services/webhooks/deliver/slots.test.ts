import { expect, onTestFinished, test, vi } from "vitest";
import { createDeliverySlots, type Wish } from "../../../../../services/webhooks/deliver/slots.ts";

const never = new AbortController().signal;

/** Whether the wish is fulfilled at once. */
async function isGiven(taking: Promise<unknown>): Promise<boolean> {
  const pending = Symbol();
  return (await Promise.race([taking, Promise.resolve().then(() => Promise.resolve(pending))])) !== pending;
}

const wish = (given: Partial<Wish> = {}): Wish => ({ origin: "https://a", standing: "quick", bytes: 1, ...given });
const MIB = 1024 * 1024;

test("an origin has no more than its share, and others go on", async () => {
  const slots = createDeliverySlots({ requests: 10, bytes: MIB, perOrigin: 2 });
  const first = await slots.take(wish(), never);
  await slots.take(wish(), never);

  const third = slots.take(wish(), never);

  expect(await isGiven(third)).toBe(false);
  expect(await isGiven(slots.take(wish({ origin: "https://b" }), never))).toBe(true);
  first?.();
  expect(await third).toBeDefined();
});

test("troubled receivers leave half of the slots to the others", async () => {
  const slots = createDeliverySlots({ requests: 4, bytes: MIB, perOrigin: 4 });
  const troubled = wish({ standing: "troubled" });
  await slots.take(troubled, never);
  await slots.take(troubled, never);

  expect(await isGiven(slots.take(troubled, never))).toBe(false);
  expect(await isGiven(slots.take(wish(), never))).toBe(true);
  expect(await isGiven(slots.take(wish(), never))).toBe(true);
});

test("who waits is served in turn, and whoever gives up takes nothing", async () => {
  const slots = createDeliverySlots({ requests: 2, bytes: MIB, perOrigin: 1 });
  const release = await slots.take(wish(), never);
  const quitting = new AbortController();
  const quitter = slots.take(wish(), quitting.signal);
  const next = slots.take(wish(), never);

  quitting.abort();
  expect(await quitter).toBeUndefined();
  release?.();
  const served = await next;

  expect(served).toBeDefined();
  served?.();
  expect(await isGiven(slots.take(wish(), never))).toBe(true);
});

test("troubled and new receivers together leave a fourth of the slots to quick ones", async () => {
  const slots = createDeliverySlots({ requests: 8, bytes: MIB, perOrigin: 8 });
  const given = { troubled: 0, new: 0, quick: 0 };

  for (const standing of ["troubled", "new", "quick"] as const) {
    while (await isGiven(slots.take(wish({ standing }), never))) given[standing]++;
  }

  expect(given).toEqual({ troubled: 4, new: 2, quick: 2 });
});

test("slow and new receivers leave a fourth of each origin to its quick ones", async () => {
  const slots = createDeliverySlots({ requests: 100, bytes: MIB, perOrigin: 8 });
  const given = { troubled: 0, new: 0, quick: 0 };

  for (const standing of ["troubled", "new", "quick"] as const) {
    while (await isGiven(slots.take(wish({ standing }), never))) given[standing]++;
  }

  expect(given).toEqual({ troubled: 4, new: 2, quick: 2 });
  expect(await isGiven(slots.take(wish({ origin: "https://b", standing: "troubled" }), never))).toBe(true);
});

test("payloads are bounded in all and of each share, and one that is larger than its share goes alone", async () => {
  const slots = createDeliverySlots({ requests: 100, bytes: 8 * MIB, perOrigin: 100 });
  const huge = wish({ standing: "troubled", bytes: 100 * MIB });

  const release = await slots.take(huge, never);
  const second = slots.take(huge, never);
  expect(await isGiven(second)).toBe(false);
  expect(await isGiven(slots.take(wish({ bytes: 4 * MIB }), never))).toBe(true);
  expect(await isGiven(slots.take(wish(), never))).toBe(false);
  release?.();
  expect(await second).toBeDefined();
});

test("an origin for which many wait is served in turn with the others, whatever their standings", async () => {
  const slots = createDeliverySlots({ requests: 1, bytes: MIB, perOrigin: 1 });
  const release = await slots.take(wish(), never);
  const served: string[] = [];
  const wishes = [wish(), wish(), wish({ standing: "troubled" }), wish({ origin: "https://b" })];

  const waiting = wishes.map(async (each) => {
    const done = await slots.take(each, never);
    served.push(`${each.standing} ${each.origin}`);
    done?.();
  });
  release?.();
  await Promise.all(waiting);

  expect(served).toEqual(["quick https://a", "troubled https://a", "quick https://b", "quick https://a"]);
});

test("a slot that is given back costs the same however many wait for one origin", async () => {
  const slots = createDeliverySlots({ requests: 100, bytes: MIB, perOrigin: 1 });
  const quitting = new AbortController();
  await slots.take(wish({ origin: "https://hangs" }), never);
  const waiting = Array.from({ length: 1_000 }, () => slots.take(wish({ origin: "https://hangs" }), quitting.signal));
  const release = await slots.take(wish(), never);
  const lookedUp = vi.spyOn(Map.prototype, "get");
  onTestFinished(() => lookedUp.mockRestore());

  release?.();

  expect(lookedUp.mock.calls.length).toBeLessThan(20);
  quitting.abort();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([undefined]));
  expect(await isGiven(slots.take(wish(), never))).toBe(true);
});
