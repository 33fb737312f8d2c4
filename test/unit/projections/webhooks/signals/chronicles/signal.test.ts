import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import {
  matchesChronicle,
  newsOf,
  type ShownChronicle,
} from "../../../../../../projections/webhooks/signals/chronicles/signal.ts";
import {
  chronicleStep,
  nothingSeen,
  type SignalledChronicle,
} from "../../../../../../projections/webhooks/signals/chronicles/step.ts";
import type { Subscription } from "../../../../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { SubscriptionFilters } from "../../../../../../schemas/records/subscription.ts";
import { typeDefs } from "../../../../../../services/api/graphql/sdl.ts";
import { CHRONICLES_QUERY } from "../../../../../../services/webhooks/chronicles/ask-chronicles.ts";
import { noFilters } from "../../../../../support/scenes/no-filters.ts";

const chronicle: ShownChronicle = {
  ...{
    id: "c1",
    updatedAt: "2026-01-01T00:00:00.000Z",
    endTime: null,
    status: "Open",
    priority: null,
    labels: ["Night", "door"],
    locations: null,
  },
  ...{ chronicleProducer: { id: "p1" }, sites: [{ id: "s1" }, { id: "s2" }], dataSources: [{ id: "d1" }] },
  ...{ tags: null, pointsOfInterest: [] },
};

const after = (before: Parameters<typeof newsOf>[0], changed: Partial<ShownChronicle>) => {
  const now = { ...chronicle, ...changed };
  return newsOf(before, now, JSON.stringify(now));
};

test("a chronicle is created once, updated by every change, and closed when it gets an end", () => {
  const created = after(undefined, {});
  const updated = after(created?.seen, { status: "Seen" });
  const closed = after(updated?.seen, { endTime: "2026-01-01T00:00:00.000Z" });
  const later = after(closed?.seen, { endTime: "2026-01-01T00:00:00.000Z", priority: "low" });
  const opened = after(later?.seen, {});
  const closedAgain = after(opened?.seen, { endTime: "2026-01-01T01:00:00.000Z" });

  expect([created, updated, closed, later, opened, closedAgain].map((news) => news?.signal)).toEqual([
    "chronicle_created",
    "chronicle_updated",
    "chronicle_closed",
    "chronicle_updated",
    "chronicle_updated",
    "chronicle_closed",
  ]);
});

test("what is as it was is no news", () => {
  expect(after(after(undefined, {})?.seen, {})).toBeUndefined();
});

test("a chronicle that is closed already when it is first seen is only closed", () => {
  expect(after(undefined, { endTime: "2026-01-01T00:00:00.000Z" })?.signal).toBe("chronicle_closed");
});

const subscription = {
  key: "s",
  createdAt: 1,
  triggerOn: ["chronicle_created", "chronicle_updated"],
  filters: noFilters,
} as unknown as Subscription;
const stepAt = (
  memory: SignalledChronicle,
  offset: number,
  changed: Partial<ShownChronicle>,
  { to = subscription, isCreation = true } = {},
) => {
  const now = { ...chronicle, ...changed };
  return chronicleStep(memory, now, JSON.stringify(now), { partition: 0, offset, isCreation }, [to]);
};

test("a message that is read again after a crash hides no change that came meanwhile", () => {
  const first = stepAt(nothingSeen, 7, {});
  const again = stepAt(first?.before ?? nothingSeen, 7, { status: "Seen" });
  const later = stepAt(again?.after ?? nothingSeen, 8, { status: "Seen" });

  expect(again?.signals.map(({ id }) => id)).toEqual(first?.signals.map(({ id }) => id));
  expect(later?.signals.map(({ signal }) => signal)).toEqual(["chronicle_updated"]);
  expect(stepAt(first?.after ?? nothingSeen, 8, {})).toBeUndefined();
});

