import { beforeAll, expect, test } from "vitest";
import { detectionsOfTracks } from "../../../projections/history/queries/detections.ts";
import { intersectionsOfTracks, zonesOfDetections } from "../../../projections/history/queries/intersections.ts";
import { projectedUpTo } from "../../../projections/history/queries/positions.ts";
import { positionsOfTracks } from "../../../projections/history/queries/positions-of-tracks.ts";
import type { TrackRecord } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import { trackById, tracksBefore, tracksByIds, trackWindow } from "../../../projections/history/queries/tracks.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import { seenLast } from "../../../projections/track/seen-last.ts";
import type { DetectionOrder } from "../../../schemas/filters.ts";
import { createLoaders } from "../../../services/api/read/loaders.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { createDatabase, type Database, fillInAnyOrder } from "./database.ts";
import { detectionMatches } from "./matches.ts";
import { detectionFilter } from "./random-filters.ts";
import { createWorld, START, seeded, withOwnIds } from "./world.ts";

const DAY_MS = 86_400_000;
const world = createWorld(31);
let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  await fillInAnyOrder(database, world, seeded(32), 3);
});

const history = () => ({ client: database.client, dataSourceIds: () => [] });
const inTime: DetectionOrder[] = [
  { field: "DETECTION_TIME", direction: "ASC" },
  { field: "GLOBAL_TRACK_ID", direction: "ASC" },
];

test("the detections of many tracks come in one answer, a list for each", async () => {
  const random = seeded(33);
  for (let i = 0; i < 20; i++) {
    const { dataSourceId: _source, trackId: _track, tag: _tag, ...filter } = detectionFilter(random, 0);
    const tracks = [...world.tracks.slice(i % 10, (i % 10) + 5), { trackId: "unknown", dataSourceId: "ds-a" }];
    const known = i % 2 === 0 ? tracks : tracks.map(({ trackId, dataSourceId }) => ({ trackId, dataSourceId }));
    const lists = await detectionsOfTracks(history(), { tracks: known, filter, first: 3, sort: inTime });

    const expected = tracks.map((track) =>
      world.detections
        .filter(
          (detection) => trackKeyOf(detection) === trackKeyOf(track) && detectionMatches(world, detection, filter),
        )
        .sort((a, b) => a.timestamp - b.timestamp)
        .slice(0, 3),
    );
    expect(lists).toEqual(expected);
  }
});

test("without `first` all detections of a track come, newest first if asked so", async () => {
  const [track] = world.tracks;
  if (track === undefined) throw new Error("an empty world");
  const [list] = await detectionsOfTracks(history(), {
    tracks: [track],
    sort: [{ field: "DETECTION_TIME", direction: "DESC" }],
  });

  const mine = world.detections.filter((detection) => trackKeyOf(detection) === trackKeyOf(track));
  expect(list).toEqual(mine.sort((a, b) => b.timestamp - a.timestamp));
});

test("the history means by an id alone the track that the rule of all stores means", async () => {
  const ids = ["", "\uff5e", "\u{1f600}"].map((end) => `ds-z${end}`);
  const instants = [null, START, START + 1];
  const pairs = ids.flatMap((one) => ids.flatMap((other) => (one < other ? [[one, other] as const] : [])));
  const cases = pairs.flatMap((pair) =>
    instants.flatMap((a) =>
      instants.map((b) => [a, b].map((lastSeen, i) => ({ dataSourceId: pair[i] ?? "", lastSeen }))),
    ),
  );
  const time = (ms: number | null) => (ms === null ? "NULL" : `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`);
  const rows = cases.flatMap((twins, i) =>
    twins.map(({ dataSourceId, lastSeen }) => {
      const times = [lastSeen, lastSeen, START, START].map(time);
      return `('${dataSourceId}', 'case ${i}', ${times.join()})`;
    }),
  );
  await database.client.command({
    query: `INSERT INTO tracks_v1 (data_source_id, track_id, first_detection_at, last_detection_at, created_at, updated_at)
      VALUES ${rows.join()}`,
  });

  const found = new Map(
    (
      await tracksByIds(
        database.client,
        [...cases.keys()].map((i) => `case ${i}`),
      )
    ).map((each) => [each.trackId, each]),
  );

  for (const [i, twins] of cases.entries()) {
    const meant = seenLast(twins, (each) => each)?.dataSourceId;
    expect(found.get(`case ${i}`)?.dataSourceId, JSON.stringify(twins)).toBe(meant);
  }
});

