// Old history is dropped by the month, and nothing else is dropped.
import { expect, onTestFinished, test, vi } from "vitest";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import type { Detection } from "../../../schemas/events.ts";
import { parseRetentionCommand, runRetentionCommand } from "../../../services/cli/retention/retention.ts";
import { createLog } from "../../../services/common/log.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { createUpkeep } from "../../../services/projector/upkeep.ts";
import { createDatabase, type Database, mergeAll, setMerges } from "./database.ts";
import { readEverything } from "./everything.ts";

const DAY_MS = 86_400_000;
const day = (text: string): number => Date.parse(`${text}T00:00:00.000Z`);

const detection = (trackId: string, timestamp: number): Detection => {
  return { trackId, timestamp, polygon: null, position: null, direction: null, metadata: null };
};

type Gathered = ReturnType<typeof createGathered>;
let inserted = 0;

/** Fills one flush; for the store every insert is a new one. */
async function insert({ client }: Database, fill: (gathered: Gathered) => void): Promise<void> {
  const gathered = createGathered();
  fill(gathered);
  inserted += 1;
  const covered = { topic: "months", partition: 0, logId: "log", rankBase: 0, first: inserted, next: inserted + 1 };
  await createHistoryStore(client).insert(gathered.byTable(), [covered]);
}

const at = (offset: number) => ({ partition: 0, offset, recordedAt: day("2026-06-01") + offset });

const seen = (database: Database, trackId: string, times: readonly number[], offset: number, recorded = at(offset)) =>
  insert(database, (gathered) => {
    const detections = times.map((timestamp) => detection(trackId, timestamp));
    gathered.add({ type: "DetectionsRecorded", event: { dataSourceId: "ds", detections } }, recorded);
  });

const created = (database: Database, trackId: string, startTime: number, offset: number) =>
  insert(database, (gathered) => {
    const header = { trackId, dataSourceId: "ds", tag: "car", startTime, endTime: null, modelId: null };
    const event = { ...header, properties: null, metadata: null, detections: [] };
    gathered.add({ type: "TrackCreated", event }, at(offset));
  });

const updated = (database: Database, trackId: string, changes: { tag?: string; startTime?: number }, offset: number) =>
  insert(database, (gathered) => {
    const nothing = {
      tag: null,
      startTime: null,
      endTime: null,
      properties: null,
      metadata: null,
      cleared: [],
      detections: [],
    };
    gathered.add({ type: "TrackUpdated", event: { trackId, dataSourceId: "ds", ...nothing, ...changes } }, at(offset));
  });

const intersected = (database: Database, id: string, startTime: number, endTime: number | null, offset: number) =>
  insert(database, (gathered) => {
    const event = {
      ...{ intersectionId: id, zoneId: "zone", trackId: "track", dataSourceId: "ds", tag: "car", startTime, endTime },
      ...{ state: endTime === null ? ("START" as const) : ("END" as const), lastInside: startTime },
      cause: { partition: 0, offset, index: 0 },
    };
    gathered.add({ type: "ZoneIntersectionChanged", event }, at(offset));
  });

async function retention({ client, layout }: Database, ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  await runRetentionCommand(parseRetentionCommand(args), client, layout, (line) => lines.push(line));
  return lines;
}

/** Drops some parts, as a deletion does that was stopped. The rest of a track does not show that it is old. */
async function dropTimes({ client }: Database): Promise<void> {
  const query = "SELECT DISTINCT _part AS part FROM tracks_v1 WHERE header_tag.2 != 'lorry'";
  const parts = await (await client.query({ query, format: "JSONEachRow" })).json<{ part: string }>();
  for (const { part } of parts) await client.command({ query: `ALTER TABLE tracks_v1 DROP PART '${part}'` });
}

const trackIds = async ({ client }: Database) =>
  (await readEverything(client)).tracks.map(({ trackId }) => trackId).sort();

test("months before the date go, later ones and tracks that reach into them stay whole", async () => {
  const database = await createDatabase();
  const [march, april] = [day("2026-03-31"), day("2026-04-01")];
  await created(database, "old", march, 1);
  await seen(database, "old", [march, march + 1_000], 2);
  await created(database, "across", march, 3);
  await seen(database, "across", [april - 1, april], 4);
  await seen(database, "new", [april], 5);
  await intersected(database, "old", march, null, 6);
  await intersected(database, "old", march, april, 7);
  await intersected(database, "new", april, null, 8);
  const before = await readEverything(database.client);

  const listed = await retention(database, "--before", "2026-04-17");
  expect(listed).toEqual([
    "2026-03 of detections_per_hour_v1: 2 rows",
    "2026-03 of detections_v1: 3 rows",
    "2026-03 of zone_intersections_v1: 2 rows",
    "tracks that were over before 2026-04: 1",
    "Nothing was dropped. Run again with --yes to drop this; it cannot be undone.",
  ]);
  expect(await readEverything(database.client)).toEqual(before);

  await retention(database, "--before", "2026-04", "--yes");
  await vi.waitFor(async () => expect(await trackIds(database)).toEqual(["across", "new"]), { timeout: 20_000 });
  const after = await readEverything(database.client);
  expect(after.detections).toEqual(before.detections.filter(({ timestamp }) => timestamp >= april));
  expect(after.intersections.map(({ intersectionId }) => intersectionId)).toEqual(["new"]);
  expect(after.tracks).toEqual(before.tracks.filter(({ trackId }) => trackId !== "old"));
  expect(await retention(database, "--before", "2026-04-01", "--yes")).toEqual(["Nothing is older than 2026-04."]);
});

