import { expect, test } from "vitest";
import { feedKindOf, feedKinds, foldsOf } from "../../../../projections/feed/kinds.ts";
import { createSchema } from "../../../../services/api/graphql/schema.ts";

test("every kind serves a subscription field of the SDL, and has a fold", () => {
  const fields = createSchema({}).getSubscriptionType()?.getFields() ?? {};

  for (const kind of feedKinds) {
    expect(Object.keys(fields)).toContain(kind.field);
    expect(feedKindOf(kind.field)).toBe(kind);
    expect(foldsOf(kind.topic)).toContain(kind.createFold);
  }
});

test("kinds that are folded together share one pass through their topic", () => {
  expect(foldsOf("camera-log")).toHaveLength(1);
});
