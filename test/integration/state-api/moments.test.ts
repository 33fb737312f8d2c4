// Live state at past moments equals what the same requests answered then, while cameras sent.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CameraLogEvent, Detection, Zone } from "../../../schemas/events.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { groupName } from "../../../schemas/topics.ts";
import { redisEnv } from "../../../services/common/config.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import type { Part } from "../../../services/common/lifecycle.ts";
import { metricsText } from "../../../services/common/metrics/define.ts";
import { createRedis, type RedisPart } from "../../../services/common/redis/client.ts";
import { assembleProjector } from "../../../services/projector/assemble.ts";
import { projectorEnv } from "../../../services/projector/config.ts";
import type { StateApiConfig } from "../../../services/state-api/shared/config.ts";
import { assembleStateMachine } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { howMany } from "../../support/random/how-many.ts";
import { until } from "../../support/running/processes.ts";
import { detection } from "../../support/scenes/detection.ts";
import { square, zone } from "../../support/scenes/zone.ts";
import { type Answer, askAt as askOf, createStateApi } from "./services.ts";

const PARTITIONS = 2;
const TTL_MS = 600;
const CAMERAS = ["north", "south", "east"];
const TRACKS = ["1", "2", "3", "4", "5"];
const ZONES = ["gate", "hall", "yard", "ramp"];
const COMPARED = howMany({ short: 20, full: 1_000 });
const TIMEOUT_MS = howMany({ short: 120_000, full: 900_000 });
const PER_MOMENT = 10;
const AT_A_TIME = 3;

let api: Awaited<ReturnType<typeof createStateApi>>;
let redis: RedisPart;
let send: (...events: readonly CameraLogEvent[]) => Promise<void>;
const started: Part[] = [];

beforeAll(async () => {
  api = await createStateApi({
    ...{
      CAMERA_PARTITIONS: String(PARTITIONS),
      TRACK_TTL: String(TTL_MS / 1_000),
      PROJECTOR_FLUSH_MS: "20",
    },
    SECRETS_KEY: randomBytes(32).toString("hex"),
  });
  const { installation } = api;
  const { codec, log, namespace, kafka, topic, variables } = installation;
  await installation.openHistory();
  redis = createRedis(installation.config(redisEnv), log);
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const database = variables.CLICKHOUSE_DATABASE;
  const projecting = { config: installation.config(projectorEnv), codec, log, deadLetters: true, database };
  const parts = [
    redis,
    ...assembleStateMachine({ config: installation.config(stateMachineEnv), codec, log }),
    ...assembleProjector({ ...projecting, groupId: groupName(namespace, "projector") }).parts,
    { name: "producer", start: async () => {}, stop: () => producer.disconnect() },
  ];
  for (const part of parts) {
    await part.start();
    started.unshift(part);
  }
  send = async (...events) => {
    const messages = events.map((message) => ({
      key: sourceOf(message),
      value: codec.encode(message.type, message.event),
    }));
    await producer.send({ topic: topic("camera-log"), messages });
  };
});

afterAll(async () => {
  for (const part of started) await part.stop();
  await api.stop();
});

const sourceOf = ({ event }: CameraLogEvent): string => {
  if ("zone" in event) return event.zone.dataSourceId;
  return "dataSourceId" in event ? event.dataSourceId : "";
};

/** Offsets up to which live state is written, with the number of saves, by partition. */
async function written(): Promise<string[][]> {
  const keys = Array.from({ length: PARTITIONS }, (_, i) => partitionKeys(api.installation.namespace, i).position);
  const read = await Promise.all(keys.map((key) => redis.client.hmget(key, "next", "saves")));
  return read.map((fields) => fields.map(String));
}

async function isWritten(): Promise<boolean> {
  const ranges = await offsetRanges(api.installation.admin, api.installation.topic("camera-log"));
  const next = await written();
  return ranges.every(
    ({ partition, high }) => Number(next[partition]?.[0] === "null" ? 0 : next[partition]?.[0]) >= high,
  );
}