test("what is kept of the end of a long track goes with the track", async () => {
  const database = await createDatabase();
  const [march, april] = [day("2026-03-01"), day("2026-04-01")];
  await seen(database, "old", [march, march + DAY_MS], 1);
  await seen(database, "across", [march, april], 2);
  const { client } = database;
  await client.command({ query: "TRUNCATE TABLE tracks_unsettled_v3" });
  const query = `INSERT INTO tracks_unsettled_v3 (data_source_id, track_id, own_end)
    SELECT 'ds', arrayJoin(['old', 'across']), toDateTime64('2026-03-02 00:00:00', 3, 'UTC')`;
  await client.command({ query });

  // A store that still deletes when it is asked completes the deletion in a later run.
  const kept = async () => {
    await retention(database, "--before", "2026-04-01", "--yes");
    const result = await client.query({ query: "SELECT track_id FROM tracks_unsettled_v3", format: "JSONEachRow" });
    return result.json();
  };
  await expect.poll(kept).toEqual([{ track_id: "across" }]);
  expect(await trackIds(database)).toEqual(["across"]);
});

test("timestamps of all the years of a wild producer are inserted at once, and each goes with its own month", async () => {
  const database = await createDatabase();
  const [first, last] = [day("0001-01-01"), Date.parse("9999-12-31T23:59:59.999Z")];
  const times = Array.from({ length: 10_000 }, (_, i) => Math.floor(first + ((last - first) / 9_999) * i));
  await seen(database, "wild", times, 1);
  await seen(database, "wild", times, 2);
  const parts = await database.client.query({
    query: "SELECT uniqExact(partition) AS n FROM system.parts WHERE database = currentDatabase() AND active",
    format: "JSONEachRow",
  });
  expect(Number((await parts.json<{ n: string }>())[0]?.n)).toBeLessThan(1_000);
  const found = async () => (await readEverything(database.client)).detections.map(({ timestamp }) => timestamp).sort();
  const sorted = (from: number) => times.filter((time) => time >= from).sort();
  expect(await found()).toEqual(sorted(first));

  expect(await retention(database, "--before", "2019-12-31", "--yes")).toEqual(["Nothing is older than 2019-12."]);
  await retention(database, "--before", "2020-01-01", "--yes");
  expect(await found()).toEqual(sorted(day("2020-01-01")));
  await retention(database, "--before", "2033-05-20", "--yes");
  expect(await found()).toEqual(sorted(day("2033-05-01")));
  await retention(database, "--before", "9999-01-01", "--yes");
  expect(await found()).toEqual(sorted(day("2100-01-01")));
  expect(await trackIds(database)).toEqual(["wild"]);
});

test("a start that is moved to another month, and rows that come twice, read the same with and without merges", async () => {
  const database = await createDatabase();
  await setMerges(database, "STOP");
  const [may, june, july] = [day("2026-05-30"), day("2026-06-15"), day("2026-07-02")];
  for (let time = 0; time < 2; time++) {
    await created(database, "moved", may, 1);
    await seen(database, "moved", [june, july], 2);
    await updated(database, "moved", { startTime: july }, 3);
    await intersected(database, "stay", may, null, 4);
    await intersected(database, "stay", may, july, 5);
  }
  const expected = await readEverything(database.client);

  expect(expected.tracks).toMatchObject([{ trackId: "moved", startTime: july, firstDetectionAt: june }]);
  expect(expected.detections).toHaveLength(2);
  expect(expected.intersections).toMatchObject([{ endTime: july }]);
  await setMerges(database, "START");
  await mergeAll(database);
  expect(await readEverything(database.client)).toEqual(expected);

  // The track reaches into July: it remains when the months before are dropped.
  await retention(database, "--before", "2026-07-01", "--yes");
  expect((await readEverything(database.client)).tracks).toEqual(expected.tracks);
});

test("a month that is projected again comes back, and goes again", async () => {
  const database = await createDatabase();
  const march = day("2026-03-10");
  await seen(database, "again", [march], 1);
  await retention(database, "--before", "2026-04-01", "--yes");
  await vi.waitFor(async () => expect(await trackIds(database)).toEqual([]), { timeout: 20_000 });

  await seen(database, "again", [march], 1);
  expect(await trackIds(database)).toEqual(["again"]);
  expect((await readEverything(database.client)).detections).toHaveLength(1);
  await retention(database, "--before", "2026-04-01", "--yes");
  await vi.waitFor(async () => expect(await trackIds(database)).toEqual([]), { timeout: 20_000 });
  expect((await readEverything(database.client)).detections).toEqual([]);
});

