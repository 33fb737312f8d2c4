// Cameras with a state machine and a projector that work on what they send, and the answers of REST about live state at
// moments in between.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { CameraLogEvent } from "../../../schemas/events.ts";
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
import { until } from "../../support/running/processes.ts";
import { type Answer, createStateApi } from "./services.ts";

const PARTITIONS = 2;
export const TTL_MS = 600;

export interface RecordedAnswer {
  readonly path: string;
  readonly at: number;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export type MomentsScene = Awaited<ReturnType<typeof createMomentsScene>>;

/** The caller stops it. */
export async function createMomentsScene(reorderMs: number) {
  const api = await createStateApi({
    ...{ CAMERA_PARTITIONS: String(PARTITIONS), TRACK_TTL: String(TTL_MS / 1_000), REORDER_MS: String(reorderMs) },
    ...{ PROJECTOR_FLUSH_MS: "20", SECRETS_KEY: randomBytes(32).toString("hex") },
  });
  const { installation } = api;
  const { codec, log, namespace, kafka, admin, topic, variables } = installation;
  await installation.openHistory();
  const redis = createRedis(installation.config(redisEnv), log);
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const database = variables.CLICKHOUSE_DATABASE;
  const projecting = { config: installation.config(projectorEnv), codec, log, deadLetters: true, database };
  const started: Part[] = [];
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

  async function isWritten(): Promise<boolean> {
    const ranges = await offsetRanges(admin, topic("camera-log"));
    const next = await writtenIn(redis, namespace);
    return ranges.every(
      ({ partition, high }) => Number(next[partition]?.[0] === "null" ? 0 : next[partition]?.[0]) >= high,
    );
  }

  return {
    api,

    async send(...events: readonly CameraLogEvent[]): Promise<void> {
      const messages = events.map((message) => ({
        key: sourceOf(message),
        value: codec.encode(message.type, message.event),
      }));
      await producer.send({ topic: topic("camera-log"), messages });
    },

    /** The answers at one moment of the log: nothing was written between the first and the last of them. */
    async recordMoment(paths: readonly string[]): Promise<RecordedAnswer[]> {
      let recorded: RecordedAnswer[] = [];
      await until(async () => {
        const before = JSON.stringify(await writtenIn(redis, namespace));
        // A message that is recorded later must have another time.
        await delay(2);
        const at = Date.now() - 1;
        const answers = await Promise.all(paths.map((path) => api.ask("GET", path)));
        recorded = answers.map(({ status, body }, i) => ({ path: paths[i] ?? "", at, status, body }));
        return (await isWritten()) && before === JSON.stringify(await writtenIn(redis, namespace));
      });
      return recorded;
    },

    /** Repeats the request until the history has the moment. */
    async askAt(path: string, at: number): Promise<Answer> {
      let answer: Answer | undefined;
      await until(async () => {
        answer = await api.ask("GET", `${path}?at=${new Date(at).toISOString()}`);
        return answer.status !== 503;
      });
      if (answer === undefined) throw new Error("no answer");
      return answer;
    },

    async stop(): Promise<void> {
      for (const part of started) await part.stop();
      await api.stop();
    },
  };
}

/** Offsets up to which live state is written, with the number of saves, by partition. */
async function writtenIn(redis: RedisPart, namespace: string): Promise<string[][]> {
  const keys = Array.from({ length: PARTITIONS }, (_, i) => partitionKeys(namespace, i).position);
  const read = await Promise.all(keys.map((key) => redis.client.hmget(key, "next", "saves")));
  return read.map((fields) => fields.map(String));
}

const sourceOf = ({ event }: CameraLogEvent): string => {
  if ("zone" in event) return event.zone.dataSourceId;
  return "dataSourceId" in event ? event.dataSourceId : "";
};

/** Without the members that a past answer has in another form: the time of storage, and the moment. */
export const shown = ({ status, body }: Pick<RecordedAnswer, "status" | "body">) => {
  if (status !== 200) return { status };
  const { applied_at: _stored, as_of: _asked, ...state } = body;
  return { status, state };
};
