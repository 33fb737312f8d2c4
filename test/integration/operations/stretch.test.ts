// A stretch of the log that was taken home: what a state machine makes of it in another namespace, and what a replay of
// the file raises, is what the original log gave.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createSignalListener } from "../../../projections/webhooks/signals/signal-listener.ts";
import { subscribersOf } from "../../../projections/webhooks/signals/subscribers.ts";
import { eventBoundsOf } from "../../../schemas/bounds.ts";
import type { CameraLogEvent, CatalogEvent, Detection, Typed } from "../../../schemas/events.ts";
import { partitionOfKey } from "../../../schemas/partition-of-key.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { type Topic, topicsOf } from "../../../schemas/topics.ts";
import { DAY_MS } from "../../../schemas/units.ts";
import { importStretchEnv } from "../../../services/cli/log/config.ts";
import { importStretch } from "../../../services/cli/log/import-stretch.ts";
import { runExport } from "../../../services/cli/log/run-export.ts";
import { foldSettings } from "../../../services/common/fold-config.ts";
import { isFilling } from "../../../services/common/kafka/write/filling.ts";
import { recordedStoresEnv } from "../../../services/recorded/config.ts";
import { fromFile } from "../../../services/recorded/file-segments.ts";
import { stepsOf } from "../../../services/recorded/steps.ts";
import { ROOT, readText } from "../../structure/repository.ts";
import { openInspector } from "../../support/clients/final-state-inspector.ts";
import { storedState } from "../../support/oracles/final-state-live.ts";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { processEnv, until } from "../../support/running/processes.ts";
import { dataSourceCreated, deviceCreated, siteCreated } from "../../support/scenes/catalog.ts";
import { box, created, detection, updated } from "../../support/scenes/feed-events.ts";
import { subscriptionSet } from "../../support/scenes/signals.ts";
import { zone } from "../../support/scenes/zone.ts";
import { startRole } from "./system.ts";

const TTL_S = "1";
const folder = await mkdtemp(join(tmpdir(), "tracklog-stretch-"));
atTheEnd(() => rm(folder, { recursive: true, force: true }));
const path = join(folder, "stretch.avro");

type Installation = Awaited<ReturnType<typeof provideInstallation>>;

async function install(partitions: number): Promise<Installation> {
  const settings = { CAMERA_PARTITIONS: String(partitions), TRACK_TTL: TTL_S, PROJECTOR_FLUSH_MS: "20" };
  const installation = await provideInstallation("stretch", settings);
  atTheEnd(installation.remove);
  return installation;
}

const subscriptions = (["track_state", "zone_state"] as const).map((signalType) => ({
  ...subscriptionSet(signalType, "https://a.example.com"),
  ...{ signalType, secrets: [], version: signalType, createdAt: Date.now() - DAY_MS },
}));

const T0 = Date.now() - 8_000;
const seen = (trackId: string, second: number, x: number, dataSourceId = "cam"): CameraLogEvent => {
  const position = { longitude: x / 1_000, latitude: 0.005, altitude: null, crs: null };
  const detections = [detection(trackId, 0, { timestamp: T0 + second * 1_000, polygon: box(x, 0), position })];
  return { type: "DetectionsRecorded", event: { dataSourceId, detections } };
};
const gate = zone({ zoneId: "gate", dataSourceId: "cam", polygon: box(0, 0, 20), createdAt: T0, updatedAt: T0 });
const field: CatalogEvent = {
  type: "GeofenceChanged",
  event: {
    ...{ id: "field", change: "created", at: T0, cleared: [] },
    set: {
      ...{ name: "Field", labels: [], siteId: "yard", pointOfInterestId: null, active: true },
      bounds: { rings: [[0, 0, 0.03, 0, 0.03, 0.01, 0, 0.01, 0, 0]], crs: null },
    },
  },
};
const widened: CameraLogEvent = {
  type: "ZoneUpdated",
  event: {
    ...{ zoneId: "gate", dataSourceId: "cam", updatedAt: T0 + 1_000, ifUpdatedAt: null, cleared: [] },
    set: { name: null, polygon: box(0, 0, 40), active: null, anchor: null, enterDetections: null, exitDelayMs: null },
  },
};
const scene: readonly CameraLogEvent[] = [
  created("walker", { tag: "Person", startTime: T0 }),
  seen("walker", 0, 0),
  seen("stranger", 0, 0, "other"),
  seen("walker", 1, 10),
  widened,
  seen("walker", 2, 25),
  seen("guest", 2, 5),
  seen("walker", 1.5, 0),
  updated("walker", { tag: "runner" }),
  seen("stranger", 2, 100, "other"),
  seen("walker", 3, 90),
  seen("guest", 3, 5),
];

