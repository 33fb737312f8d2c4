// Queries find tracks by their ends, whichever tracks were settled before and changed since, merged or not.
import { expect, test } from "vitest";
import { settleTracks } from "../../../projections/history/queries/settle.ts";
import { tracksCount, tracksPage } from "../../../projections/history/queries/tracks.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import type { FilterTrackInput, TracksSort } from "../../../schemas/filters.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { howMany } from "../../support/random/how-many.ts";
import { until } from "../../support/running/processes.ts";
import { createDatabase, type Database, mergeAll, setMerges } from "./database.ts";
import { trackMatches } from "./matches.ts";
import { createWorld, type Random, START, seeded, shuffled, time, type World, worldOf } from "./world.ts";

const QUESTIONS = howMany({ short: 6, full: 12 });

async function unsettled({ client }: Database): Promise<string[]> {
  const keys = "SELECT DISTINCT data_source_id, track_id FROM tracks_unsettled_v3";
  const query = `SELECT track_id FROM (${keys}) ORDER BY track_id`;
  const result = await client.query({ query, format: "JSONEachRow" });
  return (await result.json<{ track_id: string }>()).map(({ track_id }) => track_id);
}

/** Makes the keys older, by default an hour, so that the projector checks their tracks. */
async function settle({ client, layout }: Database, secondsLater = 3_600, settling = client): Promise<void> {
  const columns = "data_source_id, track_id, own_start, own_end, touched_at";
  const aside = "CREATE TABLE aside AS tracks_unsettled_v3";
  await client.command({ query: aside });
  const older = `SELECT data_source_id, track_id, own_start, own_end, touched_at - ${secondsLater}`;
  await client.command({ query: `INSERT INTO aside (${columns}) ${older} FROM tracks_unsettled_v3` });
  await client.command({ query: "EXCHANGE TABLES aside AND tracks_unsettled_v3" });
  await client.command({ query: "DROP TABLE aside SYNC" });
  await settleTracks(settling, layout);
}

/** In pieces with other borders each time; for the store every insert is a new one. */
async function insert({ client }: Database, log: World["log"], random: Random, token: number): Promise<void> {
  const pieces = [createGathered(), createGathered(), createGathered()];
  for (const { message, ...recorded } of shuffled(random, log)) {
    pieces[Math.floor(random() * pieces.length)]?.add(message, recorded);
  }
  for (const [i, piece] of pieces.entries()) {
    const covered = { topic: "settled", partition: i, logId: "log", rankBase: 0, first: token, next: token + 1 };
    await createHistoryStore(client).insert(piece.byTable(), [covered]);
  }
}

function question(random: Random): FilterTrackInput {
  const [a, b] = [time(random), time(random)];
  const [start, end] = [Math.min(a, b), Math.max(a, b)];
  const asked: FilterTrackInput[] = [
    { timeRange: { intersecting: { start, end } } },
    { timeRange: { containing: { start, end } } },
    { timeRange: { containingInstant: start } },
    { timeRange: { endingWithin: { start, end } } },
    { timeRange: { startingWithin: { start, end } } },
    { time: { between: [start, end] } },
    { finished: { eq: random() < 0.5 } },
    { and: [{ timeRange: { after: start } }, { timeRange: { intersecting: { end } } }] },
  ];
  const chosen = asked[Math.floor(random() * asked.length)] ?? {};
  return random() < 0.3 ? { ...chosen, dataSourceId: { eq: "ds-a" } } : chosen;
}

