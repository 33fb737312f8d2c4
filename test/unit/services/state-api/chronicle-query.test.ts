import { expect, test } from "vitest";
import { pick, type Random, seeded } from "../../../integration/history/world.ts";
import {
  type ChronicleServer,
  pagesOf,
  type RawChronicle,
  startChronicleServer,
  type Variables,
} from "../../../support/running/chronicle-server.ts";
import { withPagesOf } from "../../../support/running/graphql-server.ts";
import { chronicleApi, credentials, NOW } from "./chronicle-api.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse("2026-02-01T00:00:00.000Z");
const iso = (ms: number) => new Date(ms).toISOString();

async function serving(chronicles: readonly RawChronicle[], pageSize?: number) {
  const server = await startChronicleServer(pagesOf(chronicles, pageSize));
  return { server, ...chronicleApi({ ownUrl: server.url }) };
}

const producer = (id: string) => ({ id, name: id });
const activity = (id: string, start: number, end: number | null, more: object = {}): RawChronicle => ({
  ...{
    id,
    name: id,
    chronicleProducer: producer("p1"),
    startTime: iso(start),
    endTime: end === null ? null : iso(end),
  },
  ...{ labels: null, status: null, priority: null, sites: null, dataSources: null, ...more },
});
const ids = (body: { readonly chronicles: readonly RawChronicle[] }) => body.chronicles.map(({ id }) => id);

test("an overlapping window is half-open, as the chronicles are; an instant is a chronicle too", async () => {
  const { ask } = await serving([
    activity("ends at the start", START - HOUR_MS, START),
    activity("ends in it", START - HOUR_MS, START + 1),
    activity("around it", START - HOUR_MS, START + 2 * DAY_MS),
    activity("instant at the start", START, START),
    activity("open", START - DAY_MS, null),
    activity("open, before the lookback", START - 8 * DAY_MS, null),
    activity("begins last", START + DAY_MS - 1, START + 2 * DAY_MS),
    activity("begins at the end", START + DAY_MS, null),
  ]);

  expect(ids((await ask()).body)).toEqual(["open", "around it", "ends in it", "instant at the start", "begins last"]);
  expect(ids((await ask({ include_open: false })).body)).not.toContain("open");
  expect(ids((await ask({ overlap_lookback_seconds: 8 * 86_400 })).body)).toContain("open, before the lookback");
  expect(ids((await ask({ time_match: "started_in" })).body)).toEqual(["instant at the start", "begins last"]);
});

test("null means the same as nothing", async () => {
  const { server, ask } = await serving([activity("a", START, START + 1), activity("open", START - HOUR_MS, null)]);
  const links = { producer_ids: null, site_ids: null, datasource_ids: null };
  const members = {
    ...{ ...links, time_match: null, include_open: null, overlap_lookback_seconds: null, limit: null },
    credentials: { graphql_url: server.url, ...credentials, ws_url: null },
  };
  const inside = {
    filters: { ...links, labels: null, statuses: null, priorities: null },
    aggregation: { output: null, group_by: null },
  };

  const plain = await ask();
  expect(plain.body.meta.total_matched).toBe(2);
  expect((await ask({ ...members, ...inside })).body).toEqual(plain.body);
  expect((await ask({ filters: null, aggregation: null })).body).toEqual(plain.body);
});

test("an open chronicle runs to now, not into the future", async () => {
  const { ask } = await serving([activity("open", NOW - HOUR_MS, null)]);
  const window = (from: number) => ({ start_time: iso(from), end_time: iso(from + HOUR_MS) });

  expect(ids((await ask(window(NOW - 1))).body)).toEqual(["open"]);
  expect(ids((await ask(window(NOW))).body)).toEqual([]);
});

