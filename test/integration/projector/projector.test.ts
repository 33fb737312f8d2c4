import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { savePositions } from "../../../projections/history/queries/positions.ts";
import { records } from "../../../schemas/events.ts";
import { groupName } from "../../../schemas/topics.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { assembleProjector } from "../../../services/projector/assemble.ts";
import { registerSchema, withSchemaId } from "../../support/scenes/schemas.ts";
import { createWorld } from "../history/world.ts";
import { createInstallation, expectProjected, type Installation, shareInstallation } from "./installation.ts";

/** The length of a list of 2^38 items, and none of them. */
const ENDLESS = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]);

const sharedInstallation = shareInstallation();

/** A projector in this process; the returned function stops it, or else the end of the test. */
async function startProjector(installation: Installation, log = installation.log): Promise<() => Promise<void>> {
  const { config, codec, namespace } = installation;
  const { parts } = assembleProjector({
    config,
    codec,
    log,
    groupId: groupName(namespace, "projector"),
    database: namespace,
    deadLetters: true,
  });
  const stop = Promise.withResolvers<void>();
  const done = run(parts, stop.promise, log);
  const stopAndWait = async () => {
    stop.resolve();
    await done;
  };
  onTestFinished(stopAndWait);
  return stopAndWait;
}

test("what stands in the log can be read from the tables, and what is added later as well", async () => {
  const installation = sharedInstallation();
  const world = createWorld(41);
  await installation.record({ log: world.log.slice(0, 300), changes: world.changes.slice(0, 60) }, "early");
  await startProjector(installation);
  await installation.caughtUp();
  await expectProjected(installation);

  await installation.record({ log: world.log.slice(300), changes: world.changes.slice(60) }, "early");
  await installation.caughtUp();
  await expectProjected(installation);
});

test("a projector that starts again goes on where the tables stand, and events that come twice are one", async () => {
  const installation = sharedInstallation();
  const world = createWorld(42);
  await installation.record(world, "twice");
  const stop = await startProjector(installation);
  await installation.caughtUp();
  await stop();

  await installation.record(world, "twice");
  await startProjector(installation);
  await installation.caughtUp();
  await expectProjected(installation);
});

test("without stored positions the log is projected again, and nothing is there twice", async () => {
  const installation = sharedInstallation();
  await installation.record(createWorld(43), "anew");
  const stop = await startProjector(installation);
  await installation.caughtUp();
  await stop();

  await installation.client.command({ query: "TRUNCATE TABLE projector_positions_v1" });
  await startProjector(installation);
  await installation.caughtUp();
  await expectProjected(installation);
});

test("what the log dropped before it was projected is said with its offsets", async () => {
  const installation = await createInstallation();
  const { admin, client, topic } = installation;
  const cameraLog = topic("camera-log");
  await installation.record(createWorld(45, 200));
  const at = (await offsetRanges(admin, cameraLog)).find(({ high }) => high > 10);
  const id = { topic: cameraLog, partition: at?.partition ?? -1 };
  await savePositions(client, [{ ...id, next: 2, logId: undefined, rankBase: 0 }]);
  await admin.deleteTopicRecords({ topic: cameraLog, partitions: [{ partition: id.partition, offset: "7" }] });
  const lines: string[] = [];

  await startProjector(installation, pino({ level: "warn" }, { write: (line) => lines.push(line) }));
  await installation.caughtUp();

  const warnings = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes("were not projected"));
  expect(warnings).toMatchObject([{ ...id, first: 2, last: 6 }]);
});