test("a track was there before an instant when some message about it was recorded before", async () => {
  const [one, other] = world.tracks.filter(({ tag }) => tag !== "");
  if (one === undefined || other === undefined) throw new Error("a world without tracks");
  const recordedAt = Math.min(
    ...world.log
      .filter(({ message: { event } }) => JSON.stringify(event).includes(`"trackId":"${one.trackId}"`))
      .map((entry) => entry.recordedAt),
  );
  const foundBefore = (instant: number) =>
    tracksBefore(database.client, [
      { ...one, recordedAt: instant },
      { ...other, recordedAt: 0 },
      { trackId: other.trackId, dataSourceId: "another", recordedAt: Number.MAX_SAFE_INTEGER },
    ]);

  expect(await foundBefore(recordedAt)).toEqual([]);
  expect(await foundBefore(recordedAt + 1)).toEqual([one]);
});

test("intersections of tracks and zones of detections follow the same rule", async () => {
  // Without the times of their detections, because the world draws those of intersections apart from them.
  const known = world.tracks.map(({ trackId, dataSourceId }) => ({ trackId, dataSourceId }));
  const tracks = [...known, { trackId: "unknown", dataSourceId: "ds-a" }];
  const lists = await intersectionsOfTracks(database.client, tracks);
  expect(lists.map((list) => list.length)).toEqual(
    tracks.map((track) => world.intersections.filter((each) => trackKeyOf(each) === trackKeyOf(track)).length),
  );

  const asked = world.detections.slice(0, 200);
  const zones = await zonesOfDetections(database.client, asked);
  const expected = asked.map((detection) =>
    ["zone-1", "zone-2", "zone-3"].filter((zone) => detectionMatches(world, detection, { zoneId: { eq: zone } })),
  );
  expect(zones).toEqual(expected);
  expect(expected.flat().length).toBeGreaterThan(20);
});

test("of a track with more than 100 000 positions the newest count", async () => {
  const more = 50_000;
  await database.client.command({
    query: `INSERT INTO detections_v1 (data_source_id, track_id, timestamp, longitude, latitude)
      SELECT 'ds-a', 'wanderer', fromUnixTimestamp64Milli(toInt64(${START} + number), 'UTC'), number / 1000, 50
      FROM numbers(${100_000 + more})`,
  });
  const track = { trackId: "wanderer", dataSourceId: "ds-a", partition: 0, since: 1 };

  const positions = (await positionsOfTracks(database.client, [track])).get(trackKeyOf(track)) ?? [];
  const longitudes = positions.filter((_, i) => i % 2 === 0);
  expect(longitudes).toHaveLength(100_000);
  expect(longitudes.reduce((least, each) => Math.min(least, each))).toBe(more / 1_000);
});

test("of the tracks with one id the one seen last is found by it, and positions are those of each", async () => {
  await database.client.command({
    query: `INSERT INTO tracks_v1 (data_source_id, track_id, first_detection_at, last_detection_at, created_at, updated_at)
      SELECT ['ds-p', 'ds-q', 'ds-r'][number + 1], 'seen', t, t + [7000, 9000, 8000][number + 1], t + number, t + number
      FROM (SELECT number, fromUnixTimestamp64Milli(toInt64(${START}), 'UTC') AS t FROM numbers(3))`,
  });
  await database.client.command({
    query: `INSERT INTO detections_v1 (data_source_id, track_id, timestamp, longitude, latitude)
      SELECT ['ds-p', 'ds-q', 'ds-r'][number + 1], 'seen', fromUnixTimestamp64Milli(toInt64(${START}), 'UTC'), number, 50
      FROM numbers(3)`,
  });
  const refs = ["ds-p", "ds-r"].map((dataSourceId) => ({ trackId: "seen", dataSourceId, partition: 0, since: 1 }));

  expect((await tracksByIds(database.client, ["seen"])).map(({ dataSourceId }) => dataSourceId)).toEqual(["ds-q"]);
  expect((await trackById(database.client, "seen"))?.dataSourceId).toBe("ds-q");
  expect(await positionsOfTracks(database.client, refs)).toEqual(
    new Map(refs.map((ref, i) => [trackKeyOf(ref), [2 * i, 50]])),
  );
});

