import { expect, test } from "vitest";
import { createCatalog } from "../../../projections/catalog/catalog.ts";
import { createSubscriptions } from "../../../projections/subscriptions/subscriptions.ts";
import { createRoom } from "../../../services/state-api/subscriptions/room.ts";
import { subscriptionSet } from "./subscription.ts";

type Given = Parameters<typeof subscriptionSet>[0];

function createDoor(sources: Readonly<Record<string, readonly string[]>> = {}) {
  const view = createSubscriptions();
  const catalog = createCatalog();
  const room = createRoom({ view, catalog, max: 10_000, maxPerToken: 10_000 });
  let offset = 0;
  for (const [siteId, dataSourceIds] of Object.entries(sources)) {
    for (const dataSourceId of dataSourceIds) catalog.apply(deviceAt(siteId, dataSourceId), offset++);
  }
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

const deviceAt = (siteId: string, dataSourceId: string) =>
  ({
    type: "DeviceChanged",
    event: {
      ...{ id: `device-of-${dataSourceId}`, change: "created" as const, at: 1, cleared: [] },
      set: {
        ...{ name: "gate", enabled: true, dataSourceId, siteId, pointOfInterestId: null },
        ...{ transcoderId: null, externalId: null, address: null, position: null },
      },
    },
  }) as const;

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
  const answers = Array.from({ length: 17 }, (_, i) => post(`s${i}`, batch(i, { tokenId: `token-${i}` })));

  expect(answers.filter(Boolean)).toHaveLength(16);
  expect(answers.at(-1)).toBe(false);
});

test("subscriptions of different data sources do not count together; one to all counts with each", () => {
  const { post } = createDoor();
  for (let i = 0; i < 8; i++) expect(post(`s${i}`, batch(i, at(i < 4 ? "a" : "b")))).toBe(true);

  expect(post("to-a", batch(8, at("a")))).toBe(false);
  expect(post("to-both", batch(0, at("c", "b")))).toBe(false);
  expect(post("to-c", batch(8, at("c")))).toBe(true);
  expect(post("to-all", batch(0))).toBe(false);
});

test("subscriptions to a site count with those of its data sources", () => {
  const { post } = createDoor({ here: ["a", "b"], there: ["c"] });
  for (let i = 0; i < 2; i++) expect(post(`here-${i}`, batch(i, inSite("here")))).toBe(true);
  for (let i = 2; i < 4; i++) expect(post(`a-${i}`, batch(i, at("a")))).toBe(true);

  expect(post("a", batch(4, at("a")))).toBe(false);
  expect(post("here", batch(4, inSite("here", "elsewhere")))).toBe(false);
  expect(post("b", batch(4, at("b")))).toBe(true);
  expect(post("there", batch(4, inSite("there")))).toBe(true);
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
