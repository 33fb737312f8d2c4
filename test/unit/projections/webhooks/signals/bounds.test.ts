import { expect, test } from "vitest";
import { type Subscribed, subscribersOf } from "../../../../../projections/webhooks/signals/subscribers.ts";
import { T0 } from "../../live/camera.ts";
import { inBatches, ofZones, subscribed } from "./subscribed.ts";

/** The first is the youngest. */
const many = (count: number, make: (i: number) => Subscribed): Subscribed[] =>
  Array.from({ length: count }, (_, i) => ({ ...make(i), key: `s${i}`, createdAt: T0 - i }));

function receivedOf(subscriptions: readonly Subscribed[]) {
  const { tracks = [], zones = [], batches = [], leftOut = [] } = subscribersOf(subscriptions) ?? {};
  return { count: tracks.length + zones.length + batches.length, leftOut };
}

test("a data source tells 600 subscriptions; the youngest beyond them are left out", () => {
  const subscriptions = many(602, () => subscribed());

  expect(receivedOf(subscriptions)).toEqual({ count: 600, leftOut: ["s1", "s0"] });
  expect(receivedOf([...subscriptions].reverse())).toEqual({ count: 600, leftOut: ["s1", "s0"] });
});

test("a data source has 24 different pairs of thresholds, which any number of batches may have", () => {
  const distinct = many(25, (i) => inBatches({ pixelProximityThreshold: i }));
  const shared = many(600, (i) => inBatches({ pixelProximityThreshold: i % 24 }));

  expect(receivedOf(distinct)).toEqual({ count: 24, leftOut: ["s0"] });
  expect(receivedOf(shared)).toEqual({ count: 600, leftOut: [] });
});

test("a data source has 96 different views: lists of tags, in whatever order and case, and with thresholds in batches", () => {
  const tags = (i: number) => ({ filters: { tags: ["a", `t${i}`] } });
  const sameTags = (i: number) => ({ filters: { tags: i % 2 === 0 ? ["a", "B"] : ["b", "A"] } });

  expect(receivedOf(many(98, (i) => ofZones(tags(i)))).leftOut).toEqual(["s1", "s0"]);
  expect(receivedOf(many(98, (i) => inBatches(tags(i)))).leftOut).toEqual(["s1", "s0"]);
  expect(receivedOf(many(98, (i) => ofZones(sameTags(i)))).leftOut).toEqual([]);
  expect(receivedOf(many(98, (i) => subscribed(tags(i)))).leftOut).toEqual([]);
});

test("the usual pair of thresholds, and all tags, are never left out", () => {
  const pairs = many(24, (i) => inBatches({ pixelProximityThreshold: i }));
  const lists = many(96, (i) => ofZones({ filters: { tags: [`t${i}`] } }));
  const usual = [inBatches(), ofZones()].map((each, i) => ({ ...each, key: `usual-${i}`, createdAt: T0 + 1 }));

  expect(receivedOf([...pairs, ...usual]).leftOut).toEqual([]);
  expect(receivedOf([...lists, ...usual]).leftOut).toEqual([]);
});

test("subscriptions to chronicles take no room", () => {
  const chronicles = many(1_000, () => subscribed({ signalType: "activity_chronicle" }));

  expect(receivedOf([...chronicles, subscribed({ key: "own" })])).toEqual({ count: 1, leftOut: [] });
});
