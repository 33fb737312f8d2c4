import { expect, onTestFinished, test } from "vitest";
import { projectedPositions, savePositions } from "../../../projections/history/queries/positions.ts";
import type { TrackUpdated, ZoneIntersectionChanged } from "../../../schemas/events.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { groupName } from "../../../schemas/topics.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { provision } from "../../../services/cli/provision/provision.ts";
import { reconcile } from "../../../services/cli/reconcile/reconcile.ts";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { topicIds } from "../../../services/common/kafka/log-id.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { assembleProjector } from "../../../services/projector/assemble.ts";
import { until } from "../../support/running/processes.ts";
import { useStack } from "../../support/running/stack.ts";
import { createWorld } from "../history/world.ts";
import { createInstallation, type Installation } from "../projector/installation.ts";

const PARTITIONS = 4;

/** A projector in this process; the promise settles when it has ended, by a failure or by the stop. */
function startProjector({ config, codec, log, namespace }: Installation) {
  const stop = Promise.withResolvers<void>();
  const groupId = groupName(namespace, "projector");
  const { parts } = assembleProjector({ config, codec, log, groupId, database: namespace, deadLetters: true });
  const ended = run(parts, stop.promise, log);
  ended.catch(() => undefined);
  onTestFinished(async () => {
    stop.resolve();
    await ended.catch(() => undefined);
  });
  const stopAndWait = () => {
    stop.resolve();
    return ended;
  };
  return { ended, stop: stopAndWait };
}

async function projected(installation: Installation): Promise<void> {
  const projector = startProjector(installation);
  await installation.caughtUp();
  await projector.stop();
}

/** The same topics, empty, as after a broker lost its data. */
async function replaceLog({ admin, topic, variables, log }: Installation): Promise<void> {
  const names = [topic("camera-log"), topic("zone-intersections")];
  await admin.deleteTopics({ topics: names });
  await until(async () => !(await admin.listTopics()).some((name) => names.includes(name)));
  await provision(loadConfig(provisionEnv, { ...variables, CAMERA_PARTITIONS: String(PARTITIONS) }), log);
}

function createOperator({ kafka, admin, client, namespace, log }: Installation) {
  const redis = createRedis(loadConfig(redisEnv, useStack().env), log);
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const deps = { kafka, admin, clickhouse: client, redis: redis.client, namespace };
  onTestFinished(async () => {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      await redis.client.del(partitionKeys(namespace, partition).position);
    }
    await redis.stop();
  });
  return { redis: redis.client, printed, reconcile: (commit: boolean) => reconcile(commit, { ...deps, print }) };
}

const update = (metadata: string): TrackUpdated => ({
  ...{ trackId: "lasting", dataSourceId: "ds-a", tag: null, startTime: null, endTime: null, properties: null },
  ...{ metadata, cleared: [], detections: [] },
});

type Caused = (partition: number) => ZoneIntersectionChanged;

const change =
  (endTime: number | null, offset: number): Caused =>
  (partition) => ({
    ...{ intersectionId: "i", zoneId: "z", trackId: "lasting", dataSourceId: "ds-a", tag: "person" },
    ...{ state: endTime === null ? "START" : "END", startTime: 1_000, endTime, lastInside: 1_000 },
    cause: { partition, offset, index: 0 },
  });

/** Events of one track and one intersection, behind all earlier events of the log. */
async function publishOutput({ publish, codec, topic }: Installation, metadata: string, caused: Caused) {
  const event = codec.encode("TrackUpdated", update(JSON.stringify(metadata)));
  const [written] = await publish([{ topic: topic("camera-log"), key: "ds-a", value: event }]);
  const changed = codec.encode("ZoneIntersectionChanged", caused(written?.partition ?? 0));
  await publish([{ topic: topic("zone-intersections"), key: "ds-a", value: changed }]);
}

async function reported({ client }: Installation) {
  const query = `SELECT (SELECT count() FROM detections_v1 FINAL) AS detections,
    (SELECT metadata FROM tracks_current_v1 WHERE track_id = 'lasting') AS metadata,
    (SELECT end_time IS NULL FROM zone_intersections_v1 FINAL WHERE intersection_id = 'i') AS open`;
  const [row] = await (await client.query({ query, format: "JSONEachRow" })).json();
  return row;
}

