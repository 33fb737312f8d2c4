import { expect, test } from "vitest";
import type { Entities } from "../../../../../projections/catalog/define-entity.ts";
import { type Body, bodyOf, payloadOf, testPayload } from "../../../../../projections/webhooks/deliveries/payload.ts";
import { isMergeable, type WaitingSignal } from "../../../../../projections/webhooks/deliveries/waiting.ts";
import type { SubscriptionSet } from "../../../../../schemas/records/subscription.ts";

const NOW = Date.parse("2026-01-01T00:00:00.000Z");

const names = new Map([
  ["dataSource cam", { name: "Gate" }],
  ["site s1", { name: "North" }],
]);
/** The part of a catalog that payloads read here: one camera of one site. */
const catalog = {
  get: (kind: string, id: string) => names.get(`${kind} ${id}`),
  referring: (_kind: string, _field: string, id: string) => (id === "cam" ? [{ id: "7", siteId: "s1" }] : []),
} as unknown as Entities;

const subscription = {
  mode: "streaming",
  signalType: "track_state",
  batchInterval: 30,
  triggerOn: ["chronicle_created"],
  workflowId: null,
  workflowName: "gates",
  filters: { siteIds: ["s1"], dataSourceIds: ["cam"], zoneIds: [], tags: ["person"] },
} as unknown as SubscriptionSet;

const context = { subscription, catalog, now: NOW };

const waiting = (given: Partial<WaitingSignal> = {}): WaitingSignal => ({
  id: "s",
  signal: "track_updated",
  subjectId: "t1",
  timestamp: NOW,
  state: JSON.stringify({ track_id: "t1", datasource_id: "cam", datasource_name: null, site_name: null }),
  emitReason: null,
  expiredBy: null,
  createdAt: NOW,
  ...given,
});

const triggerConfig = {
  mode: "streaming",
  signal_type: "track_state",
  filters: { site_id: "s1", datasource_ids: ["cam"], zone_ids: [], tags: ["person"] },
  workflow: { id: null, name: "gates" },
};

test("a track signal has its state with the names of the catalog", () => {
  expect(payloadOf(waiting(), 0, context)).toEqual({
    signal: "track_updated",
    track_state: {
      track_id: "t1",
      datasource_id: "cam",
      datasource_name: "Gate",
      device_id: "7",
      site_id: "s1",
      site_name: "North",
    },
    trigger_config: triggerConfig,
  });
});

test("a data source that the catalog does not know has no names", () => {
  const state = JSON.stringify({ zone_id: "z", datasource_id: "other" });
  const given = { signal: "zone_updated", state, emitReason: "heartbeat" } as const;

  expect(payloadOf(waiting(given), 3, context)).toEqual({
    signal: "zone_updated",
    zone_state: {
      zone_id: "z",
      datasource_id: "other",
      datasource_name: null,
      device_id: null,
      site_id: null,
      site_name: null,
    },
    emit_reason: "heartbeat",
    merged: 3,
    trigger_config: triggerConfig,
  });
});

test("a chronicle is untouched, and has the time at which it is sent", () => {
  const chronicle = { id: "c", datasource_id: "cam", labels: ["a"] };
  const signal = waiting({ signal: "chronicle_closed", state: JSON.stringify(chronicle) });
  const of: SubscriptionSet = { ...subscription, signalType: "activity_chronicle" };

  expect(payloadOf(signal, 0, { ...context, subscription: of })).toEqual({
    signal: "chronicle_closed",
    chronicle,
    timestamp: "2026-01-01T00:00:00.000Z",
    trigger_config: {
      signal_type: "activity_chronicle",
      trigger_on: ["chronicle_created"],
      workflow: { id: null, name: "gates" },
    },
  });
});

/** Throws the reason why there is none. */
function textOf(body: Body): string {
  if (!body.ok) throw new Error(body.reason);
  return body.text;
}

const batchOf = (signals: readonly WaitingSignal[]) => ({
  ...{ id: "x", createdAt: NOW, isBatch: true, merged: 0 },
  signals,
});

test("a batch is an array of its signals, each with the settings of the batch", () => {
  const batch: SubscriptionSet = { ...subscription, mode: "batch" };
  const signals = ["a", "b"].map((id) => waiting({ id, signal: "track_expired", expiredBy: "wall_clock" }));

  const body = JSON.parse(textOf(bodyOf(batchOf(signals), { ...context, subscription: batch })));

  expect(body).toHaveLength(2);
  expect(body[1]).toMatchObject({ expired_by: "wall_clock", trigger_config: { mode: "batch", batch_interval: 30 } });
});

test("filters that would make a body too long are left out of it, and it says so", () => {
  const tags = Array.from({ length: 1_000 }, (_, i) => `${i}`.padEnd(500, "x"));
  const long: SubscriptionSet = { ...subscription, mode: "batch", filters: { ...subscription.filters, tags } };
  const of = { ...context, subscription: long };
  const signals = Array.from({ length: 540 }, (_, i) => waiting({ id: `${i}` }));

  const few = textOf(bodyOf(batchOf(signals.slice(0, 2)), of));
  const many = textOf(bodyOf(batchOf(signals), of));

  expect(JSON.parse(few)[1].trigger_config).toMatchObject({ filters: { site_id: "s1", tags } });
  expect(JSON.parse(few)[1].trigger_config).not.toHaveProperty("truncated");
  expect(many.length).toBeLessThan(1024 * 1024);
  const noFilters = { site_id: null, datasource_ids: [], zone_ids: [], tags: [] };
  expect(JSON.parse(many)).toHaveLength(540);
  expect(JSON.parse(many)[539].trigger_config).toMatchObject({ filters: noFilters, truncated: true });
});

test("a body that would be too long even so is none, and neither is one that cannot be made", () => {
  const long = waiting({ state: JSON.stringify({ text: "x".repeat(6 * 1024 * 1024) }) });

  expect(bodyOf(batchOf([long, long, long]), context)).toEqual({
    ok: false,
    reason: "the body would have more than 16777216 characters",
  });
  expect(bodyOf(batchOf([waiting({ state: "null" })]), context)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("cannot be made"),
  });
});

test("a test says so", () => {
  expect(testPayload(context)).toEqual({
    signal: "test",
    timestamp: "2026-01-01T00:00:00.000Z",
    trigger_config: triggerConfig,
  });
});

test.each([
  ["track_updated", null, true],
  ["zone_updated", null, true],
  ["zone_updated", "heartbeat", true],
  ["zone_updated", "composition_changed", false],
  ["track_created", null, false],
  ["track_expired", null, false],
  ["zone_occupied", null, false],
  ["zone_empty", null, false],
  ["chronicle_updated", null, false],
] as const)("%s (%s) may be merged: %s", (signal, emitReason, mergeable) => {
  expect(isMergeable({ signal, emitReason })).toBe(mergeable);
});