test("fetches are of at most 24 hours from the start on, at most 4 at a time, by time only", async () => {
  const { server, ask } = await serving([]);

  const { body } = await ask({
    start_time: "2026-02-01T06:00:00+06:00",
    end_time: "2026-02-03T12:00:00Z",
    overlap_lookback_seconds: 5 * 86_400 + 1,
    filters: { labels: ["a"] },
  });

  const spans = server.asked.map(
    ({ variables: { filter } }) => filter["startTime"]?.between.map((time) => Date.parse(time)) ?? [],
  );
  const sorted = spans.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  const from = START - 5 * DAY_MS - 1_000;
  const to = START + 2.5 * DAY_MS;
  expect(sorted).toEqual(
    Array.from({ length: 8 }, (_, i) => [from + i * DAY_MS, Math.min(from + (i + 1) * DAY_MS, to)]),
  );
  expect(body.meta).toEqual({
    window: { start_time: iso(START), end_time: iso(to), time_match: "overlap" },
    record_kind: "activity_chronicle",
    chunks_queried: 8,
    total_matched: 0,
    truncated: false,
  });
  expect(server.atOnce()).toBeLessThanOrEqual(4);
  expect(server.asked.every(({ variables }) => Object.keys(variables.filter).join() === "startTime")).toBe(true);
});

test("the token goes to the server, and nowhere else", async () => {
  const { server, ask } = await serving([]);

  const { body } = await ask();

  expect(server.asked[0]?.headers).toMatchObject({ "x-token-id": "reader", "x-token-value": "right" });
  expect(JSON.stringify(body)).not.toContain("right");
});

test("raw objects come as they are, their times in UTC", async () => {
  const raw = {
    ...{
      id: "a",
      name: "x",
      chronicleProducer: producer("p"),
      startTime: "2026-02-01T11:00:00.5+01:00",
      endTime: null,
    },
    ...{ createdAt: "2026-02-01T10:00Z", updatedAt: "2026-02-01T10:00:00.123456Z", priority: "1" },
    ...{ metadata: { startTime: "2026-02-01T11:00:00+01:00" }, images: [{ id: "i" }] },
    dataSourceClips: [{ startTime: "2026-02-01T11:00:00+01:00", endTime: "2026-02-01T10:00:01.000Z" }],
  };
  const { ask } = await serving([raw]);

  expect((await ask()).body.chronicles).toEqual([
    {
      ...raw,
      startTime: "2026-02-01T10:00:00.500Z",
      createdAt: "2026-02-01T10:00:00.000Z",
      updatedAt: "2026-02-01T10:00:00.123Z",
      dataSourceClips: [{ startTime: "2026-02-01T10:00:00.000Z", endTime: "2026-02-01T10:00:01.000Z" }],
    },
  ]);
});

test("event chronicles are instants: always closed, of no site and no data source", async () => {
  const event = (id: string, at: number) => ({
    id,
    timestamp: iso(at),
    chronicleProducer: producer(id),
    labels: ["x"],
  });
  const { server, ask } = await serving([event("a", START), event("b", START + HOUR_MS), event("before", START - 1)]);
  const events = { record_kind: "event_chronicle", include_open: false };

  expect(ids((await ask(events)).body)).toEqual(["a", "b"]);
  expect(ids((await ask({ ...events, filters: { producer_ids: ["b"], labels: ["X"] } })).body)).toEqual(["b"]);
  expect(ids((await ask({ ...events, site_ids: ["s"] })).body)).toEqual([]);
  expect(ids((await ask({ ...events, filters: { datasource_ids: ["s"] } })).body)).toEqual([]);
  const { rollup } = (await ask({ ...events, aggregation: { output: "rollup" } })).body;
  expect(rollup).toMatchObject({ earliest_start: iso(START), latest_end: iso(START + HOUR_MS) });
  expect(server.asked[0]?.query).toContain("eventChronicles(");
});

