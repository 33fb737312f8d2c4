import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ClickHouseClient } from "@clickhouse/client";
import { expect, onTestFinished, test } from "vitest";
import { cameraLogHistory } from "../../../projections/history/camera-log.ts";
import { detectionsTable } from "../../../projections/history/detections.ts";
import type { HistoryKind } from "../../../projections/history/kind.ts";
import { historyKinds } from "../../../projections/history/kinds.ts";
import { savePositions } from "../../../projections/history/queries/positions.ts";
import type { Table } from "../../../projections/history/table.ts";
import { unsettledTable } from "../../../projections/history/unsettled.ts";
import type { GeofenceIntersectionChanged, Typed } from "../../../schemas/events.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { topics } from "../../../schemas/topics.ts";
import { createClickHouse, databaseOf } from "../../../services/common/clickhouse.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import { copyOlder } from "../../../services/projector/copy-older.ts";
import { isRecorded } from "../../../services/projector/copy-rows.ts";
import { firstMessages } from "../../../services/projector/first-messages.ts";
import { migrateDatabase } from "../../../services/projector/migrate-database.ts";
import { countRows } from "../../../services/projector/row-counts.ts";
import { inOrder, readEverything } from "../history/everything.ts";
import { createWorld } from "../history/world.ts";
import { expectProjected, type Installation, shareInstallation } from "./installation.ts";

const sharedInstallation = shareInstallation();

const rebuildMain = fileURLToPath(new URL("../../../services/projector/rebuild.ts", import.meta.url));

const rebuild = ({ variables }: Installation, database: string, ...more: readonly string[]) =>
  promisify(execFile)(process.execPath, [rebuildMain, "--database", database, ...more], {
    env: { ...process.env, ...variables, LOG_LEVEL: "fatal" },
  });

const written = { source: "test", timeMs: 0 };
const set = { startTime: 0, endTime: null, path: "v.mp4", thumbnailPath: null, displayName: null, frameRate: null };
const size = { resolutionHeight: null, resolutionWidth: null };
/** A measurement that comes twice, and a video with an update. */
const others: readonly Typed[] = [
  { type: "MeasurementRecorded", event: { sensorId: "s", timestamp: 1_000, value: "1" } },
  { type: "MeasurementRecorded", event: { sensorId: "s", timestamp: 1_000, value: "1" } },
  {
    type: "VideoChanged",
    event: { id: "v", dataSourceId: "ds-a", change: "created", at: 0, set: { ...set, ...size }, cleared: [] },
  },
  {
    type: "VideoChanged",
    event: {
      ...{ id: "v", dataSourceId: "ds-a", change: "updated", at: 0, cleared: [] },
      set: { ...set, ...size, startTime: null, endTime: 2_000, path: null },
    },
  },
];

async function contentOf(client: ClickHouseClient, table: string): Promise<unknown[]> {
  const result = await client.query({ query: `SELECT * FROM ${table} FINAL ORDER BY ALL`, format: "JSONEachRow" });
  // A union has no order, and the store's own clock says when a track was touched.
  type Content = { readonly seen_ms?: readonly number[]; readonly touched_at?: string };
  return (await result.json<Content>()).map(({ seen_ms, touched_at, ...row }) =>
    seen_ms === undefined ? row : { ...row, seen_ms: seen_ms.toSorted((a, b) => a - b) },
  );
}

test("the log projected anew into another database gives the same rows", async () => {
  const installation = sharedInstallation();
  await installation.record(createWorld(61));
  await installation.publish([{ topic: installation.topic("camera-log"), key: "ds-a", value: Buffer.from("garbage") }]);
  await installation.publish(
    others.map((each) => recordMessage(installation.codec, installation.namespace, each, written)),
  );
  const projector = await installation.spawnProjector();
  await installation.caughtUp();
  await projector.stop();
  const letters = await installation.deadLetters();

  const database = `${installation.namespace}_again`;
  const client = createClickHouse(installation.config, database);
  onTestFinished(async () => {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
    await client.close();
  });
  const { stdout } = await rebuild(installation, database);

  const world = await installation.recorded();
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual({
    database,
    rows: {
      ...(await countRows(installation.client)),
      measurements: 1,
      videos: 1,
      detections: world.detections.length,
      tracks: world.tracks.length,
      zoneIntersections: world.intersections.length,
    },
  });
  expect(inOrder(await readEverything(client))).toEqual(inOrder(await readEverything(installation.client)));
  for (const { name } of historyKinds.flatMap(({ tables }) => tables)) {
    expect(await contentOf(client, name), name).toEqual(await contentOf(installation.client, name));
  }
  await expectProjected(installation, client);
  expect(await installation.deadLetters()).toEqual(letters);
});

