// A whole system in this process, on the shared stores: live signals come to receivers, and replays of them too.
import { randomBytes } from "node:crypto";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { groupName } from "../../../schemas/topics.ts";
import { loadConfig } from "../../../services/common/config.ts";
import type { Part } from "../../../services/common/lifecycle.ts";
import { createRedis, redisDatabase } from "../../../services/common/redis/client.ts";
import { assembleProjector } from "../../../services/projector/assemble.ts";
import { projectorEnv } from "../../../services/projector/config.ts";
import { assembleReplay } from "../../../services/replay/assemble.ts";
import { replayEnv } from "../../../services/replay/config.ts";
import { assembleStateMachine } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { assembleWebhooks } from "../../../services/webhooks/assemble.ts";
import { webhooksEnv } from "../../../services/webhooks/config.ts";
import { startService, until } from "../../support/running/processes.ts";
import { createStateApi } from "../state-api/services.ts";

export type ReplaySystem = Awaited<ReturnType<typeof createReplaySystem>>;

const SETTINGS = {
  CAMERA_PARTITIONS: "2",
  ALLOWED_URL_CIDRS: "127.0.0.0/8",
  TRACK_TTL: "2",
  PROJECTOR_FLUSH_MS: "20",
  WEBHOOKS_MERGE_AFTER_MS: "60000",
  // The services share this process, and the others are not to be waited for.
  REPLAY_LOAD_PERCENT: "100",
  REPLAY_RETRY_FOR_MS: "0",
  REPLAY_STOP_AFTER_FAILURES: "3",
};

/** The caller stops it. */
export async function createReplaySystem(settings: Readonly<Record<string, string>> = {}) {
  const api = await createStateApi({ ...SETTINGS, SECRETS_KEY: randomBytes(32).toString("hex"), ...settings });
  const { installation, ask } = api;
  const { variables, codec, log, namespace, kafka, topic } = installation;
  const history = await installation.openHistory();
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const config = installation.config(replayEnv);
  const redis = createRedis(redisDatabase(config, 4), log);
  await redis.start();
  const started: Part[] = [];

  async function start(parts: readonly Part[]): Promise<readonly Part[]> {
    for (const part of parts) {
      await part.start();
      started.push(part);
    }
    return parts;
  }

  async function stop(parts: readonly Part[]): Promise<void> {
    for (const part of parts.toReversed()) await part.stop();
    for (const part of parts) started.splice(started.indexOf(part), 1);
  }

  await Promise.all([
    start(assembleStateMachine({ config: installation.config(stateMachineEnv), codec, log })),
    start(
      assembleProjector({
        ...{ config: installation.config(projectorEnv), codec, log, deadLetters: true },
        ...{ groupId: groupName(namespace, "projector"), database: variables.CLICKHOUSE_DATABASE },
      }).parts,
    ),
    start(assembleWebhooks({ config: installation.config(webhooksEnv), codec, log })),
  ]);

  return {
    ...api,
    redis: redis.client,
    history,

    /** One more process; resolves with a function that stops it. */
    async startReplay(other: Readonly<Record<string, string>> = {}): Promise<() => Promise<void>> {
      const parts = await start(
        assembleReplay({ config: loadConfig(replayEnv, { ...variables, ...other }), codec, log }),
      );
      return () => stop(parts);
    },

    /** A process of its own, which can be killed. */
    spawnReplay: () => startService("replay", variables),

    async record(...events: readonly CameraLogEvent[]): Promise<void> {
      const messages = events.map((message) => ({
        key: "zone" in message.event ? message.event.zone.dataSourceId : keyOf(message),
        value: codec.encode(message.type, message.event),
      }));
      await producer.send({ topic: topic("camera-log"), messages });
    },

    /** Resolves with the session once it has ended. */
    async ended(id: string) {
      let session: { readonly state: string; readonly [name: string]: unknown } = { state: "" };
      await until(async () => {
        session = (await ask("GET", `/api/replay/${id}`)).body;
        return session.state === "finished" || session.state === "failed";
      });
      return session;
    },

    async close(): Promise<void> {
      for (const part of started.toReversed()) await part.stop();
      await Promise.all([producer.disconnect(), redis.stop()]);
      await api.stop();
    },
  };
}

const keyOf = ({ event }: CameraLogEvent): string => ("dataSourceId" in event ? event.dataSourceId : "");