test("the first by start are kept when there are more than the limit, and the rollup is of those", async () => {
  const many = Array.from({ length: 50 }, (_, i) =>
    activity(`a${i}`, START + ((i * 7) % 50) * 1_000, null, { status: `s${i % 3}` }),
  );
  const { ask } = await serving(many, 3);

  const { body } = await ask({ limit: 20, aggregation: { output: "raw_and_rollup" } });

  expect(body.chronicles.map(({ startTime }: RawChronicle) => startTime)).toEqual(
    Array.from({ length: 20 }, (_, i) => iso(START + i * 1_000)),
  );
  expect(body.meta).toMatchObject({ total_matched: 20, truncated: true });
  expect(body.rollup).toMatchObject({ total: 20, earliest_start: iso(START) });
  expect(body.rollup).not.toHaveProperty("latest_end");
});

test("a rollup of nothing has no times", async () => {
  const { ask } = await serving([]);

  const { body } = await ask({ aggregation: { output: "rollup" } });

  expect(Object.keys(body)).toEqual(["rollup", "meta"]);
  expect(body.rollup).toEqual({ total: 0, by_status: {}, by_priority: {}, by_label: {}, by_producer: {} });
});

test("labels that are names of Object.prototype are counted and grouped", async () => {
  const { ask } = await serving([activity("a", START, null, { labels: ["__proto__", "constructor", "__proto__"] })]);

  const rollup = (await ask({ aggregation: { output: "rollup" } })).body.rollup;
  expect(Object.entries(rollup.by_label)).toEqual([
    ["__proto__", 1],
    ["constructor", 1],
  ]);
  const { groups } = (await ask({ aggregation: { output: "grouped", group_by: "label" } })).body;
  expect(groups.map(({ key, count }: { key: string; count: number }) => [key, count])).toEqual([
    ["__proto__", 1],
    ["constructor", 1],
  ]);
});

test("a large chronicle in many groups: 400 instead of an answer without end, and a rollup of it", async () => {
  const labels = Array.from({ length: 100 }, (_, i) => `label ${i}`);
  const { ask } = await serving([activity("a", START, null, { labels, metadata: { text: "x".repeat(1_000_000) } })]);

  const { status, body } = await ask({ aggregation: { output: "grouped", group_by: "label" } });

  expect([status, body.errors?.[0]?.pointer]).toEqual([400, "#/limit"]);
  expect((await ask({ aggregation: { output: "rollup" } })).body.rollup.total).toBe(1);
  expect((await ask()).body.chronicles[0].metadata.text).toHaveLength(1_000_000);
});

test("a server that gives small pages is asked for smaller ones", async () => {
  const many = Array.from({ length: 100 }, (_, i) => activity(`a${i}`, START + i * 1_000, null));
  const answering = withPagesOf<Variables>(40, ({ first }) => first, pagesOf(many, 31));
  const server = await startChronicleServer(answering);

  const { body } = await chronicleApi({ ownUrl: server.url }).ask({ time_match: "started_in" });

  expect(body.chronicles).toHaveLength(100);
  expect(server.asked.map(({ variables }) => variables.first)).toEqual([250, 125, 62, 31, 31, 31, 31]);
});

test("a server that takes no page at all: 502", async () => {
  const server = await startChronicleServer(withPagesOf<Variables>(0, ({ first }) => first, pagesOf([])));

  const { status, body } = await chronicleApi({ ownUrl: server.url }).ask({ time_match: "started_in" });

  expect([status, body.detail]).toEqual([502, "the GraphQL server: first is at most 0"]);
});

// Random chronicles, and the answer computed another way: record by record, over all of them at once.
interface Any {
  readonly raw: RawChronicle;
  readonly start: number;
  readonly end: number | null;
  readonly has: Readonly<Record<string, readonly string[]>>;
}

const some = (random: Random, values: readonly string[]) => values.filter(() => random() < 0.4);