test("tracks that two data sources gave the same id have each their own data", async () => {
  const twins = ["ds-x", "ds-y"].map((dataSourceId, i) => ({
    trackId: "twin",
    dataSourceId,
    timestamp: START + i * 60_000,
  }));
  const gathered = createGathered();
  for (const [offset, { trackId, dataSourceId, timestamp }] of twins.entries()) {
    const place = { partition: 0, offset, recordedAt: timestamp };
    const detection = { trackId, timestamp, polygon: null, position: null, direction: null, metadata: null };
    const header = { trackId, dataSourceId, tag: dataSourceId, startTime: timestamp, endTime: null };
    gathered.add(
      {
        type: "TrackCreated",
        event: { ...header, modelId: null, properties: null, metadata: null, detections: [detection] },
      },
      place,
    );
    const stay = {
      intersectionId: `stay-${offset}`,
      zoneId: `zone-of-${dataSourceId}`,
      startTime: timestamp,
      endTime: null,
    };
    gathered.add(
      {
        type: "ZoneIntersectionChanged",
        event: {
          ...{ ...stay, state: "START", trackId, dataSourceId, tag: dataSourceId, lastInside: timestamp },
          cause: { partition: 0, offset, index: 0 },
        },
      },
      place,
    );
  }
  await createHistoryStore(database.client).insert(gathered.byTable(), [
    { topic: "twins", partition: 0, logId: "any", rankBase: 0, first: 0, next: 2 },
  ]);
  const reached = { historyReached: async () => undefined, intersectionsReached: async () => undefined };
  const loaders = createLoaders(history(), reached, async (items, _tests, visit) => [...items].forEach(visit));

  const answers = await Promise.all(
    twins.map(async (twin) => ({
      detections: (await loaders.detections(twin, { sort: inTime })).map(({ timestamp }) => timestamp),
      stays: (await loaders.intersections(twin)).map(({ intersectionId }) => intersectionId),
      zones: await loaders.zoneIds({ ...twin, polygon: { rings: [], crs: null }, position: null }),
      tag: (await loaders.track(twin))?.tag,
    })),
  );

  expect(answers).toEqual(
    twins.map(({ timestamp, dataSourceId }, i) => ({
      ...{ detections: [timestamp], stays: [`stay-${i}`], zones: [`zone-of-${dataSourceId}`], tag: dataSourceId },
    })),
  );
});

test("a track is found within 24 hours of the instant and no further", async () => {
  const isMeant = ({ endTime, lastDetectionAt }: TrackRecord) => endTime === null && lastDetectionAt !== null;
  const track = withOwnIds(world).find(isMeant);
  if (track === undefined || track.lastDetectionAt === null) throw new Error("no unended track");
  const { trackId, startTime } = track;
  const last = Math.max(startTime, track.lastDetectionAt);
  const at = (timestamp: number | undefined, now = 0) =>
    trackById(database.client, trackId, trackWindow(timestamp, now));

  expect(await at(startTime - DAY_MS)).toEqual(track);
  expect(await at(startTime - DAY_MS - 1)).toBeUndefined();
  expect(await at(last + DAY_MS)).toEqual(track);
  expect(await at(last + DAY_MS + 1)).toBeUndefined();
  expect(await at(undefined, last + DAY_MS - 1)).toEqual(track);
  expect(await at(undefined, last + DAY_MS)).toBeUndefined();
  expect(await trackById(database.client, trackId)).toEqual(track);
  expect(await trackById(database.client, "unknown")).toBeUndefined();
});

test("positions are the furthest ever stored", async () => {
  const store = createHistoryStore(database.client);
  const at = (topic: string, next: number, rankBase = 0, logId = "log") =>
    store.savePositions([{ topic, partition: 3, next, rankBase, logId }]);
  await at("t", 50);
  await at("t", 40);
  await at("other", 90);
  expect(await projectedUpTo(database.client, "t")).toEqual(new Map([[3, 50]]));

  // After a log was replaced, the positions of the new one count.
  await at("t", 7, 51, "next log");
  await at("t", 60);
  const position = { next: 7, rankBase: 51, logId: "next log" };
  expect(await store.loadPositions("t")).toEqual(new Map([[3, position]]));
});
