// Trials of zones over a history in ClickHouse.
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { BinaryClient } from "../../../projections/history/queries/run.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import type { CameraLogEvent, Zone } from "../../../schemas/events.ts";
import { forOperation } from "../../../services/api/read/history-client.ts";
import { createTrials, type TrialRequest } from "../../../services/api/read/trials.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { wideSlots } from "../../support/scenes/no-limits.ts";
import { zone } from "../../support/scenes/zone.ts";
import { created, recordedBy, rectangle, seen, settings, T0, updated } from "../../unit/projections/live/camera.ts";
import { createRandom } from "../../unit/projections/live/random-log.ts";
import { anyTriedZone, liveStays, sortedStays, TRIAL_END, trialWalk } from "../../unit/projections/trial/walks.ts";
import { createTestApi } from "../../unit/services/api/support.ts";
import { createDatabase, type Database } from "../history/database.ts";

let database: Database;
let api: Awaited<ReturnType<typeof createTestApi>>;

beforeAll(async () => {
  database = await createDatabase();
  api = await createTestApi({
    env: {
      CLICKHOUSE_URL: String(database.config.CLICKHOUSE_URL),
      CLICKHOUSE_USER: database.config.CLICKHOUSE_USER,
      CLICKHOUSE_PASSWORD: database.config.CLICKHOUSE_PASSWORD,
      CLICKHOUSE_DATABASE: database.name,
      TRACK_TTL: String(settings.trackTtlMs / 1_000),
      API_TRIAL_DETECTIONS: "50",
      API_TRIAL_CANDIDATES: "30",
      MAX_ZONE_VERTICES: "100",
    },
  });
  const set = { name: "Gate camera", type: "VIDEO_DEVICE" as const, labels: null };
  for (const [offset, id] of ["gate", "busy", "crowded"].entries()) {
    api.catalog.apply({ type: "DataSourceChanged", event: { id, change: "created", at: 0, set, cleared: [] } }, offset);
  }
  const place = { zoneId: "door", dataSourceId: "elsewhere", partition: 0, offset: 0, movedTo: null, refusal: null };
  const door = zone({ zoneId: "door", dataSourceId: "elsewhere", active: false, polygon: DOOR });
  api.zones.apply({ ...place, zone: door });
  await store([...visitors("gate"), ...still("busy", 51, 0), ...still("crowded", 31, 150)], 100);
});

const DOOR = { rings: [rectangle(100, 0, 200, 100)], crs: null };

/** Track p1 is inside from 1 to 3 s, p2 from 2 s until its explicit end at 6 s, p3 at 4 s and again from 30 s on. */
const visitors = (dataSourceId: string): CameraLogEvent[] => [
  created({ dataSourceId, trackId: "p1", tag: "Person" }),
  created({ dataSourceId, trackId: "p2", tag: "car" }),
  created({ dataSourceId, trackId: "p3", tag: "person" }),
  ...[
    ...[seen(0, 50, { trackId: "p1" }), seen(1_000, 110, { trackId: "p1" }), seen(2_000, 150, { trackId: "p2" })],
    ...[seen(2_500, 150, { trackId: "p1" }), seen(3_000, 250, { trackId: "p1" }), seen(4_000, 150, { trackId: "p3" })],
    ...[seen(5_000, 150, { trackId: "p2" }), seen(30_000, 150, { trackId: "p3" })],
  ].map((detection) => recordedBy(dataSourceId, detection)),
  updated({ dataSourceId, trackId: "p2", endTime: T0 + 6_000 }),
];

/** A track that does not move. */
const still = (dataSourceId: string, detections: number, x: number): CameraLogEvent[] => [
  recordedBy(dataSourceId, ...Array.from({ length: detections }, (_, i) => seen(i * 10, x))),
];

const WALKS = 3;

/** The walk of a seed, by a camera of its own. */
function walkOf(seed: number): CameraLogEvent[] {
  const log = trialWalk(createRandom(seed), 3);
  return log.map(
    (message) => ({ ...message, event: { ...message.event, dataSourceId: `cam-${seed}` } }) as CameraLogEvent,
  );
}

async function store(log: readonly CameraLogEvent[], batch: number): Promise<void> {
  const rows = createGathered();
  for (const [offset, message] of log.entries()) rows.add(message, { partition: 0, offset, recordedAt: T0 });
  const covered = { topic: "any", partition: 0, logId: "any", rankBase: 0, first: batch, next: batch + 1 };
  await createHistoryStore(database.client).insert(rows.byTable(), [covered]);
}

const limits = { maxDetections: 10_000, maxCandidates: 10_000 };
const fold = { leastPiece: 10, trackTtlMs: settings.trackTtlMs, reorderMs: 0, now: () => TRIAL_END };

