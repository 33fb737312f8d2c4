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
import { createRedis, type RedisPart } from "../../../services/common/redis/client.ts";
import { assembleProjector } from "../../../services/projector/assemble.ts";
import { projectorEnv } from "../../../services/projector/config.ts";
import { assembleStateMachine } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { howMany } from "../../support/random/how-many.ts";
import { until } from "../../support/running/processes.ts";
import { detection } from "../../support/scenes/detection.ts";
import { square, zone } from "../../support/scenes/zone.ts";
import { type Answer, createStateApi } from "./services.ts";

const PARTITIONS = 2;
const TTL_MS = 600;
const CAMERAS = ["north", "south", "east"];
const TRACKS = ["1", "2", "3", "4", "5"];
const ZONES = ["gate", "hall", "yard", "ramp"];
const COMPARED = howMany({ short: 60, full: 1_000 });
const PER_MOMENT = 10;

let api: Awaited<ReturnType<typeof createStateApi>>;
let redis: RedisPart;
let send: (...events: readonly CameraLogEvent[]) => Promise<void>;
const started: Part[] = [];

beforeAll(async () => {
  api = await createStateApi({
    ...{ CAMERA_PARTITIONS: String(PARTITIONS), TRACK_TTL: String(TTL_MS / 1_000), PROJECTOR_FLUSH_MS: "20" },
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

/** Each zone has one data source, by its id. */
const sourceOfZone = (zoneId: string): string => CAMERAS[ZONES.indexOf(zoneId) % CAMERAS.length] ?? "";

const anyFields = (): Pick<Zone, "polygon" | "active" | "enterDetections" | "exitDelayMs" | "anchor"> => ({
  polygon: { rings: [square(30, Math.random() * 30, Math.random() * 30).flat()], crs: null },
  active: isLikely(0.9),
  anchor: choose(["area", "bottom_center"]),
  enterDetections: choose([1, 1, 2]),
  exitDelayMs: choose([0, 0, 200]),
});

function anyZoneEvent(now: number): CameraLogEvent {
  const zoneId = choose(ZONES);
  const dataSourceId = sourceOfZone(zoneId);
  const kind = Math.random();
  if (kind < 0.4) {
    const times = { createdAt: now, updatedAt: now };
    return { type: "ZoneCreated", event: { zone: zone({ zoneId, dataSourceId, ...anyFields(), ...times }) } };
  }
  if (kind < 0.8) {
    const set = { name: `${zoneId} ${now % 100}`, ...anyFields() };
    return { type: "ZoneUpdated", event: { zoneId, dataSourceId, updatedAt: now, set, cleared: [] } };
  }
  return { type: "ZoneDeleted", event: { zoneId, dataSourceId, deletedAt: now, movedTo: null } };
}

function anyEvent(now: number): CameraLogEvent {
  const kind = Math.random();
  if (kind < 0.1) return anyZoneEvent(now);
  return kind < 0.25 ? anyTrackEvent(choose(CAMERAS), now) : anyDetections(choose(CAMERAS), now);
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

test("live state at past moments is what was answered then", async () => {
  for (const zoneId of ZONES) {
    await send({
      type: "ZoneCreated",
      event: { zone: zone({ zoneId, dataSourceId: sourceOfZone(zoneId), ...anyFields() }) },
    });
  }
  const recorded: Recorded[] = [];
  while (recorded.length < COMPARED) {
    const now = Date.now();
    await send(...Array.from({ length: 8 }, () => anyEvent(now)));
    if (isLikely(0.2)) await delay(Math.random() * 2 * TTL_MS);
    recorded.push(...(await recordMoment(Array.from({ length: PER_MOMENT }, () => choose(paths)))));
  }

  const answered = new Set<number>();
  for (const { path, at, ...then } of recorded) {
    const { status, body } = await askAt(path, at);
    const moment = `${path} at ${new Date(at).toISOString()}`;
    expect({ moment, ...shown({ status, body }) }).toEqual({ moment, ...shown(then) });
    if (status === 200) expect(body.as_of).toEqual({ at: new Date(at).toISOString(), log: "topic" });
    answered.add(status);
  }
  expect(answered).toEqual(new Set([200, 404]));
});