async function expectAnswers({ client }: Database, world: World, random: Random): Promise<void> {
  const history = { client, dataSourceIds: () => [] };
  for (let i = 0; i < QUESTIONS; i++) {
    const filter = question(random);
    const direction = random() < 0.5 ? "ASC" : "DESC";
    const sort: TracksSort[] = random() < 0.3 ? [] : [{ field: "TRACK_START_TIME", direction }];
    const expected = world.tracks.filter((track) => trackMatches(world, track, filter));
    const found: string[] = [];
    const starts: number[] = [];
    for (let after: string | undefined, isMore = true; isMore; ) {
      const { edges, hasNextPage } = await tracksPage(history, { filter, sort, first: 8, after });
      found.push(...edges.map(({ node }) => node.trackId));
      starts.push(...edges.map(({ node }) => node.startTime));
      after = edges.at(-1)?.cursor;
      isMore = hasNextPage;
    }
    const ids = expected.map(({ trackId }) => trackId).sort();
    expect({ filter, found: [...found].sort() }).toEqual({ filter, found: ids });
    if (sort.length > 0) expect(starts).toEqual(starts.toSorted((a, b) => (direction === "ASC" ? a - b : b - a)));
    if (i % 5 === 0) expect(await tracksCount(history, filter)).toBe(expected.length);
  }
}

for (const seed of [81, 82]) {
  test(`tracks that were settled are found, and so are those that were changed since (seed ${seed})`, async () => {
    const world = createWorld(seed, 300, 12);
    const database = await createDatabase();
    const random = seeded(seed + 10);
    await setMerges(database, "STOP");
    const half = world.log.slice(0, 250);
    await insert(database, half, random, 1);
    await settle(database);
    const first = worldOf(half, world.changes);
    const open = first.tracks.filter(({ endTime, startTime }) => endTime === null || endTime > startTime + 600_000);
    expect(await unsettled(database)).toEqual(open.map(({ trackId }) => trackId).sort());
    expect(open.length).toBeLessThan(first.tracks.length);
    await expectAnswers(database, first, random);

    await insert(database, world.log.slice(200), random, 2);
    await expectAnswers(database, world, random);

    await settle(database);
    await expectAnswers(database, world, random);
    await setMerges(database, "START");
    await mergeAll(database);
    await expectAnswers(database, world, random);
  });
}

test("a track that lasts for hours is found between its ends", async () => {
  const database = await createDatabase();
  const [start, end] = [START, START + 5 * 3_600_000];
  const header = { dataSourceId: "ds-a", tag: "car", modelId: null, properties: null, metadata: null, detections: [] };
  const log = [
    { trackId: "long", startTime: start, endTime: end },
    { trackId: "short", startTime: start, endTime: start + 60_000 },
  ].map((track, offset) => {
    const event = { ...header, ...track };
    return { partition: 0, offset, recordedAt: start, message: { type: "TrackCreated" as const, event } };
  });
  await insert(database, log, seeded(1), 1);
  await settle(database);

  expect(await unsettled(database)).toEqual(["long"]);
  const between = { start: start + 2 * 3_600_000, end: start + 2 * 3_600_000 + 1 };
  const history = { client: database.client, dataSourceIds: () => [] };
  const asked = { filter: { timeRange: { intersecting: between } }, sort: [], first: 5 };
  expect((await tracksPage(history, asked)).edges.map(({ node }) => node.trackId)).toEqual(["long"]);
});

test("a settled track that lasts longer after all is found, whatever start its change says", async () => {
  const database = await createDatabase();
  const { client } = database;
  const [later, hour] = [START + 5 * 3_600_000, 3_600_000];
  const nothing = { properties: null, metadata: null, detections: [] };
  const created = (trackId: string, startTime: number, endTime: number) => ({
    type: "TrackCreated" as const,
    event: { ...nothing, trackId, dataSourceId: "ds-a", tag: "car", modelId: null, startTime, endTime },
  });
  const updated = (trackId: string, endTime: number | null) => {
    const cleared: readonly "endTime"[] = endTime === null ? ["endTime"] : [];
    const event = { ...nothing, trackId, dataSourceId: "ds-a", tag: null, startTime: null, endTime, cleared };
    return { type: "TrackUpdated" as const, event };
  };
  const ids = ["later end", "no end", "created again"];
  const written = (messages: readonly CameraLogEvent[], first: number, recordedAt: number) =>
    messages.map((message, i) => ({ partition: 0, offset: first + i, recordedAt, message }));
  const short = ids.map((id) => created(id, START, START + 60_000));
  await insert(database, written(short, 0, START), seeded(1), 1);
  await settle(database);
  expect(await unsettled(database)).toEqual([]);

  const changes = [
    updated("later end", START + 2 * hour),
    updated("no end", null),
    created("created again", later, later + 60_000),
    updated("created again", START + 2 * hour),
  ];
  await insert(database, written(changes, ids.length, later), seeded(1), 2);
  const between = { start: START + hour, end: START + hour + 1 };
  const asked = { filter: { timeRange: { intersecting: between } }, sort: [], first: 5 };
  const found = async () => {
    const { edges } = await tracksPage({ client, dataSourceIds: () => [] }, asked);
    return edges.map(({ node }) => node.trackId).sort();
  };
  expect(await found()).toEqual(ids.toSorted());
  await settle(database);
  expect(await found()).toEqual(ids.toSorted());
});