const request = (tried: Zone, to = TRIAL_END): TrialRequest => ({
  range: { dataSourceId: tried.dataSourceId, from: T0 - 10_000, to },
  zone: tried,
  isWanted: () => true,
  most: 1_000,
  after: undefined,
});

test("a trial has the intersections of live state, from whole and from unmerged rows, in pieces of any size", async () => {
  const caller = { tokenId: "t", client: database.client };
  for (let seed = 1; seed <= WALKS; seed++) {
    const log = walkOf(seed);
    await store(log, 2 * seed);
    // A projector that was killed writes the same rows again.
    if (seed % 2 === 0) await store(log, 2 * seed + 1);
    const random = createRandom(seed + 100);
    for (const pieceDetections of [10_000, 50]) {
      const tried = { ...anyTriedZone(random), dataSourceId: `cam-${seed}` };

      const found = await createTrials({ ...fold, ...limits, pieceDetections }).run(caller, request(tried));

      const live = liveStays(log, tried, 0);
      expect(sortedStays(found.page), `seed ${seed}, pieces of ${pieceDetections}`).toEqual(live);
      expect(found.totals.stays).toBe(live.length);
      expect(found.totals.tracks).toBe(new Set(live.map(({ trackId }) => trackId)).size);
    }
  }
});

test("a trial whose answers would be too large takes smaller pieces, as long as they are not too small", async () => {
  const log = walkOf(1);
  const tried = { ...anyTriedZone(createRandom(101)), dataSourceId: "cam-1" };
  const tryWith = (bytes: number) => {
    const client = createClickHouse(database.config, database.name, { max_result_bytes: String(bytes) });
    onTestFinished(() => client.close());
    return createTrials({ ...fold, ...limits, pieceDetections: 640 }).run({ tokenId: "t", client }, request(tried));
  };

  expect(sortedStays((await tryWith(5_000)).page)).toEqual(liveStays(log, tried, 0));
  await expect(tryWith(50)).rejects.toMatchObject({ code: "396" });
});

const at = (ms: number): string => new Date(T0 + ms).toISOString();

async function tryZone(args: string, selection: string, variables: Record<string, unknown> = {}) {
  const query = `query ${args.includes("$polygon") ? "($polygon: GeoJSONPolygonInput)" : ""} {
    zoneTrial(${args} startTime: "${at(0)}", endTime: "${at(40_000)}") { ${selection} }
  }`;
  const { body } = await api.ask(query, variables);
  const [error] = body.errors ?? [];
  return error === undefined ? body.data.zoneTrial : { refused: error.extensions, message: error.message };
}

const polygon = {
  coordinates: [
    [
      [100, 0],
      [200, 0],
      [200, 100],
      [100, 100],
      [100, 0],
    ],
  ],
};
const BOW_TIE = {
  coordinates: [
    [
      [0, 0],
      [10, 10],
      [10, 0],
      [0, 10],
      [0, 0],
    ],
  ],
};
const OF_GATE = 'dataSourceId: "gate", polygon: $polygon,';
const EDGES = "edges { node { track { id tag } startTime endTime duration } }";

test("a trial shows the stays of the range, and figures about all of them", async () => {
  const answer = await tryZone(
    OF_GATE,
    `${EDGES} totalCount pageInfo { hasNextPage }
     totals { total trackCount openCount totalDuration summaryStatistics { duration { min average max } } }`,
    { polygon },
  );

  const node = (id: string, tag: string, start: number, end: number | null, duration: string | null) => ({
    node: { track: { id, tag }, startTime: at(start), endTime: end === null ? null : at(end), duration },
  });
  expect(answer).toEqual({
    edges: [
      node("p1", "Person", 1_000, 3_000, "PT2S"),
      node("p2", "car", 2_000, 6_000, "PT4S"),
      node("p3", "person", 4_000, 4_000, "PT0S"),
      node("p3", "person", 30_000, null, null),
    ],
    totalCount: 4,
    pageInfo: { hasNextPage: false },
    totals: {
      ...{ total: 4, trackCount: 3, openCount: 1, totalDuration: "PT6S" },
      summaryStatistics: { duration: { min: "PT0S", average: "PT2S", max: "PT4S" } },
    },
  });
});

test("a page ends where the next one begins, and a tag leaves out the other tracks", async () => {
  const page = "edges { node { track { id } startTime } } pageInfo { hasNextPage endCursor } totalCount";
  const args = `${OF_GATE} tag: { eq: "PERSON" }, first: 2,`;

  const one = await tryZone(args, page, { polygon });
  const two = await tryZone(`${args} after: "${one.pageInfo.endCursor}",`, page, { polygon });

  const edge = (id: string, start: number) => ({ node: { track: { id }, startTime: at(start) } });
  expect(one).toMatchObject({ edges: [edge("p1", 1_000), edge("p3", 4_000)], totalCount: 3 });
  expect(one.pageInfo.hasNextPage).toBe(true);
  expect(two).toMatchObject({ edges: [edge("p3", 30_000)], totalCount: 3, pageInfo: { hasNextPage: false } });
  expect(await tryZone(`${OF_GATE} after: "${one.pageInfo.endCursor}",`, page, { polygon })).toMatchObject({
    refused: { code: "BAD_USER_INPUT", path: ["after"] },
  });
});

