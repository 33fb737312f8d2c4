// The most expensive questions that a read token may ask of views in memory: the longest time for which they block
// the event loop.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { getIntrospectionQuery } from "graphql";
import { devicesFeed, heartbeatMessage } from "../../../projections/feed/devices.ts";
import type { FeedMessage } from "../../../projections/feed/kind.ts";
import { tracksFeed } from "../../../projections/feed/tracks.ts";
import { createSeen } from "../../../projections/filters/seen-positions.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import { createHub } from "../../../services/api/feed/hub.ts";
import { createSubscriber } from "../../../services/api/feed/subscriber.ts";
import { createLoopTurns, createTurnPace } from "../../../services/common/loop-turns.ts";
import { dataSourceCreated, deviceCreated } from "../../support/scenes/catalog.ts";
import { createTestApi } from "../../unit/services/api/support.ts";
import { type Comparison, median } from "../measure.ts";
import { busyMs } from "./busy-time.ts";
import { boundsRow, isAsked } from "./row.ts";
import { layers } from "./shapes.ts";

const TAGS = 290;
const ENTITIES = 20_000;
const VALUES = 20_000;
const BRANCHES = 1_000;
const ROUNDS = 5;

const texts = (count: number) => Array.from({ length: count }, (_, i) => `text number ${i}`);
const alike = (count: number) => ({ or: texts(count).map((like) => ({ name: { like } })) });
const aliases = (count: number, field: string) => Array.from({ length: count }, (_, i) => `f${i}: ${field}`).join(" ");

export async function benchQuestions(): Promise<Comparison[]> {
  const rows: Comparison[] = [];
  for (const [name, ask] of Object.entries(await questions())) {
    if (!isAsked(name)) continue;
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const began = performance.now();
      times.push(await longestBlock(ask));
      const all = performance.now() - began;
      process.stderr.write(`  ${name} round ${round}: ${times.at(-1)?.toFixed(1)} ms of ${all.toFixed(0)} ms\n`);
    }
    rows.push(boundsRow(`loop held at a time, ${name}`, median(times.slice(1)), "< 50 ms"));
  }
  return rows;
}

/**
 * Resolves with the longest processor time between two turns of the event loop while the question is answered, in
 * milliseconds. Other load adds nothing to it.
 */
async function longestBlock(ask: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = busyMs();
  const watch = () => {
    const now = busyMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(watch, 1);
  await delay(5);
  longest = 0;
  await ask();
  await delay(5);
  clearInterval(timer);
  return longest;
}

async function questions(): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  const api = await createTestApi({ env: { CLICKHOUSE_URL: await emptyStore() } });
  let offset = 0;
  for (let i = 0; i < TAGS; i++) api.catalog.apply(tagCreated(i), offset++);
  for (let i = 0; i < ENTITIES; i++) {
    for (const event of [dataSourceCreated(`d${i}`), deviceCreated(`d${i}`), geofenceCreated(i)]) {
      api.catalog.apply(event, offset++);
    }
  }
  const headers = { "content-type": "application/json", ...api.admin };
  const asking = (query: string, variables: object = {}) => {
    const payload = JSON.stringify({ query, variables });
    return () => api.app.inject({ method: "POST", url: "/graphql", headers, payload });
  };
  const page = (name: string, argument = "$f") => `${name}(first: 1, filter: ${argument}) { totalCount }`;
  const types = "__schema { types { fields { args { type { ofType { ofType { ofType { name } } } } } } } }";
  return {
    "290 tags, 1 000 like, 10 fields": asking(
      `query ($f: FilterTagInput) { ${aliases(10, "tags(first: 1, filter: $f) { edges { node { id } } }")} }`,
      { f: alike(BRANCHES) },
    ),
    "labels.eq of 20 000 texts, 20 000 geofences, 10 fields": asking(
      `query ($f: FilterGeofenceInput) { ${aliases(10, "geofences(first: 1, filter: $f) { edges { node { id } } }")} }`,
      { f: { labels: { eq: texts(VALUES) } } },
    ),
    "1 000 like, 20 000 geofences, 2 fields": asking(
      `query ($f: FilterGeofenceInput) { ${aliases(2, "geofences(first: 1, filter: $f) { edges { node { id } } }")} }`,
      { f: alike(BRANCHES) },
    ),
    "1 000 conditions on 20 000 data sources": asking(`query ($f: FilterTrackInput!) { ${page("tracks")} }`, {
      f: { timeRange: {}, or: texts(BRANCHES).map((like) => ({ dataSourceType: { like } })) },
    }),
    "20 000 devices in a summary, 9 fields": asking(
      `query ($f: FilterDeviceSummaryInput!) { ${aliases(
        9,
        `deviceSummary(startTime: "1970-01-01T00:00:00Z", endTime: "2040-01-01T00:00:00Z", filter: $f,
          deviceBucket: { fields: [SITE, POINT_OF_INTEREST] }) { total buckets { total } }`,
      )} }`,
      { f: { site: alike(100) } },
    ),
    "introspection as tools ask": asking(getIntrospectionQuery()),
    "introspection, 50 fields": asking(`{ ${aliases(50, types)} }`),
    "8 MiB of values": asking("query ($f: FilterTagInput) { tags(first: 1, filter: $f) { totalCount } }", {
      f: { id: { in: texts(300_000) } },
    }),
    "a polygon of 10 000 corners, 10 fields": asking(
      `query ($f: FilterDetectionInput!) { ${aliases(10, "detections(first: 1, filter: $f) { edges { cursor } }")} }`,
      { f: { position: { in: polygon(layers(9_990, 10)) } } },
    ),
    "100 polygons of 90 corners": asking(`query ($f: FilterDetectionInput!) { ${page("detections")} }`, {
      f: { or: Array.from({ length: 100 }, (_, i) => ({ position: { in: polygon(layers(90, 1 + i / 100)) } })) },
    }),
    "500 filters of 1 000 like, one message": publishing(devicesFeed, alike(BRANCHES), heartbeat(), 500),
    "20 filters of 990 on attributes, a track of 256": publishing(tracksFeed, onAttributes(), crowdedTrack(), 20),
  };
}