/** Writes the scene, and waits until the tracks have expired and everything is derived. */
async function recordScene(installation: Installation) {
  const { codec, namespace, variables, topic } = installation;
  await installation.openHistory();
  const publisher = await installation.openPublisher();
  const write = async (event: Typed): Promise<number> => {
    const [position] = await publisher.publish([
      recordMessage(codec, namespace, event, { source: "test", timeMs: T0 }),
    ]);
    return position?.offset ?? 0;
  };
  for (const event of [siteCreated("yard"), dataSourceCreated("other"), dataSourceCreated("cam"), field])
    await write(event);
  const upTo = await write(deviceCreated("cam", { siteId: "yard" }));
  for (const event of subscriptions) await write({ type: "SubscriptionSet", event });
  const running = await Promise.all([startRole("state-machine", variables), startRole("projector", variables)]);
  const value = codec.encode("GeofencesAdvanced", { upTo });
  await publisher.publish([0, 1].map((partition) => ({ topic: topic("camera-log"), partition, key: null, value })));
  for (const event of [{ type: "ZoneCreated", event: { zone: gate } } as const, ...scene]) {
    const key = "zone" in event.event ? "cam" : "dataSourceId" in event.event ? event.event.dataSourceId : "";
    const headers = { ce_id: `m${Math.random()}`, ce_type: `io.tracklog.${event.type}` };
    await publisher.publish([
      { topic: topic("camera-log"), key, value: codec.encode(event.type, event.event as never), headers },
    ]);
  }
  const inspector = await openInspector({ env: variables, namespace });
  atTheEnd(inspector.close);
  await until(async () => (await eventsOf(installation, "camera-log", "TrackExpired")).length >= 3);
  await inspector.settled();
  await Promise.all(running.map((role) => role.stop()));
  return inspector;
}

async function eventsOf(installation: Installation, topic: Topic, type?: string) {
  const messages = await installation.read(topic);
  return messages.flatMap(({ message }) => {
    const read = installation.codec.decode(message.value);
    return read.ok && (type === undefined || read.type === type) ? [read.event as object] : [];
  });
}

/** Signals of zones name no data source. */
const ofCam = (event: object) => !("dataSourceId" in event) || ["cam", null].includes(event.dataSourceId as string);

/** Outputs of the data source, without the positions in the log that they follow from. */
async function outputsOf(installation: Installation) {
  const topics = ["zone-intersections", "geofence-intersections", "signals", "zones"] as const;
  const found = await Promise.all(topics.map((topic) => eventsOf(installation, topic)));
  return Object.fromEntries(
    topics.map((topic, i) => [topic, (found[i] ?? []).filter(ofCam).map(withoutPlace).sort(byText)]),
  );
}

const withoutPlace = (event: object): object => {
  const { cause: _cause, partition: _partition, offset: _offset, ...rest } = event as Record<string, unknown>;
  return "signal" in rest ? { ...rest, id: "" } : rest;
};
const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

const source = await install(2);
const inspector = await recordScene(source);
const original = await outputsOf(source);
const exported = await runExport(
  { selection: { kind: "tracks", trackIds: ["walker", "guest"] }, out: path, codec: "deflate", replaces: false },
  {
    ...{
      config: source.config(recordedStoresEnv),
      codec: source.codec,
      log: source.log,
      version: "0.0.0",
      now: Date.now,
    },
    signal: new AbortController().signal,
  },
);

