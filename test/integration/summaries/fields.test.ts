// The summaries as callers see them: through the schema, over a small history.
import { beforeAll, expect, test } from "vitest";
import { tagOf } from "../../../projections/catalog/tag.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { zone } from "../../support/scenes/zone.ts";
import { createTestApi } from "../../unit/services/api/support.ts";
import { createDatabase } from "../history/database.ts";

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const hour = (hours: number): number => START + hours * HOUR_MS;
const iso = (hours: number): string => new Date(hour(hours)).toISOString();

let api: Awaited<ReturnType<typeof createTestApi>>;

const NOTHING_SET = {
  ...{ description: null, timezone: null, priority: null, status: null, validation: null, locations: null },
  ...{ position: null, imageIds: null, clips: null, trackIds: null },
  ...{ siteIds: null, dataSourceIds: null, tagIds: null, pointOfInterestIds: null },
};

/** Tracks of a camera at a gate: [tag, hours from its start to its end]; without an end it goes on. */
const tracks: readonly [tag: string, start: number, end: number | null][] = [
  ["Person", 0.5, 1.25],
  ["person", 1.5, 1.75],
  ["car", 1, 3],
  ["", 2.5, null],
];

beforeAll(async () => {
  const database = await createDatabase();
  const rows = createGathered();
  for (const [offset, [tag, start, end]] of tracks.entries()) {
    const ids = { trackId: `t${offset}`, dataSourceId: "ds-a" };
    const [startTime, endTime] = [hour(start), end === null ? null : hour(end)];
    const recorded = recordedAt(offset);
    const seen = { trackId: ids.trackId, polygon: null, position: null, direction: null, metadata: null };
    const detections = [startTime, startTime + 1, startTime + 1].map((timestamp) => ({ ...seen, timestamp }));
    const header = { ...ids, tag, startTime, endTime, modelId: null, properties: null, metadata: null };
    rows.add({ type: "TrackCreated", event: { ...header, detections } }, recorded);
    const stay = { ...ids, intersectionId: `i${offset}`, zoneId: "z1", tag, startTime, endTime };
    const state = endTime === null ? ("START" as const) : ("END" as const);
    const cause = { partition: 0, offset, index: 0 };
    rows.add({ type: "ZoneIntersectionChanged", event: { ...stay, state, lastInside: startTime, cause } }, recorded);
  }
  for (const [offset, draft] of [true, false, null].entries()) rows.add(visit(offset, draft), recordedAt(offset));
  rows.add(crowd(), recordedAt(100));
  const covered = { topic: "any", partition: 0, logId: "any", rankBase: 0, first: 0, next: 1 };
  await createHistoryStore(database.client).insert(rows.byTable(), [covered]);

  api = await createTestApi({
    env: {
      CLICKHOUSE_URL: String(database.config.CLICKHOUSE_URL),
      CLICKHOUSE_USER: database.config.CLICKHOUSE_USER,
      CLICKHOUSE_PASSWORD: database.config.CLICKHOUSE_PASSWORD,
      CLICKHOUSE_DATABASE: database.name,
      ...(database.config.CLICKHOUSE_CLUSTER === "" ? {} : { CLICKHOUSE_CLUSTER: database.config.CLICKHOUSE_CLUSTER }),
      API_MAX_BUCKETS: "100",
    },
  });
  fillCatalog();
});

const recordedAt = (offset: number) => ({ partition: 0, offset, recordedAt: 0 });

/** From hour 1 to hour 2; without a draft it goes on. */
function visit(offset: number, draft: boolean | null) {
  const known = {
    name: "Visit",
    chronicleProducerId: "producer-1",
    startTime: hour(1),
    labels: ["late", "odd"],
    draft,
  };
  const set = { ...NOTHING_SET, ...known, endTime: draft === null ? null : hour(2), metadata: '{"badge":"4711"}' };
  const event = { id: `a${offset}`, change: "created" as const, at: 0, set, cleared: [] };
  return { type: "ActivityChronicleChanged" as const, event };
}

const CROWD = Array.from({ length: 300 }, (_, i) => `c${i}`);

/** At hour 100, with 27 million combinations of values. */
function crowd() {
  const values = { labels: CROWD, siteIds: CROWD, dataSourceIds: CROWD };
  const times = { startTime: hour(100), endTime: hour(100) };
  const unsaid = { metadata: null, draft: null };
  const set = { ...NOTHING_SET, ...unsaid, name: "Crowd", chronicleProducerId: "producer-1", ...times, ...values };
  const event = { id: "crowd", change: "created" as const, at: 0, set, cleared: [] };
  return { type: "ActivityChronicleChanged" as const, event };
}

