import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { matchesChronicle, newsOf, type ShownChronicle } from "../../../projections/signals/chronicle-signal.ts";
import type { SubscriptionFilters } from "../../../schemas/records/subscription.ts";
import { typeDefs } from "../../../services/api/graphql/sdl.ts";
import { CHRONICLES_QUERY } from "../../../services/webhooks/ask-chronicles.ts";

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

const none: SubscriptionFilters = {
  ...{ dataSourceIds: [], tags: [], zoneIds: [], siteIds: [], chronicleIds: [], producerIds: [], tagIds: [] },
  ...{ pointOfInterestIds: [], labels: [], locations: [], statuses: [], priorities: [] },
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
  expect(matchesChronicle({ ...none, ...filters }, chronicle)).toBe(expected);
});

test("the API has what is asked for", () => {
  expect(validate(buildSchema(typeDefs), parse(CHRONICLES_QUERY))).toEqual([]);
});