test("behind a log that was replaced nothing goes on, until its positions are forgotten; the history is kept", async () => {
  const installation = await createInstallation();
  const { redis, reconcile } = createOperator(installation);
  const world = createWorld(81, 200);
  await installation.record(world);
  await publishOutput(installation, "before", change(null, 900));
  await projected(installation);
  const before = await reported(installation);
  const { position } = partitionKeys(installation.namespace, 0);
  await redis.hset(position, { next: "1", logId: "the log before", intersections: "0" });
  await replaceLog(installation);
  await publishOutput(installation, "after", change(2_000, 1));

  await expect(startProjector(installation).ended).rejects.toThrow(/another log of that name.*npm run reconcile/);
  expect(await reconcile(false)).toBe(false);
  await expect(startProjector(installation).ended).rejects.toThrow(/another log of that name/);
  expect(await redis.exists(position)).toBe(1);

  expect(await reconcile(true)).toBe(true);
  expect(await reconcile(false)).toBe(true);
  expect(await redis.exists(position)).toBe(0);
  await projected(installation);
  expect(await reported(installation)).toEqual({ ...Object(before), metadata: '"after"', open: 0 });
});

test("a position beyond the end of the log ends the projector with what to do, and can be forgotten", async () => {
  const installation = await createInstallation();
  const { redis, printed, reconcile } = createOperator(installation);
  const { client, kafka, namespace, topic } = installation;
  const cameraLog = topic("camera-log");
  const logId = (await topicIds(kafka, [cameraLog])).get(cameraLog);
  await savePositions(client, [{ topic: cameraLog, partition: 0, next: 500, logId, rankBase: 0 }]);
  await redis.hset(partitionKeys(namespace, 1).position, { next: "500", logId: logId ?? "", intersections: "0" });
  await publishOutput(installation, "told", change(null, 1));

  await expect(startProjector(installation).ended).rejects.toThrow(/500.*beyond the end.*npm run reconcile/);
  expect(await reconcile(true)).toBe(true);
  // An output topic without a message needs no deletion.
  const older = printed.filter((line) => line.includes("is older than"));
  expect(older).toEqual([expect.stringContaining(topic("zone-intersections"))]);
  await projected(installation);

  expect(await reported(installation)).toMatchObject({ metadata: '"told"', open: 1 });
  expect(await redis.exists(partitionKeys(namespace, 1).position)).toBe(0);
});

test("a position from before logs were remembered belongs to the log that holds it", async () => {
  const installation = await createInstallation();
  const { reconcile } = createOperator(installation);
  const { admin, client, topic } = installation;
  await installation.record(createWorld(82, 50));
  await projected(installation);
  await client.command({ query: "TRUNCATE TABLE projector_positions_v1" });
  const ends = (await offsetRanges(admin, topic("camera-log"))).filter(({ high }) => high > 0);
  const within = ends.map(({ partition }) => ({ topic: topic("camera-log"), partition, next: 1 }));
  await savePositions(
    client,
    within.map((position) => ({ ...position, logId: undefined, rankBase: 0 })),
  );

  expect(await reconcile(false)).toBe(true);
  await projected(installation);
  const positions = await projectedPositions(client, topic("camera-log"));
  expect(
    Array.from(positions, ([partition, { next }]) => ({ partition, next })).sort((a, b) => a.partition - b.partition),
  ).toEqual(ends.map(({ partition, high }) => ({ partition, next: high })));
  expect([...positions.values()].every(({ logId }) => logId !== undefined)).toBe(true);
});

test("nothing is forgotten while a service is at work", async () => {
  const installation = await createInstallation();
  const { reconcile } = createOperator(installation);
  const { client, topic } = installation;
  await publishOutput(installation, "told", change(null, 1));
  startProjector(installation);
  await installation.caughtUp();
  const foreign = { topic: topic("camera-log"), partition: 0, next: 500, logId: "another", rankBase: 1 };
  await savePositions(client, [foreign]);

  expect(await reconcile(true)).toBe(false);
  expect((await projectedPositions(client, foreign.topic)).get(0)).toMatchObject({ next: 500, logId: "another" });
});