test("a log that ends in a transaction's marks is projected to its end, and what was taken back is not", async () => {
  const installation = await createInstallation();
  const { kafka, codec, namespace, topic } = installation;
  const producer = kafka.producer({ transactionalId: namespace, maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  onTestFinished(() => producer.disconnect());
  const ended = (trackId: string) =>
    codec.encode("TrackExpired", { trackId, dataSourceId: "ds-a", endTime: 1_000, reason: "expired", readUpTo: null });
  const transact = async (trackId: string, end: "commit" | "abort") => {
    const transaction = await producer.transaction();
    await transaction.send({ topic: topic("camera-log"), messages: [{ key: "ds-a", value: ended(trackId) }] });
    await transaction[end]();
  };
  await startProjector(installation);
  await transact("told", "commit");
  await installation.caughtUp();

  await transact("taken-back", "abort");
  await installation.caughtUp();

  const found = await installation.client.query({ query: "SELECT track_id FROM tracks_v1", format: "JSONEachRow" });
  expect(await found.json()).toEqual([{ track_id: "told" }]);
});

test("what cannot be read or makes no sense goes to the dead letters, once each, and the rest goes on", async () => {
  const installation = sharedInstallation();
  const { codec, topic, publish } = installation;
  const good = createWorld(44, 20);
  const soon = { trackId: "future", dataSourceId: "ds-a", reason: "expired", readUpTo: null } as const;
  const encoded = codec.encode("TrackExpired", { ...soon, endTime: Date.now() });
  const to = (value: Buffer | null) => ({ topic: topic("camera-log"), key: "ds-a", value });
  await installation.record(good, "good");
  const registryUrl = installation.variables["SCHEMA_REGISTRY_URL"] ?? "";
  const unreadable = await registerSchema(registryUrl, topic("camera-log"), { ...records.TrackExpired, fields: [] });
  const bad = await publish([
    to(withSchemaId(unreadable, encoded.subarray(5))),
    to(
      Buffer.concat([
        codec.encode("DetectionsRecorded", { dataSourceId: "ds-a", detections: [] }).subarray(0, -1),
        ENDLESS,
      ]),
    ),
    to(Buffer.from("garbage")),
    to(null),
    to(Buffer.concat([Buffer.from([0, 0x7f, 0xff, 0xff, 0xff]), encoded.subarray(5)])),
    to(encoded.subarray(0, 9)),
    to(codec.encode("TrackExpired", { ...soon, endTime: Date.now() + 86_400_000 })),
    to(
      codec.encode("ZoneVersion", {
        zoneId: "z",
        dataSourceId: "d",
        zone: null,
        movedTo: null,
        refusal: null,
        partition: 0,
        offset: 0,
      }),
    ),
  ]);
  await installation.record(good, "good");

  await startProjector(installation);
  await installation.caughtUp();

  const letters = await installation.deadLetters();
  expect(letters.map(({ id }) => id).sort()).toEqual(
    bad.map(({ topic: name, partition, offset }) => `${name}/${partition}/${offset}`).sort(),
  );
  expect(letters.every(({ reason, key }) => reason.length > 0 && key?.toString() === "ds-a")).toBe(true);
  const tracks = await installation.client.query({
    query: "SELECT count() AS n FROM tracks_v1 WHERE track_id = 'future'",
    format: "JSONEachRow",
  });
  expect(await tracks.json()).toEqual([{ n: "0" }]);
});

test("a message outside the partition of its data source becomes a dead letter, whose reason names murmur2", async () => {
  const installation = await createInstallation();
  const { codec, topic } = installation;
  const ended = { trackId: "stray", dataSourceId: "ds-a", endTime: 1_000, reason: "expired", readUpTo: null } as const;
  const measured = { sensorId: "ds-a", timestamp: Date.UTC(2026, 0, 1), value: "7" };
  const values = {
    "camera-log": codec.encode("TrackExpired", ended),
    measurements: codec.encode("MeasurementRecorded", measured),
  };
  await installation.publish(
    Object.entries(values).flatMap(([name, value]) =>
      [0, 1].map((partition) => ({ topic: topic(name as keyof typeof values), key: "ds-a", partition, value })),
    ),
  );

  await startProjector(installation);
  await installation.caughtUp();

  const letters = await installation.deadLetters();
  const reason = "partition: in partition 1, but murmur2 of its key gives 0: see docs/producers.md";
  expect(letters.map(({ topic: name, partition }) => `${name}/${partition}`).sort()).toEqual(
    [`${topic("camera-log")}/1`, `${topic("measurements")}/1`].sort(),
  );
  expect(letters.map((letter) => letter.reason)).toEqual([reason, reason]);
});

test("a message with a long key becomes a dead letter, whatever its value, and what follows is projected", async () => {
  const installation = await createInstallation();
  const { codec, topic } = installation;
  const ended = { trackId: "after", dataSourceId: "ds-a", endTime: 1_000, reason: "expired", readUpTo: null } as const;
  const MIB = 1024 * 1024;
  const place = { topic: topic("camera-log"), partition: 0 };
  const write = (message: { readonly key: Buffer; readonly value: Buffer }) =>
    installation.publish([{ ...place, ...message }]);
  await write({ key: Buffer.alloc(8 * MIB - 1_000, "k"), value: Buffer.from("garbage") });
  await write({ key: Buffer.alloc(MIB, "k"), value: Buffer.alloc(6.5 * MIB) });
  await write({ key: Buffer.alloc(MIB / 2, "k"), value: Buffer.alloc(7.25 * MIB) });
  await installation.publish([{ topic: place.topic, key: "ds-a", value: codec.encode("TrackExpired", ended) }]);

  await startProjector(installation);
  await installation.caughtUp();

  const letters = await installation.deadLetters();
  expect(letters.map(({ key, value }) => [key, value?.length])).toEqual([
    [null, "garbage".length],
    [null, 6.5 * MIB],
    [null, undefined],
  ]);
  expect(letters[2]?.reason).toContain(`(value of ${7.25 * MIB} bytes left in its topic) (key of ${MIB / 2} bytes`);
  const found = await installation.client.query({ query: "SELECT track_id FROM tracks_v1", format: "JSONEachRow" });
  expect(await found.json()).toEqual([{ track_id: "after" }]);
});