function anyActivity(random: Random, id: number): Any {
  const start = START + Math.floor((random() * 14 - 8) * 24) * HOUR_MS;
  const end = random() < 0.3 ? null : start + Math.floor(random() * 40) * HOUR_MS;
  const text = () => (random() < 0.3 ? null : pick(random, ["Open", "open", "CLOSED", "x"]));
  const [status, priority, labels, sites] = [text(), text(), some(random, ["A", "a", "b"]), some(random, ["s1", "s2"])];
  const [dataSources, producerId] = [some(random, ["d1", "d2"]), pick(random, ["p1", "p2"])];
  const linked = (all: readonly string[]) => all.map(producer);
  const raw = activity(`a${id}`, start, end, {
    ...{ status, priority, labels, sites: linked(sites), dataSources: linked(dataSources) },
    chronicleProducer: producer(producerId),
  });
  const of = (value: string | null) => (value === null ? [] : [value]);
  const has = { labels, statuses: of(status), priorities: of(priority), site_ids: sites, datasource_ids: dataSources };
  return { raw, start, end, has: { ...has, producer_ids: [producerId] } };
}

const groupKeys: Readonly<Record<string, string>> = {
  ...{ label: "labels", status: "statuses", priority: "priorities", producer: "producer_ids", site: "site_ids" },
};

function expected(all: readonly Any[], asked: AnyQuery) {
  const [from, to] = [Date.parse(asked.start_time), Date.parse(asked.end_time)];
  const isIn = ({ start, end, has }: Any) => {
    if (asked.time_match === "started_in" && start < from) return false;
    if (start < from - asked.overlap_lookback_seconds * 1_000 || start >= to) return false;
    if (start < from && (end ?? NOW) <= from) return false;
    if (!asked.include_open && end === null) return false;
    return Object.entries(asked.filters).every(([name, values]) => {
      const folds = !name.endsWith("_ids");
      const fold = (text: string) => (folds ? text.toUpperCase() : text);
      return values.length === 0 || values.map(fold).some((value) => has[name]?.map(fold).includes(value));
    });
  };
  const matching = all.filter(isIn).sort((a, b) => a.start - b.start || (a.raw.id < b.raw.id ? -1 : 1));
  const kept = matching.slice(0, asked.limit);
  const keys = (each: Any) => {
    const found = [...new Set(each.has[groupKeys[asked.aggregation.group_by] ?? ""])];
    return found.length === 0 ? ["(none)"] : found;
  };
  const groups = [...new Set(kept.flatMap(keys))].map((key) => {
    const members = kept.filter((each) => keys(each).includes(key)).map(({ raw }) => raw);
    return { key, count: members.length, chronicles: members };
  });
  return {
    chronicles: kept.map(({ raw }) => raw),
    groups: groups.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)),
    truncated: matching.length > asked.limit,
    total: kept.length,
    by_status: count(kept.flatMap(({ has }) => has["statuses"] ?? [])),
    by_label: count(kept.flatMap(({ has }) => has["labels"] ?? [])),
    by_producer: count(kept.flatMap(({ has }) => has["producer_ids"] ?? [])),
  };
}

const count = (values: readonly string[]) =>
  Object.fromEntries([...new Set(values)].map((value) => [value, values.filter((each) => each === value).length]));

type AnyQuery = ReturnType<typeof anyQuery>;

function anyQuery(random: Random) {
  const start = START + Math.floor((random() * 4 - 2) * 24) * HOUR_MS;
  const filters: Record<string, string[]> = {};
  if (random() < 0.3) filters["labels"] = some(random, ["B", "A", "z"]);
  if (random() < 0.3) filters["statuses"] = some(random, ["OPEN", "Closed"]);
  if (random() < 0.2) filters["priorities"] = some(random, ["open", "X"]);
  if (random() < 0.3) filters["site_ids"] = some(random, ["s1", "S2", "s2"]);
  if (random() < 0.2) filters["datasource_ids"] = some(random, ["d1"]);
  if (random() < 0.2) filters["producer_ids"] = some(random, ["p1", "p2"]);
  return {
    start_time: iso(start),
    end_time: iso(start + Math.ceil(random() * 100) * HOUR_MS),
    time_match: pick(random, ["overlap", "started_in"]),
    include_open: random() < 0.7,
    overlap_lookback_seconds: pick(random, [0, 3_600, 86_400, 604_800]),
    filters,
    limit: pick(random, [1, 5, 40, 5_000]),
    aggregation: { output: "raw", group_by: pick(random, Object.keys(groupKeys)) },
  };
}