function fillCatalog() {
  let offset = 1_000;
  const add = (type: CatalogEvent["type"], id: string, set: object) =>
    api.catalog.apply({ type, event: { id, change: "created", at: 0, set, cleared: [] } } as CatalogEvent, offset++);
  add("SiteChanged", "site-1", { name: "Yard", timezone: "UTC", position: null, polygon: null });
  add("DataSourceChanged", "ds-a", { name: "Camera A", type: "VIDEO_DEVICE", labels: null });
  for (const id of CROWD) {
    add("SiteChanged", id, { name: id, timezone: "UTC", position: null, polygon: null });
    add("DataSourceChanged", id, { name: id, type: "VIDEO_DEVICE", labels: null });
  }
  const none = { pointOfInterestId: null, transcoderId: null, externalId: null, address: null, position: null };
  add("DeviceChanged", "device-1", { ...none, name: "A", enabled: true, dataSourceId: "ds-a", siteId: "site-1" });
  const producer = { description: null, timezone: null, active: true, validationReasons: ["shadow"], metadata: null };
  add("ChronicleProducerChanged", "producer-1", { ...producer, name: "Rules" });
  const place = { zoneId: "z1", dataSourceId: "ds-a", partition: 0, offset: 0, movedTo: null, refusal: null };
  api.zones.apply({ ...place, zone: zone({ zoneId: "z1", dataSourceId: "ds-a", name: "Gate" }) });
}