function importInto(
  target: Installation,
  options: Partial<Parameters<typeof importStretch>[0]> = {},
  deps: Partial<Parameters<typeof importStretch>[1]> = {},
) {
  const { kafka, admin, codec, namespace, log, config } = target;
  const { CAMERA_PARTITIONS: partitions, CAMERA_LOG_RETENTION_MS: retentionMs, ...rest } = config(importStretchEnv);
  return importStretch(
    { path, isNow: false, forces: false, ...options },
    {
      ...{
        kafka,
        admin,
        codec,
        namespace,
        log,
        retentionMs,
        replicationFactor: 1,
        now: Date.now,
        print: () => undefined,
      },
      ...{ topics: topicsOf(namespace, partitions, retentionMs) },
      bounds: eventBoundsOf({ ...rest, CAMERA_PARTITIONS: partitions }),
      signal: new AbortController().signal,
      ...deps,
    },
  );
}

test("state, intersections and signals in an empty namespace are those of the original", async () => {
  const target = await install(3);
  expect(exported).toMatchObject({ segments: 1, dataSources: 1 });

  const { messages } = await importInto(target);
  const publisher = await target.openPublisher();
  for (const event of subscriptions) {
    const message = recordMessage(
      target.codec,
      target.namespace,
      { type: "SubscriptionSet", event },
      { source: "test", timeMs: T0 },
    );
    await publisher.publish([message]);
  }
  await target.openHistory();
  const roles = ["state-machine", "projector"] as const;
  const running = await Promise.all(roles.map((role) => startRole(role, target.variables)));
  const copied = await openInspector({ env: target.variables, namespace: target.namespace });
  await copied.settled();

  expect(messages).toBeGreaterThan(scene.length);
  expect(await isFilling(target.admin, target.topic("camera-log"))).toBe(false);
  expect(await outputsOf(target)).toEqual(original);
  expect(original["signals"]?.length).toBeGreaterThan(8);
  expect(original["geofence-intersections"]?.length).toBeGreaterThan(2);
  expect(await stateOfCam(copied)).toEqual(await stateOfCam(inspector));
  await Promise.all([...running.map((role) => role.stop()), copied.close()]);
});

/** Live state of the data source, wherever it is. */
async function stateOfCam(from: typeof inspector) {
  const partitions = Object.values(await storedState(from));
  return (["tracks", "sources", "zones"] as const).map((kind) =>
    Object.fromEntries(
      partitions.flatMap((texts) => Object.entries(texts[kind]).filter(([id, text]) => id !== "other" && ofCam(text))),
    ),
  );
}

test("an import is refused twice, while processes work, and when the log is not kept for so long", async () => {
  const target = await install(2);
  await importInto(target);
  const written = (await target.read("camera-log")).length;

  await expect(importInto(target)).rejects.toThrow("the namespace has the data source cam already");
  await expect(importInto(target, { isNow: true })).rejects.toThrow("the namespace has the data source cam already");
  expect(await target.read("camera-log")).toHaveLength(written);

  const other = await install(2);
  await expect(importInto(other, {}, { retentionMs: 60_000 })).rejects.toThrow("older than the log is kept");
  const machine = await startRole("state-machine", other.variables);
  await expect(importInto(other)).rejects.toThrow("state-machine of the namespace work");
  await machine.stop();
  expect(await other.read("catalog")).toEqual([]);
});

test("an import that was interrupted continues, and no service starts before", async () => {
  const target = await install(2);
  const stopping = new AbortController();
  const interrupted = () => importInto(target, {}, { signal: stopping.signal, codec: stoppingCodec(target, stopping) });

  await expect(interrupted()).rejects.toThrow("interrupted");
  await expect(interrupted()).rejects.toThrow("interrupted");
  expect(await isFilling(target.admin, target.topic("camera-log"))).toBe(true);
  await expect(importInto(target, { isNow: true })).rejects.toThrow("was begun");
  await importInto(target);

  expect(await isFilling(target.admin, target.topic("camera-log"))).toBe(false);
  const ids = (await target.read("camera-log")).map(({ message }) => String(message.offset));
  expect(ids).toHaveLength(new Set(ids).size);
  expect(await eventsOf(target, "catalog", "DataSourceChanged")).toHaveLength(1);
});

