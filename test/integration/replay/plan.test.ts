// The stretches of a session over many short tracks of one camera, with another one there all the time.
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectedUpTo, savePositions } from "../../../projections/history/queries/positions.ts";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLogFetcher } from "../../../services/common/kafka/read/fetch-log.ts";
import { createTopics } from "../../../services/common/kafka/write/provision.ts";
import { createLog } from "../../../services/common/log.ts";
import { makePlan } from "../../../services/recorded/make-plan.ts";
import { until } from "../../support/running/processes.ts";
import { useStack } from "../../support/running/stack.ts";
import { askedOfCam } from "../../support/scenes/segment-tracks.ts";
import { createDatabase, type Database } from "../history/database.ts";

const T0 = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const MINUTES = 51;
const { env, uniqueName } = useStack();
const topic = uniqueName("plan");
const kafka = createKafka("test", loadConfig(kafkaEnv, env), createLog("test", "silent"));
const admin = kafka.admin();
const fetcher = createLogFetcher(kafka, 1_024);
let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  await Promise.all([admin.connect(), fetcher.start()]);
  // Times of its own, so that an hour of recording takes no hour. The broker would delete messages that are so old.
  const configEntries = [
    { name: "message.timestamp.type", value: "CreateTime" },
    { name: "retention.ms", value: "-1" },
  ];
  await createTopics(admin, [{ topic, numPartitions: 1, replicationFactor: 1, configEntries }]);
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const messages = Array.from({ length: MINUTES }, (_, i) => ({ value: "", timestamp: `${T0 + i * MINUTE_MS}` }));
  await producer.send({ topic, messages });
  await producer.disconnect();
  await fill();
});

afterAll(async () => {
  await admin.deleteTopics({ topics: [topic] });
  await Promise.all([admin.disconnect(), fetcher.stop()]);
});

/** Two detections a minute: of "beside", and of a track of that minute alone. */
async function fill(): Promise<void> {
  const { client } = database;
  const time = `fromUnixTimestamp64Milli(${T0} + toInt64(intDiv(number, 2)) * ${MINUTE_MS}, 'UTC')`;
  await client.command({
    query: `INSERT INTO detections_v1 (data_source_id, track_id, timestamp, recorded_at, partition, offset, item)
      SELECT 'cam', if(number % 2 = 0, 'beside', toString(intDiv(number, 2))), ${time}, ${time}, 0, intDiv(number, 2), number % 2
      FROM numbers(${2 * MINUTES})`,
  });
  await client.command({
    query: `INSERT INTO tracks_v1 (data_source_id, track_id, first_detection_at, last_detection_at, created_at, updated_at)
      SELECT data_source_id, track_id, min(timestamp), max(timestamp), min(recorded_at), max(recorded_at)
      FROM detections_v1 GROUP BY data_source_id, track_id`,
  });
}

const deps = () => ({
  ...{ history: database.client, admin, fetcher, topic, trackTtlMs: 15_000, warmUpMs: 60 * MINUTE_MS },
  projectedUpTo: () => projectedUpTo(database.client, topic),
  signal: new AbortController().signal,
});

test("each stretch of the log is read once, however many tracks came one after the other", async () => {
  const trackIds = Array.from({ length: MINUTES }, (_, i) => `${i}`);
  let fetched = 0;
  const counting: typeof fetcher.fetch = (id, offset) => {
    fetched += 1;
    return fetcher.fetch(id, offset);
  };

  const plan = await makePlan({ kind: "tracks", trackIds }, { ...deps(), fetcher: { fetch: counting } });

  const lastAt = T0 + (MINUTES - 1) * MINUTE_MS;
  expect(plan).toMatchObject([{ log: "topic", begin: 0, end: MINUTES, beginAt: T0, lastAt }]);
  expect(plan[0]?.asked).toEqual(askedOfCam(...trackIds));
  expect(plan[0]?.recorded).toHaveLength(MINUTES);
  expect(fetched).toBe(1);
});

const projectedTo = (next: number) =>
  savePositions(database.client, [{ topic, partition: 0, next, logId: undefined, rankBase: 0 }]);

test("a track is waited for while the history is behind the log, and refused when it has all of it", async () => {
  const { client } = database;
  let asked = 0;
  const counting: typeof client.query = (question) => {
    asked += 1;
    return client.query(question);
  };
  await projectedTo(MINUTES - 1);
  const plan = makePlan({ kind: "tracks", trackIds: ["late"] }, { ...deps(), history: { query: counting } });
  const refused = makePlan({ kind: "tracks", trackIds: ["nobody"] }, deps()).catch((error: unknown) => error);
  await until(() => asked > 3);

  await client.command({
    query: `INSERT INTO tracks_v1 (data_source_id, track_id, first_detection_at, last_detection_at, created_at, updated_at)
      SELECT 'cam', 'late', time, time, time, time FROM (SELECT max(timestamp) AS time FROM detections_v1)`,
  });
  await client.command({
    query: `INSERT INTO detections_v1 (data_source_id, track_id, timestamp, recorded_at, partition, offset, item)
      SELECT 'cam', 'late', max(timestamp), max(recorded_at), 0, ${MINUTES - 1}, 2 FROM detections_v1`,
  });
  await projectedTo(MINUTES);

  expect(await plan).toMatchObject([{ asked: { tracks: [{ trackId: "late" }] }, end: MINUTES }]);
  expect(await refused).toMatchObject({ name: "SessionFailed", message: expect.stringContaining("nobody") });
});