test("a rebuild refuses a database that already holds rows", async () => {
  const installation = sharedInstallation();
  await installation.record(createWorld(62, 20), "more");
  const projector = await installation.spawnProjector();
  await installation.caughtUp();
  await projector.stop();

  await expect(rebuild(installation, installation.namespace)).rejects.toThrow();
  await expectProjected(installation);
});

/** A database without rows, as a rebuild finds it. */
async function emptyDatabase({ namespace, config }: Installation, name: string) {
  const database = `${namespace}_${name}`;
  const client = createClickHouse(config, database);
  onTestFinished(async () => {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
    await client.close();
  });
  await migrateDatabase(config, database);
  return { database, client };
}

const isKept = ({ topic }: HistoryKind) => topics[topic].retentionMs === -1;
const limitedKinds = historyKinds.filter((kind) => !isKept(kind));

/** The log loses this part of each partition's messages. */
async function loseMessages({ admin, topic }: Installation, part: number, kinds: readonly HistoryKind[]) {
  for (const name of kinds.map((kind) => topic(kind.topic))) {
    const offsets = await admin.fetchTopicOffsets(name);
    const lost = ({ low, high }: (typeof offsets)[number]) =>
      Number(low) + Math.ceil((Number(high) - Number(low)) * part);
    const partitions = offsets.filter((each) => lost(each) > Number(each.low));
    // kafkajs must know the topic before.
    await admin.fetchTopicMetadata({ topics: [name] });
    if (partitions.length === 0) continue;
    await admin.deleteTopicRecords({
      topic: name,
      partitions: partitions.map((each) => ({ partition: each.partition, offset: String(lost(each)) })),
    });
  }
}

/** The keys of tracks are in a partition for the time at which they were written. */
async function expectSameTables(installation: Installation, client: ClickHouseClient, kinds: readonly HistoryKind[]) {
  for (const { name } of kinds.flatMap(({ tables }) => tables)) {
    if (name === unsettledTable.name) continue;
    expect(await contentOf(client, name), name).toEqual(await contentOf(installation.client, name));
  }
  expect(await unsettledKeys(client)).toEqual(await unsettledKeys(installation.client));
}

const PER_TOPIC = 4;
const delivery = { subscriptionId: "s", generation: 1, signalIds: [], signal: "test", status: "delivered" } as const;
const stay = (i: number): GeofenceIntersectionChanged => ({
  ...{ dataSourceId: "ds-a", trackId: "in-a-fence", geofenceId: "g", intersectionId: `g${i}` },
  ...{ tag: "person", state: "START", startTime: 1_000, endTime: null, lastInside: 1_000 },
  cause: { partition: 0, offset: i, index: 0 },
});

/** Some events of the topics with a retention that no world has, in one partition each. */
async function recordOthers({ publish, codec, namespace }: Installation): Promise<void> {
  const events = Array.from({ length: PER_TOPIC }, (_, i): readonly Typed[] => [
    {
      type: "DeliveryEnded",
      event: { ...delivery, id: `d${i}`, createdAt: i, endedAt: i + 1, attempts: [], body: "{}" },
    },
    { type: "MeasurementRecorded", event: { sensorId: "s", timestamp: 5_000 + i, value: "1" } },
    { type: "GeofenceIntersectionChanged", event: stay(i) },
  ]);
  // One request for each: messages of one request have one time, and so have no order.
  for (const event of events.flat()) {
    await publish([{ ...recordMessage(codec, namespace, event, written), partition: 0 }]);
  }
}

/** Counts a table's rows that were recorded before or after the first messages of the log. */
async function countBeside({ kafka, client, topic }: Installation, kind: HistoryKind, table: Table, side: "<" | ">") {
  const { name, columns } = table;
  const partition = columns.includes("cause_partition") ? "cause_partition" : "partition";
  const time = columns.includes("recorded_at") ? "recorded_at" : "created_at";
  const first = await firstMessages(kafka, topic(kind.topic));
  const beside = Array.from(first, ([number, ms]) => {
    return ms === undefined ? "false" : `${partition} = ${number} AND toUnixTimestamp64Milli(${time}) ${side} ${ms}`;
  });
  const query = `SELECT count() AS rows FROM ${name} WHERE ${beside.map((each) => `(${each})`).join(" OR ")}`;
  const [found] = await (await client.query({ query, format: "JSONEachRow" })).json<{ rows: string }>();
  return Number(found?.rows);
}

