import { expect, test } from "vitest";
import {
  createSubscriptions,
  type SubscriptionRecord,
  type Subscriptions,
} from "../../../../../projections/webhooks/subscriptions/subscriptions.ts";
import { subscriptionSet, subscriptionStopped } from "./subscription.ts";

function viewOf(...records: readonly SubscriptionRecord[]): Subscriptions {
  const view = createSubscriptions();
  for (const [offset, record] of records.entries()) view.apply(record, offset);
  return view;
}

const idsIn = (subscriptions: Iterable<{ readonly key: string }>): string[] => [...subscriptions].map(({ key }) => key);

test("the newest message of a subscription counts", () => {
  const view = viewOf(
    subscriptionSet({ workflowName: "old" }),
    subscriptionSet({ workflowName: "new", version: "v2" }),
  );

  expect(view.get("a")).toMatchObject({ workflowName: "new", version: "v2", stopped: undefined });
  expect(view.count()).toBe(1);
});

test("a deleted subscription is gone, and a later one under its id is another", () => {
  const view = viewOf(subscriptionSet(), subscriptionStopped(), subscriptionSet({ deleted: true }));

  expect(view.get("a")).toBeUndefined();
  expect(view.count()).toBe(0);

  view.apply(subscriptionSet({ version: "v2" }), 3);

  expect(view.get("a")).toMatchObject({ version: "v2", stopped: undefined });
});

test("a stop counts for the version that it names only", () => {
  const view = viewOf(subscriptionSet(), subscriptionStopped({ reason: "gone", detail: "410", at: 5 }));

  expect(view.get("a")?.stopped).toEqual({ reason: "gone", detail: "410", at: 5 });
  expect(idsIn(view.active())).toEqual([]);
  expect(idsIn(view.all())).toEqual(["a"]);

  view.apply(subscriptionSet({ version: "v2" }), 2);
  view.apply(subscriptionStopped({ version: "v1" }), 3);

  expect(view.get("a")?.stopped).toBeUndefined();
  expect(idsIn(view.active())).toEqual(["a"]);
});

test("a stop without a reason lets the deliveries go on", () => {
  const view = viewOf(subscriptionSet(), subscriptionStopped(), subscriptionStopped({ reason: null }));

  expect(view.get("a")?.stopped).toBeUndefined();
});

test("a stop is found before the subscription that a compacted topic keeps after it", () => {
  const view = viewOf(subscriptionStopped(), subscriptionSet({ updatedAt: 3_000 }));

  expect(view.get("a")?.stopped?.reason).toBe("failing");
});

test("an own write is seen at once, and what the topic brings late does not undo it", () => {
  const view = viewOf(subscriptionSet());

  view.applyOwn(subscriptionSet({ workflowName: "own" }), 3);
  view.apply(subscriptionSet({ workflowName: "another's, before it" }), 1);

  expect(view.get("a")?.workflowName).toBe("own");

  view.apply(subscriptionSet({ workflowName: "another's, after it" }), 4);
  view.applyOwn(subscriptionSet({ workflowName: "own" }), 3);

  expect(view.get("a")?.workflowName).toBe("another's, after it");
});

test("an own deletion is not undone by older messages of the topic", () => {
  const view = viewOf(subscriptionSet());

  view.applyOwn(subscriptionSet({ deleted: true }), 2);
  view.apply(subscriptionSet({ version: "v2" }), 1);
  expect(view.get("a")).toBeUndefined();

  view.apply(subscriptionSet({ deleted: true }), 2);
  view.applyOwn(subscriptionSet({ version: "v2" }), 1);
  expect(view.get("a")).toBeUndefined();
});

test("listeners are told what was and what is", () => {
  const view = createSubscriptions();
  const reported: unknown[] = [];
  view.onChange((id, before, after) => reported.push([id, before?.workflowName, after?.workflowName, view.count()]));

  view.apply(subscriptionSet(), 0);
  view.apply(subscriptionSet({ workflowName: "B" }), 1);
  view.apply(subscriptionSet({ workflowName: "B" }), 1);
  view.apply(subscriptionSet({ deleted: true }), 2);
  view.apply(subscriptionStopped(), 3);

  expect(reported).toEqual([
    ["a", undefined, "A", 1],
    ["a", "A", "B", 1],
    ["a", "B", undefined, 0],
  ]);
});

test("subscriptions are counted by token", () => {
  const view = viewOf(
    subscriptionSet({ key: "a" }),
    subscriptionSet({ key: "b" }),
    subscriptionSet({ key: "b", tokenId: "token-2" }),
  );

  expect(["token-1", "token-2", "token-3"].map(view.countOfToken)).toEqual([1, 1, 0]);
});

test("those that match a data source are those that name it and those that name none, by id", () => {
  const view = viewOf(
    subscriptionSet({ key: "c", filters: { dataSourceIds: ["gate", "gate", "yard"] } }),
    subscriptionSet({ key: "b" }),
    subscriptionSet({ key: "a", filters: { dataSourceIds: ["yard"] } }),
    subscriptionSet({ key: "zones", signalType: "zone_state" }),
    subscriptionSet({ key: "stopped", version: "v1" }),
    subscriptionStopped({ id: "stopped" }),
  );

  expect(idsIn(view.matching("track_state", "gate"))).toEqual(["b", "c"]);
  expect(idsIn(view.matching("track_state", "yard"))).toEqual(["a", "b", "c"]);
  expect(idsIn(view.matching("track_state", "roof"))).toEqual(["b"]);
  expect(idsIn(view.matching("zone_state", "gate"))).toEqual(["zones"]);
  expect(idsIn(view.matching("activity_chronicle", "gate"))).toEqual([]);

  view.apply(subscriptionSet({ key: "c", filters: { dataSourceIds: ["roof"] } }), 6);
  view.apply(subscriptionSet({ key: "b", deleted: true }), 7);

  expect(idsIn(view.matching("track_state", "gate"))).toEqual([]);
  expect(idsIn(view.matching("track_state", "roof"))).toEqual(["c"]);
});

test("the same list is given until a subscription changes", () => {
  const view = viewOf(
    subscriptionSet({ key: "a", filters: { dataSourceIds: ["gate"] } }),
    subscriptionSet({ key: "b" }),
  );

  expect(view.matching("track_state", "gate")).toBe(view.matching("track_state", "gate"));
  expect(view.matching("track_state", "roof")).toBe(view.matching("track_state", "yard"));
  expect(view.matching("zone_state", "gate")).toBe(view.matching("activity_chronicle", "roof"));
});