test("random queries over random chronicles are answered as a plain computation answers them", async () => {
  const random = seeded(12);
  const all = Array.from({ length: 300 }, (_, id) => anyActivity(random, id));
  const { ask } = await serving(
    all.map(({ raw }) => raw),
    23,
  );

  for (let round = 0; round < 25; round++) {
    const asked = anyQuery(random);
    const right = expected(all, asked);
    const answers = await Promise.all(
      ["raw", "grouped", "raw_and_rollup"].map(async (output) => {
        const { status, body } = await ask({ ...asked, aggregation: { ...asked.aggregation, output } });
        expect(status, JSON.stringify(body)).toBe(200);
        return body;
      }),
    );
    const [raw, grouped, both] = answers;

    const { chronicles, groups, truncated, total, by_status, by_label, by_producer } = right;
    expect(raw.chronicles, JSON.stringify(asked)).toEqual(chronicles);
    expect(raw.meta).toMatchObject({ truncated, total_matched: total });
    expect(grouped.groups, JSON.stringify(asked)).toEqual(groups);
    expect(both.chronicles).toEqual(chronicles);
    expect(both.rollup).toMatchObject({ total, by_status, by_label, by_producer });
  }
});

const own = (server: ChronicleServer) => ({ graphql_url: server.url, ...credentials });
const bad: readonly (readonly [string, object, string])[] = [
  ["no graphql_url", { credentials }, "#/credentials/graphql_url"],
  [
    "an address that is not listed",
    { credentials: { ...credentials, graphql_url: "https://example.com/graphql" } },
    "#/credentials/graphql_url",
  ],
  ["no record_kind", { record_kind: undefined }, "#/record_kind"],
  ["another record_kind", { record_kind: "summary_chronicle" }, "#/record_kind"],
  ["no start", { start_time: undefined }, "#/start_time"],
  ["a time without offset", { end_time: "2026-02-02T00:00:00" }, "#/end_time"],
  ["an end at the start", { end_time: "2026-02-01T00:00:00.000Z" }, "#/end_time"],
  ["an end before the start", { end_time: "2026-01-01T00:00:00Z" }, "#/end_time"],
  ["another time_match", { time_match: "ended_in" }, "#/time_match"],
  ["a negative lookback", { overlap_lookback_seconds: -1 }, "#/overlap_lookback_seconds"],
  ["a limit of 0", { limit: 0 }, "#/limit"],
  ["a limit above 20 000", { limit: 20_001 }, "#/limit"],
  ["grouped without group_by", { aggregation: { output: "grouped" } }, "#/aggregation/group_by"],
  ["another group_by", { aggregation: { output: "grouped", group_by: "tag" } }, "#/aggregation/group_by"],
  ["another output", { aggregation: { output: "csv" } }, "#/aggregation/output"],
  ["site_ids twice", { site_ids: ["a"], filters: { site_ids: ["a"] } }, "#/site_ids"],
  ["more than 100 days with the lookback", { end_time: "2026-05-05T00:00:00.001Z" }, "#/start_time"],
];

test.each(bad)("%s: 400", async (_, members, pointer) => {
  const { server, ask } = await serving([]);

  const { status, body } = await ask(members);

  expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  expect(server.asked).toEqual([]);
});

const noToken: readonly (readonly [string, object, string])[] = [
  ["no credentials", { credentials: undefined }, "#/credentials"],
  [
    "a token with a line break",
    { credentials: { ...credentials, graphql_url: "http://x", token_value: "a\r\nb" } },
    "#/credentials/token_value",
  ],
];