test("a zone of another camera may be tried with other settings, even an inactive one", async () => {
  const asked = (settings: string) =>
    tryZone(`dataSourceId: "gate", zoneId: "door", ${settings}`, "edges { node { track { id } startTime } }");

  expect((await asked("")).edges).toHaveLength(4);
  expect(await asked("enterDetections: 2,")).toEqual({
    edges: [
      { node: { track: { id: "p1" }, startTime: at(1_000) } },
      { node: { track: { id: "p2" }, startTime: at(2_000) } },
    ],
  });
});

test.each([
  ["neither a polygon nor a zone", 'dataSourceId: "gate",', {}, "BAD_USER_INPUT", ["polygon"]],
  ["both", `${OF_GATE} zoneId: "door",`, { polygon }, "BAD_USER_INPUT", ["polygon"]],
  ["an unknown data source", 'dataSourceId: "none", polygon: $polygon,', { polygon }, "NOT_FOUND", ["dataSourceId"]],
  ["an unknown zone", 'dataSourceId: "gate", zoneId: "none",', {}, "NOT_FOUND", ["zoneId"]],
  ["no detection to enter", `${OF_GATE} enterDetections: 0,`, { polygon }, "BAD_USER_INPUT", ["enterDetections"]],
  ["a negative delay", `${OF_GATE} exitDelayMs: -1,`, { polygon }, "BAD_USER_INPUT", ["exitDelayMs"]],
  ["a page that is too large", `${OF_GATE} first: 1001,`, { polygon }, "BAD_USER_INPUT", ["first"]],
  ["too many vertices", OF_GATE, { polygon: circle(200) }, "BAD_USER_INPUT", ["polygon", "coordinates"]],
  ["a million vertices", OF_GATE, { polygon: circle(1_000_000) }, "BAD_USER_INPUT", undefined],
  ["crossing rings", OF_GATE, { polygon: BOW_TIE }, "BAD_USER_INPUT", ["polygon", "coordinates", 0]],
  ["a busy camera", 'dataSourceId: "busy", polygon: $polygon,', { polygon }, "BAD_USER_INPUT", ["endTime"]],
  ["a crowded zone", 'dataSourceId: "crowded", polygon: $polygon,', { polygon }, "BAD_USER_INPUT", ["endTime"]],
])("%s is refused", async (_, args, variables, code, path) => {
  const { refused } = await tryZone(args, "totalCount", variables);

  expect(refused).toMatchObject(path === undefined ? { code } : { code, path });
});

test("a range of all time is a range like any other, and one that ends before it starts is refused", async () => {
  const ask = async (from: string, to: string) => {
    const args = `dataSourceId: "gate", zoneId: "door", startTime: "${from}", endTime: "${to}"`;
    const { body } = await api.ask(`{ zoneTrial(${args}) { totalCount } }`);
    return body.errors?.[0].extensions ?? body.data.zoneTrial;
  };

  expect(await ask("1900-01-02T00:00:00Z", "2299-12-31T00:00:00Z")).toEqual({ totalCount: 4 });
  expect(await ask("0001-01-01T00:00:00Z", at(0))).toMatchObject({ code: "BAD_USER_INPUT", path: ["startTime"] });
  expect(await ask(at(1), at(0))).toMatchObject({ code: "BAD_USER_INPUT", path: ["endTime"] });
});

test("a trial ends when its caller is gone", async () => {
  const gone = new AbortController();
  const operation = { tokenId: "t", signal: () => gone.signal, rootField: () => undefined };
  const asking = forOperation(database.client, wideSlots, operation);
  let queries = 0;
  const count = () => {
    queries += 1;
    if (queries === 3) gone.abort();
  };
  const client: BinaryClient = {
    ...asking,
    query: (params) => {
      count();
      return asking.query(params);
    },
    exec: (params) => {
      count();
      return asking.exec(params);
    },
  };
  const trials = createTrials({ ...fold, ...limits, pieceDetections: 1 });
  const tried = zone({ dataSourceId: "gate", polygon: DOOR });

  await expect(trials.run({ tokenId: "t", client }, request(tried))).rejects.toThrow("the client is gone");
  expect(queries).toBeLessThan(6);
});

function circle(points: number) {
  const ring = Array.from({ length: points }, (_, i) => [
    Math.cos((2 * Math.PI * i) / points),
    Math.sin((2 * Math.PI * i) / points),
  ]);
  return { coordinates: [[...ring, ring[0]]] };
}