test("several projectors drop what is older than they are told to keep", async () => {
  const database = await createDatabase();
  const now = Date.now();
  await seen(database, "old", [now - 100 * DAY_MS], 1);
  await seen(database, "new", [now - DAY_MS], 2, { partition: 0, offset: 2, recordedAt: now });
  const parts = [1, 2, 3].flatMap(() => createUpkeep({ ...database, months: 2, log: createLog("test", "silent") }));

  await Promise.all(parts.map((part) => part.start()));
  await Promise.all(parts.map((part) => part.stop()));

  await vi.waitFor(async () => expect(await trackIds(database)).toEqual(["new"]), { timeout: 20_000 });
  expect((await readEverything(database.client)).detections).toMatchObject([{ trackId: "new" }]);
});

test("a deletion that was interrupted half-way is completed by the next run, which spares what came back", async () => {
  const database = await createDatabase();
  const { client } = database;
  await setMerges(database, "STOP");
  const march = day("2026-03-10");
  for (const [i, trackId] of ["a", "b", "back"].entries()) {
    await created(database, trackId, march, 10 * i);
    await seen(database, trackId, [march], 10 * i + 1);
    await updated(database, trackId, { tag: "lorry" }, 10 * i + 2);
  }
  const drop = () => retention(database, "--before", "2026-04-01", "--yes");
  expect((await drop()).at(-1)).toContain("Run again");

  await client.command({ query: "KILL MUTATION WHERE database = currentDatabase() AND table = 'tracks_v1'" });
  await dropTimes(database);
  const left = (await readEverything(client)).tracks;
  expect(left.map(({ tag, startTime }) => [tag, startTime >= day("2026-06-01")])).toEqual(
    left.map(() => ["lorry", true]),
  );
  expect(left).toHaveLength(3);
  await seen(database, "back", [day("2026-05-01")], 40);
  await setMerges(database, "START");

  expect(await drop()).toContain("tracks that were over before 2026-04: 3");
  expect((await readEverything(client)).tracks).toMatchObject([
    { trackId: "back", firstDetectionAt: day("2026-05-01") },
  ]);
  expect(await drop()).toEqual(["Nothing is older than 2026-04."]);
});

test("a deletion does not stand behind the store while that deletes the keys of its tracks", async () => {
  const database = await createDatabase();
  const { client } = database;
  await seen(database, "old", [day("2026-03-01")], 1);
  const query = `INSERT INTO tracks_unsettled_v3 (data_source_id, track_id, own_end)
    VALUES ('ds', 'old', '2026-03-02 00:00:00.000')`;
  await client.command({ query });
  await client.command({ query: "SYSTEM STOP MERGES tracks_unsettled_v3" });
  const drop = () => retention(database, "--before", "2026-04-01", "--yes");

  expect((await drop()).at(-1)).toContain("Run again");
  expect((await drop()).at(-1)).toContain("Run again");
  const deletions =
    "SELECT command FROM system.mutations WHERE database = currentDatabase() AND table = 'tracks_unsettled_v3'";
  const result = await client.query({ query: deletions, format: "JSONEachRow" });
  expect(await result.json()).toHaveLength(1);

  await client.command({ query: "SYSTEM START MERGES tracks_unsettled_v3" });
  await expect.poll(async () => (await drop()).at(-1), { timeout: 20_000 }).toBe("Nothing is older than 2026-04.");
  const keys = await client.query({
    query: "SELECT own_end FROM tracks_unsettled_v3 WHERE own_end < now64()",
    format: "JSONEachRow",
  });
  expect(await keys.json()).toEqual([]);
});

test("a projector whose clock is years ahead drops by the newest recording, and nothing of an empty history", async () => {
  const database = await createDatabase();
  vi.useFakeTimers({ toFake: ["Date"], now: day("2031-01-01") });
  onTestFinished(() => void vi.useRealTimers());
  const keepTwo = async () => {
    const parts = createUpkeep({ ...database, months: 2, log: createLog("test", "silent") });
    for (const part of parts) await part.start();
    for (const part of parts) await part.stop();
  };
  await keepTwo();
  await seen(database, "old", [day("2026-03-31")], 1);
  await seen(database, "new", [day("2026-04-01")], 2);

  await keepTwo();

  await vi.waitFor(async () => expect(await trackIds(database)).toEqual(["new"]), { timeout: 20_000 });
  expect((await readEverything(database.client)).detections).toMatchObject([{ trackId: "new" }]);
});

test("a command without a date, or with what is none, says what it wants", () => {
  for (const args of [
    [],
    ["--before", "soon"],
    ["--before", "2026-13-01"],
    ["--before", "2026-02-31"],
    ["--until", "2026-01-01"],
  ]) {
    expect(() => parseRetentionCommand(args)).toThrow(/npm run retention -- --before/);
  }
});