test("a creation has the same id for whoever has forgotten what was seen", () => {
  const idsAt = (offset: number) => stepAt(nothingSeen, offset, {})?.signals.map(({ id }) => id);

  expect(idsAt(7)).toEqual(idsAt(9));
  expect(idsAt(7)).toHaveLength(1);
});

test("when what was seen is forgotten, a change is told as one, beside the creation that receivers know already", () => {
  const created = stepAt(nothingSeen, 7, {})?.signals ?? [];
  const later = stepAt(nothingSeen, 9, { status: "Seen" }, { isCreation: false });
  const onlyUpdates: Subscription = { ...subscription, triggerOn: ["chronicle_updated"] };
  const toThem = stepAt(nothingSeen, 9, { status: "Seen" }, { isCreation: false, to: onlyUpdates });

  expect(later?.signals.map(({ signal, cause }) => [signal, cause.index])).toEqual([
    ["chronicle_created", 0],
    ["chronicle_updated", 1],
  ]);
  expect(later?.signals[0]?.id).toBe(created[0]?.id);
  expect(created.map(({ id }) => id)).not.toContain(later?.signals[1]?.id);
  expect(toThem?.signals.map(({ id }) => id)).toEqual([later?.signals[1]?.id]);
  expect(stepAt(later?.after ?? nothingSeen, 10, { status: "Seen" }, { isCreation: false })).toBeUndefined();
});

test("a subscription that gets the id of a deleted one is told of the same creation under another id", () => {
  const signalOf = (createdAt: number) =>
    stepAt(nothingSeen, 7, {}, { to: { ...subscription, createdAt } })?.signals[0];

  expect(signalOf(2)).toMatchObject({ signal: "chronicle_created", generation: 2 });
  expect(signalOf(2)?.id).not.toBe(signalOf(1)?.id);
});

test.each<[Partial<SubscriptionFilters>, boolean]>([
  [{}, true],
  [{ labels: ["NIGHT"] }, true],
  [{ labels: ["noon", "door"] }, true],
  [{ labels: ["noon"] }, false],
  [{ statuses: ["open"] }, true],
  [{ priorities: ["low"] }, false],
  [{ locations: ["hall"] }, false],
  [{ producerIds: ["p1"], siteIds: ["s2"] }, true],
  [{ producerIds: ["p2"], siteIds: ["s2"] }, false],
  [{ producerIds: ["P1"] }, false],
  [{ chronicleIds: ["c1"] }, true],
  [{ dataSourceIds: ["d2"] }, false],
  [{ tagIds: ["t1"] }, false],
  [{ pointOfInterestIds: ["i1"] }, false],
])("the filter %o lets it through: %s", (filters, expected) => {
  expect(matchesChronicle({ ...noFilters, ...filters }, chronicle)).toBe(expected);
});

test("the API has what is asked for", () => {
  expect(validate(buildSchema(typeDefs), parse(CHRONICLES_QUERY))).toEqual([]);
});

test("a chronicle that is too long is sent shorter, and says so; what it is compared by stays whole", () => {
  const long = {
    ...chronicle,
    description: "\u{1f600}".repeat(3_000_000),
    metadata: { text: "x".repeat(100_000) },
    images: Array.from({ length: 100_000 }, (_, i) => ({ id: `image-${i}` })),
  };
  const step = (json: string) =>
    chronicleStep(nothingSeen, long, json, { partition: 0, offset: 1, isCreation: true }, [subscription]);

  const reported = step(JSON.stringify(long));

  const state = reported?.signals[0]?.state ?? "";
  expect(state.length).toBeLessThanOrEqual(512 * 1024);
  expect(JSON.parse(state)).toMatchObject({ ...chronicle, metadata: null, truncated: true });
  expect(state.isWellFormed()).toBe(true);
  const other = JSON.stringify({ ...long, description: `${long.description}!` });
  expect(reported?.after.seen?.hash).not.toBe(step(other)?.after.seen?.hash);
});