test("a track that stays unsettled is looked through once a day", async () => {
  const database = await createDatabase();
  const { client } = database;
  const nothing = { tag: null, startTime: null, properties: null, metadata: null, cleared: [], detections: [] };
  const header = { ...nothing, trackId: "open", dataSourceId: "ds-a", tag: "car", modelId: null, startTime: START };
  const open = { type: "TrackCreated" as const, event: { ...header, endTime: null } };
  const ended = {
    type: "TrackUpdated" as const,
    event: { ...nothing, trackId: "open", dataSourceId: "ds-a", endTime: START + 60_000 },
  };
  const parts = async () => {
    const query = `SELECT name FROM system.parts
      WHERE database = currentDatabase() AND table = 'tracks_unsettled_v3' AND active`;
    const result = await client.query({ query: `${query} ORDER BY name`, format: "JSONEachRow" });
    return result.json<{ name: string }>();
  };
  await insert(database, [{ partition: 0, offset: 1, recordedAt: START, message: open }], seeded(1), 1);
  await settle(database);
  const kept = "SELECT track_id FROM tracks_unsettled_v3 WHERE touched_at > now()";
  const result = await client.query({ query: kept, format: "JSONEachRow" });
  expect(await result.json()).toEqual([{ track_id: "open" }]);

  const before = await parts();
  await settleTracks(client, database.layout, 0);
  expect(await parts()).toEqual(before);

  await insert(database, [{ partition: 0, offset: 2, recordedAt: START, message: ended }], seeded(1), 2);
  await settle(database, 2 * 86_400);
  expect(await unsettled(database)).toEqual([]);
});

/** A table of so many tracks has several granules, so a question need not read all of it. */
const LONG = 60_000;
const FEW = 2_000;
const SPAN_MS = 3_600_000;

/** Tracks of an hour each, one a minute from START on, in two of the partitions that were written. */
async function fillLong({ client }: Database, count: number): Promise<void> {
  const id = "'ds-a', leftPad(toString(number), 8, '0')";
  const start = `fromUnixTimestamp64Milli(toInt64(${START} + number * 60000), 'UTC')`;
  const end = `fromUnixTimestamp64Milli(toInt64(${START + SPAN_MS} + number * 60000), 'UTC')`;
  await client.command({
    query: `INSERT INTO tracks_v1 (data_source_id, track_id, header_tag, header_start, explicit_end)
      SELECT ${id}, (1, 'car'), (1, ${start}), (1, true, ${end}) FROM numbers(${count})`,
  });
  await client.command({
    query: `INSERT INTO tracks_unsettled_v3 (data_source_id, track_id, touched_at)
      SELECT ${id}, now() - if(number < ${count / 2}, 3600, 7200) FROM numbers(${count})`,
  });
}

