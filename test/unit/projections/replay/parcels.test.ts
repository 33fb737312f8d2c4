import { expect, test } from "vitest";
import { createParcels } from "../../../../projections/replay/parcels.ts";
import { configBytes } from "../../../../projections/webhooks/deliveries/payload.ts";
import type { SignalRaised } from "../../../../schemas/records/signal-raised.ts";
import { noFilters } from "../../../support/scenes/no-filters.ts";
import { subscriptionSet } from "../../../support/scenes/signals.ts";

const signal = (timestamp: number, state = "{}"): SignalRaised => ({
  ...{
    id: `s${timestamp}`,
    subscriptionId: "v",
    generation: 0,
    signal: "track_expired",
    subjectId: "t",
    dataSourceId: null,
  },
  ...{ timestamp, state },
  ...{ emitReason: null, expiredBy: "end_time", cause: { topic: "camera-log", partition: 0, offset: 1, index: 0 } },
});

const parcelsOf = (mode: "streaming" | "batch") =>
  createParcels({ subscription: { ...subscriptionSet("v", "http://x"), secrets: [], mode, batchInterval: 10 } });

const timesOf = (parcels: readonly { readonly at: number; readonly signals: readonly SignalRaised[] }[]) =>
  parcels.map(({ at, signals }) => [at, signals.map(({ timestamp }) => timestamp)]);

test("each signal goes out alone, at its time", () => {
  const parcels = parcelsOf("streaming");

  expect(timesOf([...parcels.add(signal(1)), ...parcels.add(signal(2)), ...parcels.finish()])).toEqual([
    [1, [1]],
    [2, [2]],
  ]);
});

test("a batch has the signals of an interval of event time from its first one on, and goes out at its end", () => {
  const parcels = parcelsOf("batch");
  const found = [0, 9_999, 10_000, 40_000].flatMap((at) => parcels.add(signal(at)));

  expect(timesOf([...found, ...parcels.finish(), ...parcels.finish()])).toEqual([
    [10_000, [0, 9_999]],
    [20_000, [10_000]],
    [50_000, [40_000]],
  ]);
});

test("a batch is due at the end of its interval, also before another signal comes", () => {
  const parcels = parcelsOf("batch");
  parcels.add(signal(0));

  expect(parcels.due(9_999)).toEqual([]);
  expect(timesOf(parcels.due(10_000))).toEqual([[10_000, [0]]]);
  expect([...parcels.due(10_000), ...parcels.finish()]).toEqual([]);
});

test("a batch is full with what each of its signals repeats of the session", () => {
  const filters = { ...noFilters, dataSourceIds: Array.from({ length: 1_000 }, (_, i) => `${i}`.padEnd(60, "x")) };
  const subscription = { ...subscriptionSet("v", "http://x"), secrets: [], mode: "batch" as const, filters };
  const parcels = createParcels({ subscription: { ...subscription, batchInterval: 10 } });

  const found = Array.from({ length: 1_000 }, (_, i) => signal(i)).flatMap(parcels.add);

  const bytes = found.map(({ signals }) => signals.length * configBytes(subscription));
  expect(Math.max(...bytes)).toBeLessThan(4 * 1024 * 1024);
  expect(found.length).toBeGreaterThan(10);
});

test("a batch that is full goes out before", () => {
  const parcels = parcelsOf("batch");
  const many = Array.from({ length: 1_001 }, (_, i) => signal(i)).flatMap(parcels.add);
  const large = ["x".repeat(3_000_000), "x".repeat(3_000_000)].flatMap((state) => parcels.add(signal(2_000, state)));

  expect(many.map(({ signals }) => signals.length)).toEqual([1_000]);
  expect(large.map(({ signals }) => signals.length)).toEqual([2]);
});
