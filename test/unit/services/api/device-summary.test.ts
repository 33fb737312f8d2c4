import { expect, test } from "vitest";
import type { Walk } from "../../../../projections/filters/walk.ts";
import { deviceDimensions, summarizeDevices } from "../../../../projections/summaries/devices.ts";
import type { CatalogEvent } from "../../../../schemas/events.ts";
import { pick, type Random, seeded } from "../../../integration/history/world.ts";
import { createTestApi } from "./support.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 1, 7, 30);
const iso = (ms: number) => new Date(ms).toISOString();

interface Lifetime {
  readonly site: string | null;
  readonly from: number;
  readonly to: number;
}

function deviceEvent(id: string, change: "created" | "deleted", at: number, siteId: string | null): CatalogEvent {
  const nothing = { pointOfInterestId: null, transcoderId: null, externalId: null, address: null, position: null };
  const set = {
    ...nothing,
    name: change === "created" ? id : null,
    enabled: change === "created" ? true : null,
    dataSourceId: change === "created" ? id : null,
    siteId,
  };
  return { type: "DeviceChanged", event: { id, change, at, set, cleared: [] } };
}

const siteEvent = (id: string): CatalogEvent => ({
  type: "SiteChanged",
  event: {
    id,
    change: "created",
    at: 0,
    set: { name: `Site ${id}`, timezone: "UTC", position: null, polygon: null },
    cleared: [],
  },
});

/** Devices that come and go, some of them twice, within ten days. */
async function createScene(random: Random) {
  const api = await createTestApi({ env: { API_MAX_BUCKETS: "300" } });
  const lifetimes: Lifetime[] = [];
  const events: CatalogEvent[] = [siteEvent("a"), siteEvent("b")];
  for (let i = 0; i < 60; i++) {
    let at = START + Math.floor(random() * 10 * 24) * HOUR_MS;
    for (let life = 0; life < 2; life++) {
      const site = pick(random, ["a", "b", "unknown", null]);
      const isGone = random() < 0.6;
      const to = isGone ? at + Math.floor(random() * 72) * HOUR_MS : Number.POSITIVE_INFINITY;
      events.push(deviceEvent(`d${i}`, "created", at, site));
      if (isGone) events.push(deviceEvent(`d${i}`, "deleted", to, null), deviceEvent(`d${i}`, "deleted", to + 1, null));
      lifetimes.push({ site: site === "unknown" ? null : site, from: at, to });
      if (!isGone) break;
      at = to + Math.floor(random() * 24) * HOUR_MS;
    }
  }
  for (const [offset, event] of events.entries()) api.catalog.apply(event, offset + 1_000);
  return { api, lifetimes };
}

const isIn = ({ from, to }: Lifetime, begin: number, end: number) => from < end && to >= begin;

/** Counts for each bucket anew. */
function expected(lifetimes: readonly Lifetime[], from: number, to: number, sizeMs: number | null, bySite: boolean) {
  const buckets: { time: string | null; site: string | null; total: number }[] = [];
  const first = sizeMs === null ? from : Math.floor(from / sizeMs) * sizeMs;
  for (let begin = first; begin < to; begin += sizeMs ?? Number.POSITIVE_INFINITY) {
    const end = Math.min(to, begin + (sizeMs ?? Number.POSITIVE_INFINITY));
    const there = lifetimes.filter((each) => isIn(each, Math.max(begin, from), end));
    for (const site of bySite ? ["a", "b", null] : [undefined]) {
      const total = there.filter((each) => site === undefined || each.site === site).length;
      if (total > 0 || !bySite) buckets.push({ time: sizeMs === null ? null : iso(begin), site: site ?? null, total });
    }
  }
  return { total: lifetimes.filter((each) => isIn(each, from, to)).length, buckets };
}

const QUERY = `query ($from: DateTimeOffset!, $to: DateTimeOffset!, $filter: FilterDeviceSummaryInput, $bucket: DeviceSummaryBucketType) {
  deviceSummary(startTime: $from, endTime: $to, filter: $filter, deviceBucket: $bucket) {
    total buckets { key { time site { id } pointOfInterest { id } } total }
  }
}`;

