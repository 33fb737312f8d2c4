import { expect, test } from "vitest";
import { createSlots, type Wish } from "../../../services/webhooks/slots.ts";

const never = new AbortController().signal;

/** Whether the wish is fulfilled at once. */
async function isGiven(taking: Promise<unknown>): Promise<boolean> {
  const pending = Symbol();
  return (await Promise.race([taking, Promise.resolve().then(() => Promise.resolve(pending))])) !== pending;
}

const wish = (given: Partial<Wish> = {}): Wish => ({ origin: "https://a", isTroubled: false, ...given });

test("an origin has no more than its share, and others go on", async () => {
  const slots = createSlots({ all: 10, perOrigin: 2 });
  const first = await slots.take(wish(), never);
  await slots.take(wish(), never);

  const third = slots.take(wish(), never);

  expect(await isGiven(third)).toBe(false);
  expect(await isGiven(slots.take(wish({ origin: "https://b" }), never))).toBe(true);
  first?.();
  expect(await third).toBeDefined();
});

test("troubled receivers leave half of the slots to the others", async () => {
  const slots = createSlots({ all: 4, perOrigin: 4 });
  const troubled = wish({ isTroubled: true });
  await slots.take(troubled, never);
  await slots.take(troubled, never);

  expect(await isGiven(slots.take(troubled, never))).toBe(false);
  expect(await isGiven(slots.take(wish(), never))).toBe(true);
  expect(await isGiven(slots.take(wish(), never))).toBe(true);
});

test("who waits is served in turn, and whoever gives up takes nothing", async () => {
  const slots = createSlots({ all: 2, perOrigin: 1 });
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