/** Answers each query with no rows, so that the client writes it as it would for a store. */
async function emptyStore(): Promise<string> {
  const server = createServer((request, response) => request.resume().on("end", () => response.end()));
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const polygon = (ring: readonly number[]) => ({
  type: "Polygon",
  coordinates: [ring.flatMap((x, i) => (i % 2 === 0 ? [[x, ring[i + 1] ?? 0]] : []))],
});

const onAttributes = () => ({
  or: texts(990).map((like) => ({ attribute: { type: { like: "t" }, value: { like } } })),
});

const heartbeat = (): FeedMessage => heartbeatMessage({ id: "d", name: "none", dataSourceId: "s" } as never, 0);

function crowdedTrack(): FeedMessage {
  const attributes = Array.from({ length: 256 }, (_, i) => ({ type: `type ${i}`, value: `value ${i}`.padEnd(100) }));
  const track = {
    trackId: "t",
    dataSourceId: "s",
    tag: "car",
    modelId: null,
    properties: { identifier: null, attributes },
  };
  const seen = { seen: createSeen([]), count: 0 };
  return { kind: "tracks", index: 0, dataSourceId: "s", state: "UPDATE", track, seen } as never;
}

function publishing(kind: object, filter: object, message: FeedMessage, filters: number): () => Promise<unknown> {
  const queue = { maxMessages: 1_000, maxBytes: 1_000_000 };
  const pace = createTurnPace(createLoopTurns(), 20_000);
  const catalog = { sources: new Map() };
  const hub = createHub({ pace, catalog } as never, { queue, maxTests: Number.MAX_SAFE_INTEGER });
  const sink = { congested: () => false, write: () => {}, end: () => {} };
  for (let i = 0; i < filters; i++) {
    const asked = { kind: kind as never, filter: structuredClone(filter) };
    const subscriber = createSubscriber(sink, queue, () => {});
    hub.add(subscriber, { key: `${i}`, filterKey: `${i}`, asked, tokenId: `${i}`, render: () => "{" });
  }
  const entry = { partition: 0, offset: 0, bytes: 0, messages: [message] };
  return async () => hub.publish(message.kind === "tracks" ? "camera-log" : "catalog", entry, [0]);
}

const created = (id: string, set: object) => ({ id, change: "created", at: 1_000, set, cleared: [] });

const tagCreated = (i: number): CatalogEvent =>
  ({ type: "TagChanged", event: created(`t${i}`, { name: `tag ${i}`, color: "#000000" }) }) as CatalogEvent;

function geofenceCreated(i: number): CatalogEvent {
  const set = { name: `geofence ${i}`, labels: ["a"], siteId: "s", pointOfInterestId: null, active: true };
  return {
    type: "GeofenceChanged",
    event: created(`g${i}`, { ...set, bounds: { rings: [], crs: null } }),
  } as CatalogEvent;
}