/** Stops the import at its tenth message of the camera-log. */
function stoppingCodec({ codec }: Installation, stopping: AbortController): typeof codec {
  let count = 0;
  return {
    ...codec,
    encode(type, event) {
      count += 1;
      if (count === 10) stopping.abort(new Error("interrupted"));
      return codec.encode(type, event);
    },
  };
}

test("as of now, the first detection is now, and the order and the distances of times stay", async () => {
  const target = await install(2);
  const before = Date.now();
  await importInto(target, { isNow: true });

  const timesIn = (events: readonly object[]) =>
    events
      .flatMap((event) => ("detections" in event ? (event.detections as Detection[]) : []))
      .map((each) => each.timestamp);
  const recorded = timesIn((await eventsOf(source, "camera-log", "DetectionsRecorded")).filter(ofCam));
  const moved = timesIn(await eventsOf(target, "camera-log", "DetectionsRecorded"));
  const [first = 0] = moved;
  expect(first).toBeGreaterThanOrEqual(before);
  expect(moved.map((time) => time - first)).toEqual(recorded.map((time) => time - (recorded[0] ?? 0)));
  expect(await eventsOf(target, "camera-log", "TrackExpired")).toEqual([]);
  expect(await eventsOf(target, "camera-log", "ZoneUpdated")).toHaveLength(1);
});

test("a replay of the file raises the signals of the original", async () => {
  const config = source.config(recordedStoresEnv);
  const file = await fromFile(path, { settings: foldSettings(config), bounds: eventBoundsOf(config) });
  const subscribers = subscribersOf(subscriptions);
  const signals: object[] = [];
  const prepare = file.prepare({ zones: "then", settings: {} }, createSignalListener({ of: () => subscribers }));

  for await (const step of stepsOf(await file.plan(), { prepare, plannedAt: 0, throttle: async () => undefined })) {
    signals.push(...step.signals.map(withoutPlace));
  }

  const sent = original["signals"] ?? [];
  const ofTracks = sent.filter((signal) => !JSON.stringify(signal).includes("stranger"));
  expect(signals.sort(byText)).toEqual(ofTracks);
  expect(file.catalog.get("site", "yard")?.name).toBe("yard");
  expect([...file.catalog.all("dataSource")].map(({ id }) => id)).toEqual(["cam"]);
  await file.close();
});

test("the lines of docs/stretches.md do what the page says", async () => {
  const target = await install(2);
  const file = join(folder, "page");
  const lines = [...readText("docs/stretches.md").matchAll(/^ {4}(npm run .*)$/gm)].map(([, line = ""]) => line);
  expect(lines.length).toBeGreaterThan(6);
  for (const line of lines) {
    const command = line
      .replaceAll("/tmp/", `${file}-`)
      .replace("--data-source gate", "--data-source cam")
      .replace("2026-11-24T14:00:00Z", new Date(T0 - 1_000).toISOString())
      .replace("2026-11-24T14:20:00Z", new Date(T0 + 60_000).toISOString())
      .replace("--partition 3 --offsets 120000..180000", `--partition ${partitionOfKey("cam", 2)} --offsets 2..9`)
      .replace("tuesday", target.namespace)
      .replace("--namespace lab", `--namespace ${target.namespace}_2`);
    const [, name = "", args = ""] = /^npm run ([\w-]+) -- (.*)$/.exec(command) ?? [];
    const env = line.includes("--file") ? {} : source.variables;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [`services/cli/${name}/main.ts`, ...args.split(" ")],
      { cwd: ROOT, env: { ...processEnv, ...env } },
    );
    expect([line, stdout]).toEqual([line, expect.stringMatching(/messages|signals/)]);
  }
  atTheEnd(async () => {
    const names = await source.admin.listTopics();
    const own = names.filter((topic) => topic.startsWith(`${target.namespace}_2.`));
    await source.admin.deleteTopics({ topics: own });
  });
});