interface Recorded {
  readonly path: string;
  readonly at: number;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The answers at one moment of the log: nothing was written between the first and the last of them. */
async function recordMoment(paths: readonly string[]): Promise<Recorded[]> {
  let recorded: Recorded[] = [];
  await until(async () => {
    const before = JSON.stringify(await written());
    // A message that is recorded later must have another time.
    await delay(2);
    const at = Date.now() - 1;
    const answers = await Promise.all(paths.map((path) => api.ask("GET", path)));
    recorded = answers.map(({ status, body }, i) => ({ path: paths[i] ?? "", at, status, body }));
    return (await isWritten()) && before === JSON.stringify(await written());
  });
  return recorded;
}

const choose = <T>(of: readonly T[]): T => {
  const found = of[Math.floor(Math.random() * of.length)];
  if (found === undefined) throw new Error("nothing to choose from");
  return found;
};

const isLikely = (share: number): boolean => Math.random() < share;

function anyDetections(dataSourceId: string, now: number): CameraLogEvent {
  const detections = Array.from({ length: 1 + Math.floor(Math.random() * 5) }, (_, i): Detection => {
    const late = isLikely(0.2) ? Math.floor(Math.random() * 2 * TTL_MS) : 0;
    const rings = [square(10, Math.random() * 40, Math.random() * 40).flat()];
    const position = { longitude: 8 + Math.random() / 1e3, latitude: 47, altitude: null, crs: null };
    return detection({
      ...{ trackId: choose(TRACKS), timestamp: now - late + i },
      ...{ polygon: isLikely(0.9) ? { rings, crs: null } : null, position: isLikely(0.3) ? position : null },
    });
  });
  return { type: "DetectionsRecorded", event: { dataSourceId, detections } };
}

const noHeader = { modelId: null, properties: null, metadata: null, detections: [] };

function anyTrackEvent(dataSourceId: string, now: number): CameraLogEvent {
  const trackId = choose(TRACKS);
  const endTime = isLikely(0.5) ? now + Math.floor((Math.random() - 0.5) * TTL_MS) : null;
  const tag = choose(["person", "car", "bicycle"]);
  if (isLikely(0.5)) {
    return { type: "TrackCreated", event: { trackId, dataSourceId, tag, startTime: now - 50, endTime, ...noHeader } };
  }
  const { modelId: _, ...unset } = noHeader;
  const cleared = endTime === null && isLikely(0.3) ? (["endTime"] as const) : [];
  return { type: "TrackUpdated", event: { trackId, dataSourceId, tag, startTime: null, endTime, cleared, ...unset } };
}

/** The data source of each zone, as it was sent last. */
const sources = new Map(ZONES.map((zoneId, i) => [zoneId, CAMERAS[i % CAMERAS.length] ?? ""]));
const sourceOfZone = (zoneId: string): string => sources.get(zoneId) ?? "";

const anyFields = (): Pick<Zone, "polygon" | "active" | "enterDetections" | "exitDelayMs" | "anchor"> => ({
  polygon: { rings: [square(30, Math.random() * 30, Math.random() * 30).flat()], crs: null },
  active: isLikely(0.9),
  anchor: choose(["area", "bottom_center"]),
  enterDetections: choose([1, 1, 2]),
  exitDelayMs: choose([0, 0, 200]),
});

function anyZoneEvents(now: number): CameraLogEvent[] {
  const zoneId = choose(ZONES);
  const dataSourceId = sourceOfZone(zoneId);
  const kind = Math.random();
  const drawnAt = (at: string): CameraLogEvent => ({
    type: "ZoneCreated",
    event: { zone: zone({ zoneId, dataSourceId: at, ...anyFields(), createdAt: now, updatedAt: now }) },
  });
  const deleted = (movedTo: string | null): CameraLogEvent => ({
    type: "ZoneDeleted",
    event: { zoneId, dataSourceId, deletedAt: now, movedTo },
  });
  if (kind < 0.35) return [drawnAt(dataSourceId)];
  if (kind < 0.7) {
    const set = { name: `${zoneId} ${now % 100}`, ...anyFields() };
    return [{ type: "ZoneUpdated", event: { zoneId, dataSourceId, updatedAt: now, set, cleared: [] } }];
  }
  if (kind < 0.85) return [deleted(null)];
  const moved = choose(CAMERAS);
  sources.set(zoneId, moved);
  // The zone may stay on its way for a while.
  return isLikely(0.7) ? [deleted(moved), drawnAt(moved)] : [deleted(moved)];
}

function anyEvents(now: number): CameraLogEvent[] {
  const kind = Math.random();
  if (kind < 0.1) return anyZoneEvents(now);
  return [kind < 0.25 ? anyTrackEvent(choose(CAMERAS), now) : anyDetections(choose(CAMERAS), now)];
}

const paths = [...TRACKS.map((id) => `/api/tracks/${id}`), ...ZONES.map((id) => `/api/zones/${id}`)];

/** Without the members that a past answer has in another form: the time of storage, and the moment. */
const shown = ({ status, body }: Pick<Recorded, "status" | "body">) => {
  if (status !== 200) return { status };
  const { applied_at: _stored, as_of: _asked, ...state } = body;
  return { status, state };
};

/** Repeats the request until the history has the moment. */
async function askAt(path: string, at: number): Promise<Answer> {
  let answer: Answer | undefined;
  await until(async () => {
    answer = await api.ask("GET", `${path}?at=${new Date(at).toISOString()}`);
    return answer.status !== 503;
  });
  if (answer === undefined) throw new Error("no answer");
  return answer;
}

test("live state at past moments is what was answered then", { timeout: TIMEOUT_MS }, async () => {
  for (const zoneId of ZONES) {
    const drawn = zone({ zoneId, dataSourceId: sourceOfZone(zoneId), ...anyFields() });
    await send({ type: "ZoneCreated", event: { zone: drawn } });
  }
  const recorded: Recorded[] = [];
  while (recorded.length < COMPARED) {
    const now = Date.now();
    await send(...Array.from({ length: 8 }, () => anyEvents(now)).flat());
    if (isLikely(0.2)) await delay(Math.random() * 2 * TTL_MS);
    recorded.push(...(await recordMoment(Array.from({ length: PER_MOMENT }, () => choose(paths)))));
  }

  const queue = recorded.values();
  await Promise.all(Array.from({ length: AT_A_TIME }, () => compareAll(queue)));

  // Otherwise equal answers would prove little.
  const shownThen = recorded.filter(({ status }) => status === 200);
  expect(shownThen.length).toBeGreaterThan(COMPARED / 3);
  const distinct = new Set(shownThen.map((each) => JSON.stringify(shown(each))));
  expect(distinct.size).toBeGreaterThan(shownThen.length / 4);
});

async function compareAll(queue: Iterable<Recorded>): Promise<void> {
  for (const { path, at, ...then } of queue) {
    const { status, body } = await askAt(path, at);
    const moment = `${path} at ${new Date(at).toISOString()}`;
    expect({ moment, ...shown({ status, body }) }).toEqual({ moment, ...shown(then) });
    if (status === 200) expect(body.as_of).toEqual({ at: new Date(at).toISOString(), log: "topic" });
  }
}

const square40 = square(40).flat();
const inside = (trackId: string, timestamp: number) =>
  detection({ trackId, timestamp, polygon: { rings: [square(10, 5 + (timestamp % 7), 5).flat()], crs: null } });

test("a state that the log no longer has comes from the history", async () => {
  const [dataSourceId, zoneId, trackId] = ["west", "west gate", "w1"];
  const paths = [`/api/tracks/${trackId}`, `/api/zones/${zoneId}`];
  const now = Date.now();
  const polygon = { rings: [square40], crs: null };
  const drawn = zone({ zoneId, dataSourceId, polygon, createdAt: now, updatedAt: now });
  const header = { trackId, dataSourceId, tag: "person", startTime: now - 10, endTime: null, ...noHeader };
  const seen = (timestamp: number): CameraLogEvent => ({
    type: "DetectionsRecorded",
    event: { dataSourceId, detections: [inside(trackId, timestamp)] },
  });
  await send({ type: "ZoneCreated", event: { zone: drawn } }, { type: "TrackCreated", event: header });
  await send(seen(now), seen(now + 40));
  await delay(3 * TTL_MS);
  // Its second stretch is the present one.
  await send(seen(Date.now()));
  await send(seen(Date.now()));
  const live = await recordMoment(paths);
  await until(async () => (await api.ask("GET", paths[0] ?? "")).body.track_end !== undefined);
  const ended = await recordMoment(paths);
  const stretch = await askLater({ REPLAY_WARM_UP_MS: 0 }, paths[0] ?? "", live[0]?.at ?? 0);

  const { admin, topic } = api.installation;
  const ranges = await offsetRanges(admin, topic("camera-log"));
  const partitions = ranges.map(({ partition, high }) => ({ partition, offset: String(high) }));
  for (const { path, at } of live) expect((await askAt(path, at)).body.as_of.log).toBe("topic");
  await admin.deleteTopicRecords({ topic: topic("camera-log"), partitions });

  expect(shown(stretch)).toEqual(live[0] && shown(live[0]));
  for (const { path, at, ...then } of [...live, ...ended]) {
    const answer = await askAt(path, at);
    expect(shown(answer)).toEqual(shown(then));
    expect(answer.body.as_of.log).toBe("history");
  }
  expect(live.map(({ body }) => body["track_count"] ?? body["detection_count"])).toEqual([2, 1]);
  expect((await askAt(`/api/tracks/${trackId}`, now - 60_000)).status).toBe(404);
});

/** Asks another instance with these settings. */
async function askLater(settings: Partial<StateApiConfig>, path: string, at: number): Promise<Answer> {
  const ask = askOf(await api.start(settings), api.token);
  return ask("GET", `${path}?at=${new Date(at).toISOString()}`);
}

test("hostile moments are refused, and too many at a time", async () => {
  const ask = (at: string) => api.ask("GET", `/api/tracks/1?at=${encodeURIComponent(at)}`);
  const refused = ["", "now", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00", "1e12", "9".repeat(10_000)];
  for (const at of [...refused, "9999-12-31T23:59:59.999Z"]) expect([at, (await ask(at)).status]).toEqual([at, 400]);
  for (const at of ["0000-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z"])
    expect([at, (await ask(at)).status]).toEqual([at, 404]);
  const past = new Date(Date.now() - 5_000).toISOString();
  expect((await api.ask("GET", `/api/tracks/1?at=${past}&at=${past}`)).status).toBe(400);
  expect((await api.ask("GET", `/api/zones/${"%F0%9F%9A%A7"}?at=${past}`)).status).toBe(404);
  expect((await api.ask("GET", `/api/tracks/1?at=${past}`, undefined, {})).status).toBe(401);

  const narrow = askOf(await api.start({ STATE_API_PAST_QUERIES: 4 }), api.token);
  const answers = await Promise.all(Array.from({ length: 20 }, () => narrow("GET", `/api/tracks/none?at=${past}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
});

test("requests for past moments are measured by what they ask for, and by where the answer came from", async () => {
  const series = /^tracklog_past_query_seconds_count\{asked="(\w+)",source="(\w+)".*\} \d+$/;
  const lines = (await metricsText()).split("\n").map((line) => series.exec(line) ?? []);

  const measured = lines.map(([, asked, source]) => `${asked} ${source}`);
  for (const asked of ["track", "zone"]) {
    expect(measured).toEqual(expect.arrayContaining([`${asked} topic`, `${asked} history`, `${asked} none`]));
  }
  // Too many were asked for at a time.
  expect(measured).toContain("track failed");
});