test.each(noToken)("%s: 401, and 400 when the headers have a token", async (_, members, pointer) => {
  const { server, ask } = await serving([]);

  expect((await ask(members)).status).toBe(401);
  const { status, body } = await ask(members, { "x-token-id": "reader", "x-token-value": "right" });
  expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  expect(server.asked).toEqual([]);
});

test("without a valid token nothing else of a body is looked at, however much of it is wrong", async () => {
  const { app } = chronicleApi();
  const wrong = { filters: { labels: Array.from({ length: 900 }, () => 1) }, site_ids: Array(900).fill("") };
  const post = (payload: object, headers: Record<string, string> = {}) =>
    app.inject({ method: "POST", url: "/api/chronicles/query", payload, headers });

  const refused = await post({ ...wrong, credentials: { token_id: "reader", token_value: "wrong" } });
  const known = await post({ ...wrong, credentials: { ...credentials, graphql_url: "http://x" } });

  expect([refused.statusCode, refused.json().errors]).toEqual([401, undefined]);
  expect([known.statusCode, known.json().errors.length]).toEqual([400, expect.any(Number)]);
});

test("a body that has the token itself is a small one", async () => {
  const { server, ask } = await serving([]);
  const more = { padding: "x".repeat(64 * 1024), credentials: own(server) };

  expect((await ask(more)).status).toBe(413);
  expect((await ask(more, { "x-token-id": "reader", "x-token-value": "right" })).status).toBe(200);
});

test("100 days with the lookback are fetched", async () => {
  const { ask } = await serving([]);

  expect((await ask({ end_time: "2026-05-05T00:00:00Z" })).body.meta.chunks_queried).toBe(100);
  const started = { time_match: "started_in", end_time: "2026-05-12T00:00:00Z" };
  expect((await ask(started)).body.meta.chunks_queried).toBe(100);
});

test("the token of the headers, or else that of the credentials, must be valid and may read", async () => {
  const { server, ask } = await serving([]);
  const foreign = { credentials: { ...own(server), token_value: "of-another-server" } };
  const headers = { "x-token-id": "reader", "x-token-value": "right" };

  expect((await ask()).status).toBe(200);
  expect((await ask(foreign)).status).toBe(401);
  expect((await ask(foreign, headers)).status).toBe(200);
  expect((await ask({}, { ...headers, "x-token-value": "wrong" })).status).toBe(401);
  expect((await ask({}, { ...headers, "x-token-id": "writer" })).status).toBe(403);
});

test("another method: 405 with Allow; bad JSON: 400; another type: 415", async () => {
  const { app } = chronicleApi();
  const url = "/api/chronicles/query";
  const post = (payload: string, type: string) =>
    app.inject({ method: "POST", url, payload, headers: { "content-type": type } });

  const { statusCode, headers } = await app.inject({ method: "GET", url });

  expect([statusCode, headers["allow"]]).toEqual([405, "POST"]);
  expect((await post("{", "application/json")).statusCode).toBe(400);
  expect((await post("{}", "text/xml")).statusCode).toBe(415);
});

test("without a GraphQL server in the settings: 503", async () => {
  const members = { credentials: { ...credentials, graphql_url: "http://127.0.0.1:4000/graphql" } };

  expect((await chronicleApi().ask(members)).status).toBe(503);
  expect((await chronicleApi({ lists: { ALLOWED_URL_DOMAINS: "example.com" } }).ask(members)).status).toBe(400);
});

test("a listed server is asked as our own is", async () => {
  const { url } = await startChronicleServer(pagesOf([activity("a", START, null)]));
  const members = { credentials: { ...credentials, graphql_url: url } };

  expect(ids((await chronicleApi({ lists: { ALLOWED_URL_CIDRS: "127.0.0.1" } }).ask(members)).body)).toEqual(["a"]);
});
