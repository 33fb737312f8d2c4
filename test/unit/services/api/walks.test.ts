import { expect, test } from "vitest";
import { createWalk } from "../../../../services/api/read/walks.ts";
import { createLoopTurns } from "../../../../services/common/loop-turns.ts";
import { dataSourceCreated, deviceCreated } from "../../../support/scenes/catalog.ts";
import { createTestApi } from "./support.ts";

const uncounted = { spend: () => {}, isOver: () => false };
const items = Array.from({ length: 100 }, (_, i) => i);
/** One visit fills a step. */
const MANY = 1_000_000;

test("a walk of few tests is made at once, and visits everything", async () => {
  const seen: number[] = [];

  const walked = createWalk(createLoopTurns(), uncounted)(items, 1, (item) => seen.push(item));

  expect(seen).toEqual(items);
  await walked;
});

test("of many walks one has each turn of the event loop, so that others have theirs between", async () => {
  const turns = createLoopTurns();
  const order: string[] = [];
  const walkOf = (name: string) =>
    createWalk(turns, uncounted)(["at once", "after a pause"], MANY, (item) => {
      if (item === "after a pause") order.push(name);
    });

  const walks = [walkOf("first"), walkOf("second"), walkOf("third")];
  setImmediate(() => {
    order.push("another client");
    setImmediate(() => order.push("another client"));
  });
  await Promise.all(walks);

  expect(order).toEqual(["first", "another client", "second", "another client", "third"]);
});

test("a walk visits the items that were there when it began", async () => {
  const live = new Set(items);
  const seen: number[] = [];

  const walked = createWalk(createLoopTurns(), uncounted)(live, MANY, (item) => seen.push(item));
  live.clear();
  live.add(-1);
  await walked;

  expect(seen).toEqual(items);
});

test("filters that take more tests than an operation may are refused with the bound's name, all fields together", async () => {
  const { ask, catalog } = await createTestApi({ env: { API_MAX_COST: "1000" } });
  for (let i = 0; i < 100; i++) catalog.apply(dataSourceCreated(`d${i}`), i);
  const query = (fields: number) =>
    `query ($f: FilterDataSourceInput) {
      ${Array.from({ length: fields }, (_, i) => `a${i}: dataSources(first: 1, filter: $f) { edges { node { id } } }`).join(" ")}
    }`;
  const f = { or: Array.from({ length: 90 }, (_, i) => ({ name: { like: `none ${i}` } })) };

  expect((await ask(query(5), { f })).body.errors).toBeUndefined();
  const { data, errors } = (await ask(query(6), { f })).body;

  expect(data).toBeNull();
  expect(errors).toHaveLength(1);
  expect(errors[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(errors[0].message).toContain("API_MAX_COST");
});

test("a summary's filter on devices is counted as well", async () => {
  // A summary costs 100 000 of it before it is asked.
  const { ask, catalog } = await createTestApi({ env: { API_MAX_COST: "100001", API_MAX_FILTER_BRANCHES: "10000" } });
  for (let i = 0; i < 1_000; i++) catalog.apply(deviceCreated(`d${i}`), i);
  const query = `query ($f: FilterDeviceSummaryInput!) {
    deviceSummary(startTime: "1970-01-01T00:00:00Z", endTime: "2040-01-01T00:00:00Z", filter: $f) { total }
  }`;
  const branches = (count: number) => ({
    site: { or: Array.from({ length: count }, () => ({ name: { like: "x" } })) },
  });

  expect((await ask(query, { f: branches(100) })).body.errors).toBeUndefined();
  const { errors } = (await ask(query, { f: branches(5_001) })).body;

  expect(errors[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(errors[0].message).toContain("API_MAX_COST");
});
