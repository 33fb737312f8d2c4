import { expect, test } from "vitest";
import { createSubscriptions } from "../../../projections/subscriptions/subscriptions.ts";
import { createRoom } from "../../../services/state-api/subscriptions/room.ts";
import { subscriptionSet } from "./subscription.ts";

type Given = Parameters<typeof subscriptionSet>[0];

function createDoor() {
  const view = createSubscriptions();
  const room = createRoom({ view, max: 10_000, maxPerToken: 10_000 });
  let offset = 0;
  const set = (key: string, given: Given) => subscriptionSet({ key, ...given }).event;
  /** Whether it was let in. */
  function post(key: string, given: Given): boolean {
    const event = set(key, given);
    try {
      room.enter(view.get(key), event)();
    } catch (error) {
      expect(error).toMatchObject({ kind: "too-many-subscriptions", status: 409 });
      return false;
    }
    view.apply({ type: "SubscriptionSet", event }, offset++);
    return true;
  }
  return { post, enter: (key: string, given: Given) => room.enter(undefined, set(key, given)) };
}

const batch = (pixels: number, given: Given = {}): Given => ({
  ...{ mode: "batch", pixelProximityThreshold: pixels },
  ...given,
});
const at = (...dataSourceIds: string[]): Given => ({ filters: { dataSourceIds } });
const inSite = (...siteIds: string[]): Given => ({ filters: { siteIds } });

test("a token's subscriptions have few different settings at a data source, and leave room to those of others", () => {
  const { post } = createDoor();

  const own = [0, 1, 2, 3, 4].map((i) => post(`own-${i}`, batch(i)));
  const others = [5, 6].map((i) => post(`other-${i}`, batch(i, { tokenId: "token-2" })));

  expect(own).toEqual([true, true, true, true, false]);
  expect(others).toEqual([true, true]);
  expect(post("same", batch(3))).toBe(true);
  expect(post("own-0", batch(4))).toBe(true);
  expect(post("chronicles", { signalType: "activity_chronicle" })).toBe(true);
});

test("all tokens together have a bound as well", () => {
  const { post } = createDoor();
  const answers = Array.from({ length: 9 }, (_, i) => post(`s${i}`, batch(i, { tokenId: `token-${i}` })));

  expect(answers).toEqual([...Array.from({ length: 8 }, () => true), false]);
});

test("those that name a data source, those to each site and those to all are counted apart", () => {
  const { post } = createDoor();
  const places = { a: at("a"), b: at("b", "c"), here: inSite("here"), there: inSite("there", "a"), all: {} };
  for (const [name, place] of Object.entries(places)) {
    for (let i = 0; i < 4; i++) expect(post(`${name}-${i}`, batch(i, place)), name).toBe(true);
  }

  for (const place of Object.values(places)) expect(post("more", batch(4, place))).toBe(false);
  expect(post("more", batch(4, at("d", "c")))).toBe(false);
  expect(post("more", batch(3, at("a", "b", "c", "d")))).toBe(true);
  expect(post("more-d", batch(4, at("d")))).toBe(true);
});

test("a token's 251st subscription to one data source is refused, and so is one that is asked for meanwhile", () => {
  const { post, enter } = createDoor();
  for (let i = 0; i < 249; i++) post(`s${i}`, at("cam"));
  const leave = enter("entering", at("cam"));

  expect(post("last", at("cam"))).toBe(false);
  leave();
  expect(post("last", at("cam"))).toBe(true);
  expect(post("more", at("cam"))).toBe(false);
  expect(post("s0", { ...at("cam"), webhookUrl: "https://hooks.example.com/b" })).toBe(true);
});