test("with the older rows of the serving database, a rebuild has what the log has lost", async () => {
  const installation = sharedInstallation();
  await installation.record(createWorld(63), "third");
  await recordOthers(installation);
  const projector = await installation.spawnProjector();
  await installation.caughtUp();
  await projector.stop();
  await loseMessages(installation, 0.5, limitedKinds);
  for (const { topic } of limitedKinds) {
    const ranges = await offsetRanges(installation.admin, installation.topic(topic));
    expect(
      ranges.some(({ low }) => low > 0),
      topic,
    ).toBe(true);
  }
  for (const kind of limitedKinds.filter(({ rankedBy }) => rankedBy === "camera-log")) {
    for (const table of kind.tables.filter(isRecorded)) {
      expect(await countBeside(installation, kind, table, "<"), table.name).toBeGreaterThan(0);
    }
  }
  const { database, client } = await emptyDatabase(installation, "older");

  await rebuild(installation, database, "--with-older");

  expect(inOrder(await readEverything(client))).toEqual(inOrder(await readEverything(installation.client)));
  await expectSameTables(installation, client, historyKinds);
});

test("what the log loses while older rows are copied is copied, too", async () => {
  const installation = sharedInstallation();
  const { kafka, namespace, config } = installation;
  const { client } = await emptyDatabase(installation, "losing");
  const command = client.command.bind(client);
  let inserts = 0;
  client.command = async (params) => {
    const done = await command(params);
    if (!params.query.startsWith(`INSERT INTO ${detectionsTable.name}`)) return done;
    inserts += 1;
    if (inserts === 1) await loseMessages(installation, 1, limitedKinds);
    return done;
  };

  expect(await countBeside(installation, cameraLogHistory, detectionsTable, ">")).toBeGreaterThan(0);

  await copyOlder({ kafka, client, from: databaseOf(config), namespace });

  expect(inserts).toBeGreaterThan(1);
  await expectSameTables(installation, client, limitedKinds);
});

test("rows of topics that are kept for ever are copied when the topic has replaced another one", async () => {
  const installation = sharedInstallation();
  const { kafka, namespace, config, topic } = installation;
  const { client } = await emptyDatabase(installation, "replaced");
  const kept = historyKinds.filter(isKept);
  const tables = kept.flatMap((kind) => kind.tables.map(({ name }) => name));
  await installation.client.insert({
    table: "event_chronicles_v1",
    values: [{ chronicle_id: "only-in-the-old-log", last_offset: 1 }],
    format: "JSONEachRow",
  });
  await installation.client.insert({
    table: "images_v1",
    values: [{ image_id: "only-in-the-old-log", partition: 0, offset: 1, recorded_at: 1_000 }],
    format: "JSONEachRow",
  });

  await copyOlder({ kafka, client, from: databaseOf(config), namespace });
  for (const name of tables) expect(await contentOf(client, name), name).toEqual([]);

  const replaced = kept.map(({ rankedBy }) => ({
    topic: topic(rankedBy),
    next: 0,
    partition: 0,
    logId: "x",
    rankBase: 9,
  }));
  await savePositions(installation.client, replaced);
  await copyOlder({ kafka, client, from: databaseOf(config), namespace });
  for (const name of tables) {
    const content = await contentOf(client, name);
    expect(content, name).toEqual(await contentOf(installation.client, name));
    expect(content.length, name).toBeGreaterThan(name.startsWith("activity") || name.startsWith("summary") ? -1 : 0);
  }
});

test("a rebuild refuses to copy a database into itself", async () => {
  const installation = sharedInstallation();

  const refused = rebuild(installation, databaseOf(installation.config), "--with-older");

  await expect(refused).rejects.toThrow("--database wants another one");
});

async function unsettledKeys(client: ClickHouseClient): Promise<unknown[]> {
  const query = `SELECT DISTINCT data_source_id, track_id FROM ${unsettledTable.name} ORDER BY ALL`;
  return (await client.query({ query, format: "JSONEachRow" })).json();
}