for (const seed of [1, 2, 3]) {
  test(`devices are counted as long as they existed, in every bucket (seed ${seed})`, async () => {
    const random = seeded(seed);
    const { api, lifetimes } = await createScene(random);
    for (let i = 0; i < 60; i++) {
      const size = pick(random, ["HOURS", "DAYS", null]);
      const bySite = random() < 0.5;
      const from = START + Math.floor(random() * 10 * 48) * (HOUR_MS / 2);
      const to = from + 1 + Math.floor(random() * 4 * DAY_MS);
      const bucket = { size, fields: bySite ? ["SITE", "SITE", "POINT_OF_INTEREST"] : [] };

      const { body } = await api.ask(QUERY, { from: iso(from), to: iso(to), bucket });

      const sizeMs = size === null ? null : size === "DAYS" ? DAY_MS : HOUR_MS;
      const { total, buckets } = expected(lifetimes, from, to, sizeMs, bySite);
      expect(body.errors).toBeUndefined();
      expect(body.data.deviceSummary.total).toBe(total);
      const answered = body.data.deviceSummary.buckets.map(
        ({ key, total }: { key: { time: string; site: { id: string } | null }; total: number }) => ({
          time: key.time,
          site: key.site?.id ?? null,
          total,
        }),
      );
      // Without a size and without fields the only bucket is there only if there are devices.
      expect(answered).toEqual(buckets.filter((each) => each.total > 0 || size !== null));
    }
  });
}

const ask = (bucket: string, more = "") => `{ deviceSummary(startTime: "2026-01-01T00:00:00Z",
  endTime: "2026-01-03T00:00:00Z" ${bucket} ${more}) { total buckets { total } } }`;

test("only devices that fulfil the filter count", async () => {
  const { api, lifetimes } = await createScene(seeded(7));
  const from = START;
  const to = START + 20 * DAY_MS;
  const filter = { not: { site: { name: { eq: "Site a" } } }, siteId: { ne: "b" } };

  const { body } = await api.ask(QUERY, { from: iso(from), to: iso(to), filter });

  expect(body.data.deviceSummary).toEqual({
    total: lifetimes.filter(({ site }) => site === null).length,
    buckets: null,
  });
});