async function ask(field: string, selection: string, from = 0, to = 4) {
  const query = `{ ${field.replace("(", `(startTime: "${iso(from)}", endTime: "${iso(to)}" `)} { ${selection} } }`;
  const { body } = await api.ask(query);
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return Object.values(body.data)[0];
}

const COUNTS = "total startedCount endedCount";
const count = (total: number, startedCount: number, endedCount: number) => ({ total, startedCount, endedCount });

test("tracks by hour: counted wherever they are active", async () => {
  expect(
    await ask("tracksSummary(tracksBucket: {size: HOURS})", `${COUNTS} buckets { key { time tag { id } } ${COUNTS} }`),
  ).toEqual({
    ...count(4, 4, 3),
    buckets: [
      { key: { time: iso(0), tag: null }, ...count(1, 1, 0) },
      { key: { time: iso(1), tag: null }, ...count(3, 2, 2) },
      { key: { time: iso(2), tag: null }, ...count(2, 1, 0) },
      // A track that ends when a bucket begins is active in it.
      { key: { time: iso(3), tag: null }, ...count(2, 0, 1) },
    ],
  });
});

test("the strategy of the bucket outweighs that of the argument", async () => {
  const bucket = "tracksBucket: {size: DAYS, bucketingStrategy: ENDED}";

  expect(await ask(`tracksSummary(bucketingStrategy: STARTED ${bucket})`, `${COUNTS} buckets { ${COUNTS} }`)).toEqual({
    ...count(3, 0, 3),
    buckets: [count(3, 0, 3)],
  });
});

test("keys show what the catalog knows; a tag is the same in any case", async () => {
  const key =
    "key { time tag { id name color } dataSource { name } dataSourceSite { name } dataSourcePointOfInterest { name } }";
  const place = {
    time: null,
    dataSource: { name: "Camera A" },
    dataSourceSite: { name: "Yard" },
    dataSourcePointOfInterest: null,
  };
  const fields = "fields: [TAG, DATA_SOURCE_ID, DATA_SOURCE_SITE]";

  expect(await ask(`tracksSummary(tracksBucket: {${fields}})`, `buckets { ${key} total time counts { tag } }`)).toEqual(
    {
      buckets: [
        { key: { ...place, tag: tagOf("car") }, total: 1, time: iso(0), counts: [] },
        { key: { ...place, tag: tagOf("person") }, total: 2, time: iso(0), counts: [] },
        { key: { ...place, tag: null }, total: 1, time: iso(0), counts: [] },
      ],
    },
  );
});

test("the older arguments of tracksSummary, and its counts by tag", async () => {
  const selection = "totalsByTag { tag count } buckets { time total counts { tag count } }";

  expect(await ask('tracksSummary(bucket: DAYS tags: {name: {ne: "CAR"}})', selection)).toEqual({
    totalsByTag: [{ tag: "person", count: 2 }],
    buckets: [{ time: iso(0), total: 2, counts: [{ tag: "person", count: 2 }] }],
  });
  expect(await ask("tracksSummary(bucket: HOURS filter: {})", selection, 0, 1)).toEqual({
    totalsByTag: [],
    buckets: [{ time: iso(0), total: 1, counts: [] }],
  });
});

test("stays in zones, and how long those lasted that have ended", async () => {
  const statistics = "summaryStatistics { duration { min average max } }";
  const answer = await ask(
    "zoneIntersectionSummary(zoneIntersectionBucket: {fields: [ZONE_NAME, TAG, DATA_SOURCE]})",
    `${COUNTS} ${statistics} buckets { key { zoneName tag { name } dataSource { id } } total ${statistics} }`,
  );

  const key = { zoneName: "Gate", dataSource: { id: "ds-a" } };
  const lasted = (min: string, average: string, max: string) => ({
    summaryStatistics: { duration: { min, average, max } },
  });
  expect(answer).toEqual({
    ...count(4, 4, 3),
    ...lasted("PT15M", "PT1H", "PT2H"),
    buckets: [
      { key: { ...key, tag: { name: "car" } }, total: 1, ...lasted("PT2H", "PT2H", "PT2H") },
      { key: { ...key, tag: { name: "person" } }, total: 2, ...lasted("PT15M", "PT30M", "PT45M") },
      { key: { ...key, tag: null }, total: 1, summaryStatistics: { duration: null } },
    ],
  });
});

test("detections are counted once, also those that came twice", async () => {
  const filter = 'filter: {site: {name: {eq: "Yard"}}, not: {tag: {name: {eq: "car"}}}}';
  const highest = "highestTotalBuckets(groupBy: {fields: [SITE]}) { key { time site { name } tag { name } } total }";
  const answer = await ask(
    `detectionsSummary(detectionsBucket: {size: HOURS, fields: [SITE, TAG]} ${filter})`,
    `total buckets { key { time site { id } tag { name } } total } ${highest}`,
  );

  const site = { id: "site-1" };
  const winner = { key: { time: null, site: { name: "Yard" }, tag: null }, total: 2 };
  expect(answer).toEqual({
    total: 6,
    buckets: [
      { key: { time: iso(0), site, tag: { name: "person" } }, total: 2 },
      { key: { time: iso(1), site, tag: { name: "person" } }, total: 2 },
      { key: { time: iso(2), site, tag: null }, total: 2 },
    ],
    highestTotalBuckets: [winner, winner, winner],
  });
});

test("events: activities by the words of events, with the older argument, members and marks", async () => {
  const key = "key { time type subType eventProducerId eventProducer { name invalidReasons } draft }";
  const fields = "fields: [SUB_TYPE, EVENT_PRODUCER_ID, DRAFT]";
  const producer = { eventProducerId: "producer-1", eventProducer: { name: "Rules", invalidReasons: ["shadow"] } };
  const keyOf = (draft: boolean | null) => ({ time: null, type: null, subType: "late", ...producer, draft });

  expect(
    await ask(
      `eventsSummary(eventsBucket: {${fields}} bucket: DAYS)`,
      `buckets { ${key} time ${COUNTS} } metadataKeys`,
    ),
  ).toEqual({
    buckets: [
      { key: keyOf(false), time: iso(0), ...count(1, 1, 1) },
      { key: keyOf(true), time: iso(0), ...count(1, 1, 1) },
      { key: keyOf(null), time: iso(0), ...count(1, 1, 0) },
    ],
    metadataKeys: ["badge"],
  });
  const filter = 'filter: {type: {eq: "Visit"}, draft: {ne: true}, metadata: {path: ["badge"], filter: {eq: "4711"}}}';
  expect(
    await ask(`eventsSummary(bucket: HOURS ${filter})`, `total buckets { time total ${key} }`, 1.5, 2.5),
  ).toMatchObject({
    total: 2,
    buckets: [
      { time: iso(1), total: 2, key: { time: iso(1), eventProducerId: null, eventProducer: null, draft: null } },
      { time: iso(2), total: 2 },
    ],
  });
  expect(
    await ask(
      `eventsSummary(eventsBucket: {fields: [TYPE, DRAFT], metadata: [{path: ["badge"]}]})`,
      "highestTotalBuckets(groupBy: {fields: [TYPE]}) { key { type draft metadata { path string } } total }",
    ),
  ).toMatchObject({
    highestTotalBuckets: Array(3).fill({ key: { type: "Visit", draft: null, metadata: null }, total: 1 }),
  });
});

test("an activity that is in more buckets than are allowed is refused before its lists are multiplied", async () => {
  const range = `startTime: "${iso(99)}" endTime: "${iso(101)}"`;
  const asked = `activityChronicleSummary(${range} activityChronicleBucket: {fields: [LABEL, SITE, DATA_SOURCE]})`;

  const { body } = await api.ask(`{ ${asked} { total } }`);

  expect(body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(body.errors[0].message).toContain("one object is in more buckets than are allowed");
});

test("a range from the first to the last year that can be written has everything", async () => {
  const [first, last] = [-17_000_000, 69_890_000];

  expect(await ask("tracksSummary(tracksBucket: {fields: [TAG]})", "total", first, last)).toEqual({ total: 4 });
  expect(await ask("zoneIntersectionSummary(bucketingStrategy: ENDED)", "total", first, last)).toEqual({ total: 3 });
  expect(await ask("detectionsSummary(filter: {})", "total", first, last)).toEqual({ total: 8 });
});

test.each([
  [
    "tracksSummary(tracksBucket: {fields: [TAG, DATA_SOURCE_ID, DATA_SOURCE_SITE, DATA_SOURCE_POINT_OF_INTEREST]})",
    "at most 3 fields",
  ],
  ["tracksSummary(bucket: MINUTES)", "MINUTES is for ranges of up to 1 day"],
  ["zoneIntersectionSummary(zoneIntersectionBucket: {size: HOURS})", "HOURS is for ranges of up to 7 days"],
  ["detectionsSummary(detectionsBucket: {size: DAYS})", "417 buckets, the limit is 100 (API_MAX_BUCKETS)"],
])("refuses %s", async (field, message) => {
  await expect(ask(field, "total", 0, 10_000)).rejects.toThrow(message);
});