test("long tracks that have ended cost neither the questions about later ranges nor the settling of later days", async () => {
  const database = await createDatabase();
  await fillLong(database, LONG);
  await settle(database);
  const { config, name } = database;
  const asking = createClickHouse(config, name, { max_rows_to_read: String(LONG / 2) });
  const history = { client: asking, dataSourceIds: () => [] };
  const latest = START + (LONG - 1) * 60_000 + SPAN_MS;
  const filter = { timeRange: { intersecting: { start: latest - 60_000, end: latest } } };
  const page = await tracksPage(history, { filter, sort: [{ field: "TRACK_START_TIME", direction: "ASC" }], first: 5 });

  expect(page.edges.map(({ node }) => node.endTime)).toEqual([latest - 60_000, latest]);
  expect(await tracksCount(history, filter)).toBe(2);
  expect(await tracksCount(history, { finished: { eq: false } })).toBe(0);
  await settle(database, 2 * 86_400, asking);
  await asking.close();
  expect(await tracksCount({ ...history, client: database.client }, filter)).toBe(2);
});

test("settling takes one partition at a time, so a store that is slow gets on", async () => {
  const database = await createDatabase();
  await fillLong(database, FEW);
  const { config, name } = database;
  const bounded = createClickHouse(config, name, { max_rows_in_set: String(FEW / 2) });

  await settle(database, 0, bounded);
  await bounded.close();

  expect(await unsettled(database)).toHaveLength(FEW);
  const never = "SELECT count() AS count FROM tracks_unsettled_v3 WHERE own_end < now64() + INTERVAL 100 YEAR";
  const result = await database.client.query({ query: never, format: "JSONEachRow" });
  expect(await result.json()).toEqual([{ count: String(FEW) }]);
});

/** A settling during which something happens between what it reads and what it deletes. */
const whileSettling = ({ client }: Database, happens: () => Promise<unknown>): typeof client =>
  Object.create(client, {
    command: {
      value: async (given: Parameters<typeof client.command>[0]) => {
        const answer = await client.command(given);
        if (given.query.includes("INSERT INTO tracks_unsettled_v3")) await happens();
        return answer;
      },
    },
  });

const deleteTrack = ({ client }: Database, trackId: string | undefined) =>
  client.command({
    query: `DELETE FROM tracks_v1 WHERE track_id = '${trackId}'`,
    clickhouse_settings: { lightweight_deletes_sync: "1" },
  });

async function rowsOf({ client }: Database, query: string): Promise<unknown[]> {
  const result = await client.query({ query, format: "JSONEachRow" });
  return result.json();
}

test("the key of a long track that is deleted while it is settled does not stay behind", async () => {
  const database = await createDatabase();
  await fillLong(database, FEW);
  const before = await unsettled(database);
  const settling = whileSettling(database, () => deleteTrack(database, before.at(-1)));

  await settle(database, 2 * 86_400, settling);

  expect(await unsettled(database)).toEqual(before.slice(0, -1));
});

test("while the store still deletes keys, settling goes on with the other partitions, and later with theirs", async () => {
  const database = await createDatabase();
  await fillLong(database, FEW);
  const before = await unsettled(database);
  const settling = whileSettling(database, async () => {
    await deleteTrack(database, before.at(-1));
    await database.client.command({ query: "SYSTEM STOP MERGES tracks_unsettled_v3" });
  });
  const partitions = () =>
    rowsOf(
      database,
      `SELECT DISTINCT partition FROM system.parts WHERE database = currentDatabase() AND active
        AND table = 'tracks_unsettled_v3' AND toDateTime(partition, 'UTC') < now()`,
    );

  await settle(database, 0, settling);
  expect(await partitions()).toHaveLength(1);
  await database.client.command({ query: "SYSTEM START MERGES tracks_unsettled_v3" });
  await until(async () => {
    await settleTracks(database.client, database.layout);
    return (await partitions()).length === 0;
  });

  expect(await unsettled(database)).toEqual(before.slice(0, -1));
});

test("the key of a deleted track without an end goes with its partition, without a deletion", async () => {
  const database = await createDatabase();
  await database.client.command({ query: "INSERT INTO tracks_unsettled_v3 (track_id) VALUES ('deleted')" });

  await settle(database);

  expect(await unsettled(database)).toEqual([]);
  const deletions = `SELECT command FROM system.mutations
    WHERE database = currentDatabase() AND table = 'tracks_unsettled_v3'`;
  expect(await rowsOf(database, deletions)).toEqual([]);
});