test.each([
  [
    "endTime must be after startTime",
    `{ deviceSummary(startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-01T00:00:00Z") { total } }`,
  ],
  ["MINUTES_10 is for ranges of up to 1 days", ask("deviceBucket: {size: MINUTES_10}")],
  [
    "buckets, the limit is 300",
    `{ deviceSummary(startTime: "2020-01-01T00:00:00Z", endTime: "2026-01-03T00:00:00Z" deviceBucket: {size: DAYS}) { total } }`,
  ],
])("refuses: %s", async (message, query) => {
  const api = await createTestApi({ env: { API_MAX_BUCKETS: "300" } });

  const { body } = await api.ask(query);

  expect(body.errors[0].message).toContain(message);
  expect(body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
});

test("more buckets than the limit are refused", async () => {
  const { api } = await createScene(seeded(8));

  const { body } = await api.ask(QUERY, {
    from: iso(START),
    to: iso(START + 7 * DAY_MS),
    bucket: { size: "HOURS", fields: ["SITE"] },
  });

  expect(body.errors[0]).toMatchObject({ extensions: { code: "BAD_USER_INPUT" } });
  expect(body.errors[0].message).toContain("more than 300 buckets (API_MAX_BUCKETS)");
});

const atOnce: Walk = async (items, _tests, visit) => {
  for (const item of items) visit(item);
};

test("a group costs as much as the buckets in which it has devices, however many the range has", async () => {
  const api = await createTestApi();
  const from = START + DAY_MS;
  const events = [deviceEvent("d1", "created", from, null), deviceEvent("d1", "deleted", from + 1, null)];
  for (const [offset, event] of events.entries()) api.catalog.apply(event, offset + 1_000);
  const grouping = { sizeMs: 1, dimensions: [deviceDimensions.SITE] };
  // Nobody can walk a thousand years of milliseconds.
  const range = { from: START, to: START + 365_000 * DAY_MS };

  const question = { range, strategy: "ACTIVE" as const, grouping, maxBuckets: 2 };
  const { buckets } = await summarizeDevices(api.catalog, {}, question, atOnce);

  expect(buckets?.map(({ time, tally }) => [time, tally.total])).toEqual([
    [from, 1],
    [from + 1, 1],
  ]);
});

test("buckets beyond the limit are refused before they are made", async () => {
  const api = await createTestApi();
  api.catalog.apply(deviceEvent("d1", "created", START, null), 1_000);
  const range = { from: START, to: START + 365_000 * DAY_MS };
  const grouping = { sizeMs: 1, dimensions: [deviceDimensions.SITE] };

  const question = { range, strategy: "ACTIVE" as const, grouping, maxBuckets: 20_000 };

  await expect(summarizeDevices(api.catalog, {}, question, atOnce)).rejects.toThrow("more than 20000 buckets");
});

test("the highest totals: of all buckets, or of each group, all of several that are equal", async () => {
  const api = await createTestApi();
  const day = (n: number) => START + n * DAY_MS;
  const events = [
    siteEvent("a"),
    siteEvent("b"),
    deviceEvent("d1", "created", day(0), "a"),
    deviceEvent("d2", "created", day(1), "a"),
    deviceEvent("d2", "deleted", day(1) + 1, null),
    deviceEvent("d3", "created", day(2), "b"),
  ];
  for (const [offset, event] of events.entries()) api.catalog.apply(event, offset + 1_000);

  const { body } = await api.ask(
    `query ($from: DateTimeOffset!, $to: DateTimeOffset!) {
      deviceSummary(startTime: $from, endTime: $to, deviceBucket: {size: DAYS, fields: [SITE]}) {
        all: highestTotalBuckets { ...highest }
        bySite: highestTotalBuckets(groupBy: {fields: [SITE]}) { ...highest }
        byDay: highestTotalBuckets(groupBy: {size: DAYS}) { ...highest }
        one: highestTotalBuckets(groupBy: {}) { ...highest }
      }
      none: deviceSummary(startTime: $from, endTime: $to) { highestTotalBuckets { total } }
    }
    fragment highest on DeviceHighestTotalBucket { key { time site { id } } total }`,
    { from: iso(day(0)), to: iso(day(2) + HOUR_MS) },
  );

  const dayOf = (n: number) => iso(day(n) - (START % DAY_MS));
  const a = { id: "a" };
  const b = { id: "b" };
  expect(body.errors).toBeUndefined();
  expect(body.data.none.highestTotalBuckets).toEqual([]);
  expect(body.data.deviceSummary).toEqual({
    all: [{ key: { time: dayOf(1), site: a }, total: 2 }],
    bySite: [
      { key: { time: null, site: a }, total: 2 },
      { key: { time: null, site: b }, total: 1 },
    ],
    byDay: [
      { key: { time: dayOf(0), site: null }, total: 1 },
      { key: { time: dayOf(1), site: null }, total: 2 },
      { key: { time: dayOf(2), site: null }, total: 1 },
      { key: { time: dayOf(2), site: null }, total: 1 },
    ],
    one: [{ key: { time: null, site: null }, total: 2 }],
  });
});

test.each([
  ["{size: HOURS}", "size"],
  ["{fields: [POINT_OF_INTEREST]}", "fields"],
])("groups that are not those of the buckets are refused: %s", async (groupBy, member) => {
  const api = await createTestApi();

  const { body } = await api.ask(`{ deviceSummary(startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-03T00:00:00Z",
    deviceBucket: {size: DAYS, fields: [SITE]}) { highestTotalBuckets(groupBy: ${groupBy}) { total } } }`);

  expect(body.errors[0].extensions).toMatchObject({ code: "BAD_USER_INPUT", path: ["groupBy", member] });
});
