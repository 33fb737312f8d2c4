import { expect, test } from "vitest";
import { dataSourceFields } from "../../../../projections/filters/data-sources.ts";
import { matches } from "../../../../projections/filters/match.ts";
import { readFilter } from "../../../../projections/filters/read-filter.ts";
import { createSeen } from "../../../../projections/filters/seen-positions.ts";
import { trackMessageFields } from "../../../../projections/filters/tracks.ts";
import { zoneFields } from "../../../../projections/filters/zones.ts";
import type { FilterTrackMessageInput, FilterZoneInput } from "../../../../schemas/filters.ts";
import { zone } from "../../../support/scenes/zone.ts";
import { createTestApi } from "../../services/api/support.ts";

const limits = { maxValues: 20, maxBranches: 5 };
const ids = (count: number) => Array.from({ length: count }, (_, i) => `z${i}`);

test("values beside one another become one list, and mean the same", () => {
  const or: FilterZoneInput[] = ids(10).map((id) => ({ id: { eq: id } }));
  const and: FilterZoneInput[] = ids(10).map((id) => ({ id: { ne: id } }));

  expect(readFilter({ or }, limits)).toEqual({ or: [{ id: { in: ids(10) } }] });
  expect(readFilter({ and }, limits)).toEqual({ and: [{ not: { id: { in: ids(10) } } }] });
  for (const zoneId of ["z0", "z9", "other"]) {
    const subject = zone({ zoneId });
    for (const filter of [{ or }, { and }, { not: { or, and } }]) {
      expect(matches(zoneFields, readFilter(filter, limits), subject)).toBe(matches(zoneFields, filter, subject));
    }
  }
});

test("what says more than one value stays as it is", () => {
  const filter = {
    or: [{ id: { eq: "a", ne: "b" } }, { id: { eq: "a" }, name: { eq: "b" } }, { labels: { eq: ["x"] } }, { or: [] }],
    and: [{ id: { ne: "a" } }, { active: { ne: true } }],
  };

  expect(readFilter(filter, { ...limits, maxBranches: 6 })).toEqual(filter);
});

test.each<[string, object, string]>([
  ["a list", { id: { in: ids(21) } }, "API_MAX_FILTER_VALUES"],
  ["lists together", { and: [{ id: { in: ids(11) } }, { not: { name: { in: ids(10) } } }] }, "API_MAX_FILTER_VALUES"],
  ["a polygon", { position: { in: { coordinates: [Array.from({ length: 11 }, () => [1, 2])] } } }, "VALUES"],
  ["alternatives", { or: ids(6).map((id) => ({ id: { eq: id }, name: { eq: id } })) }, "API_MAX_FILTER_BRANCHES"],
  ["alternatives within", { not: { or: [{ and: [{}, {}] }, { or: [{}] }] } }, "API_MAX_FILTER_BRANCHES"],
  ["a text", { name: { like: "x".repeat(10_001) } }, "10000 characters"],
  ["texts together", { name: { in: ["x".repeat(5_001), "y".repeat(5_000)] } }, "64 for each of API_MAX_FILTER_VALUES"],
])("%s beyond the bound is refused with the bound's name", (_case, filter, name) => {
  expect(() => readFilter(filter, limits)).toThrow(
    expect.objectContaining({ code: "BAD_USER_INPUT", message: expect.stringContaining(name) }),
  );
});

test("a query is answered up to the bound, and above it refused with the bound's name", async () => {
  const { ask, zones } = await createTestApi({ env: { API_MAX_FILTER_VALUES: "10000" } });
  const zoneId = "z9999";
  zones.apply({
    zoneId,
    dataSourceId: "d1",
    movedTo: null,
    refusal: null,
    partition: 0,
    offset: 0,
    zone: zone({ zoneId }),
  });
  const query = "query ($in: [ID!]) { zones(filter: {id: {in: $in}}) { totalCount } }";

  expect((await ask(query, { in: ids(10_000) })).body.data.zones.totalCount).toBe(1);
  const { errors } = (await ask(query, { in: ids(10_001) })).body;
  expect(errors[0].extensions).toEqual({ code: "BAD_USER_INPUT", path: ["filter"] });
  expect(errors[0].message).toContain("API_MAX_FILTER_VALUES");
});

test("a message is judged by a long list, tags in any case", () => {
  const filter: FilterTrackMessageInput = { id: { in: ids(10_000) }, tag: { in: ids(10_000) } };
  const message = {
    trackId: "z9999",
    dataSourceId: "d",
    dataSource: null,
    tag: "Z77",
    seen: { seen: createSeen([]), count: 0 },
    properties: null,
    modelId: null,
    state: "START" as const,
  };

  expect(matches(trackMessageFields, filter, message)).toBe(true);
  expect(matches(trackMessageFields, filter, { ...message, tag: "other" })).toBe(false);
});

test("a long list is read once, however many entities it judges", () => {
  let reads = 0;
  const counted = (texts: string[]) =>
    Object.defineProperty(texts, Symbol.iterator, {
      value: function* () {
        reads++;
        yield* Array.prototype.values.call(texts);
      },
    });
  const filter = { labels: { eq: counted(ids(1_000)) } };
  const source = (labels: string[]) => ({
    ...{ id: "d", name: "d", type: "VIDEO_DEVICE" as const, labels, createdAt: 0, updatedAt: 0 },
    ...{ deviceId: "d", siteId: null, pointOfInterestId: null, position: null },
  });

  expect(matches(dataSourceFields, filter, source(ids(1_000).toReversed()))).toBe(true);
  for (let i = 0; i < 100; i++) expect(matches(dataSourceFields, filter, source(["z1"]))).toBe(false);
  expect(reads).toBe(1);
});

test("variables of a query that hold more than a few filters may are refused before they are coerced", async () => {
  const { ask } = await createTestApi({ env: { API_MAX_FILTER_VALUES: "100" } });
  const query = "query ($in: [ID!]) { zones(filter: {id: {in: $in}}) { totalCount } }";

  const { errors } = (await ask(query, { in: ids(301) })).body;

  expect(errors[0].extensions).toEqual({ code: "BAD_USER_INPUT", path: ["variables"] });
  expect(errors[0].message).toContain("API_MAX_FILTER_VALUES");
});
