import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ClickHouseClient } from "@clickhouse/client";
import { expect, onTestFinished, test } from "vitest";
import { historyKinds } from "../../../projections/history/kinds.ts";
import { unsettledTable } from "../../../projections/history/unsettled.ts";
import type { Typed } from "../../../schemas/events.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
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

test("with the older rows of the serving database, a rebuild has what the log has lost", async () => {
  const installation = sharedInstallation();
  const { admin, topic, namespace, config } = installation;
  for (const name of [topic("camera-log"), topic("zone-intersections")]) {
    const offsets = await admin.fetchTopicOffsets(name);
    const half = ({ low, high }: (typeof offsets)[number]) => String(Math.floor((Number(low) + Number(high)) / 2));
    const partitions = offsets.map((each) => ({ partition: each.partition, offset: half(each) }));
    // kafkajs must know the topic before.
    await admin.fetchTopicMetadata({ topics: [name] });
    await admin.deleteTopicRecords({ topic: name, partitions: partitions.filter(({ offset }) => offset !== "0") });
  }
  const database = `${namespace}_older`;
  const client = createClickHouse(config, database);
  onTestFinished(async () => {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
    await client.close();
  });

  await rebuild(installation, database, "--with-older");

  expect(inOrder(await readEverything(client))).toEqual(inOrder(await readEverything(installation.client)));
  for (const { name } of historyKinds.flatMap(({ tables }) => tables)) {
    // The keys of tracks are in a partition for the time at which they were written.
    if (name === unsettledTable.name) continue;
    expect(await contentOf(client, name), name).toEqual(await contentOf(installation.client, name));
  }
  expect(await unsettledKeys(client)).toEqual(await unsettledKeys(installation.client));
});

async function unsettledKeys(client: ClickHouseClient): Promise<unknown[]> {
  const query = `SELECT DISTINCT data_source_id, track_id FROM ${unsettledTable.name} ORDER BY ALL`;
  return (await client.query({ query, format: "JSONEachRow" })).json();
}
