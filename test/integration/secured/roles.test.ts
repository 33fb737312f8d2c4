// All roles on stores with TLS, each with the rights that the documents give it, and with nothing denied.
import { rm } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { createScene } from "../../../services/cli/demo/scene/scene.ts";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { readIntersections } from "../../support/clients/history-reader.ts";
import { startReceiver } from "../../support/clients/receivers.ts";
import { askAt } from "../../support/clients/rest-client.ts";
import { createAuthority } from "../../support/running/certificates.ts";
import { prepareSystem } from "../../support/running/launch-system.ts";
import { type ProcessName, startService, until } from "../../support/running/processes.ts";
import { scratchDir } from "../../support/running/scratch-dir.ts";
import { startSecuredKafka } from "../../support/running/secured-kafka.ts";
import { startSecuredRedis } from "../../support/running/secured-redis.ts";
import { useStack } from "../../support/running/stack.ts";
import { createStage, playScene } from "../../support/scenes/play-scene.ts";
import { subscriptionBody } from "../../support/scenes/subscription-body.ts";
import { kafkaRights, redisUsers } from "./production-rights.ts";
import { encrypt } from "./tls-proxy.ts";

const ROLES: readonly ProcessName[] = ["api", "state-api", "state-machine", "projector", "webhooks", "replay"];
const SCENE = { seed: 3, cameras: 1, walkersPerCamera: 3, seconds: 10, fps: 2, start: Date.parse("2026-01-01") };
const log = createLog("test", "silent");

test("a scene reaches history and a webhook over encrypted stores, and no store denies a role anything", async () => {
  const { kafka, redis, system, rest } = await start();
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const body = subscriptionBody(system.headers, { webhook_url: receiver.url });
  expect((await rest("POST", "/api/subscriptions/tracks", body)).status).toBe(201);

  const stage = await createStage(system.client, createScene(SCENE));
  const minPosition = await playScene(system.client, stage);

  const dataSourceIds = stage.map(({ dataSourceId }) => dataSourceId);
  const stays = () => readIntersections(system.client, { dataSourceIds, minPosition, pageSize: 100 });
  await until(async () => (await stays()).length > 0 && receiver.delivered().length > 0);
  const past = new Date().toISOString();
  const [zoneId = ""] = stage[0]?.zoneIds.values() ?? [];
  await until(async () => (await rest("GET", `/api/zones/${zoneId}?at=${past}`)).status === 200);
  const { data } = await system.client.ask<{ data: unknown }>(`{ data: zones(asOf: "${past}") { totalCount } }`);
  expect(data).toEqual({ totalCount: stage[0]?.zoneIds.size });
  const range = { data_source_ids: dataSourceIds, from: "2026-01-01T00:00:00Z", to: past };
  expect((await rest("POST", "/api/replay/looked-at", { range, mode: "auto", speed: "max" })).status).toBe(201);
  await until(async () => (await rest("GET", "/api/replay/looked-at/signals")).body.signals.length > 0);
  await until(async () => (await rest("GET", "/api/replay")).body.sessions[0].state === "finished");
  expect((await rest("DELETE", "/api/replay/looked-at")).status).toBe(204);
  expect(await kafka.denied()).toEqual([]);
  expect(await redis.client.call("ACL", ["LOG"])).toEqual([]);
});

async function start() {
  const dir = await scratchDir("tracklog-secured-");
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const authority = await createAuthority(dir);
  const { users, acls } = kafkaRights();
  const [kafka, redis] = await Promise.all([
    startSecuredKafka(dir, authority, users),
    startSecuredRedis(dir, authority, redisUsers()),
  ]);
  onTestFinished(async () => void (await Promise.all([kafka.stop(), redis.stop()])));
  await kafka.grant(acls);
  const { env, uniqueName } = useStack();
  const client = await authority.issue("clickhouse-client");
  const stores = {
    ...env,
    ...kafka.envOf("tracklog-commands"),
    CLICKHOUSE_URL: await encrypt(env.CLICKHOUSE_URL, authority, true),
    CLICKHOUSE_CA_FILE: authority.caFile,
    CLICKHOUSE_CERT_FILE: client.certFile,
    CLICKHOUSE_KEY_FILE: client.keyFile,
    SCHEMA_REGISTRY_URL: await encrypt(env.SCHEMA_REGISTRY_URL, authority, false),
    SCHEMA_REGISTRY_CA_FILE: authority.caFile,
  };
  const restPort = await freePort();
  const settings = {
    CLICKHOUSE_DATABASE: uniqueName("secured"),
    CAMERA_PARTITIONS: "2",
    TRACK_TTL: "1",
    API_QUEUE_MS: "10000",
    ALLOWED_URL_CIDRS: "127.0.0.0/8",
    STATE_API_HOST: "127.0.0.1",
    STATE_API_PORT: String(restPort),
  };
  const system = await prepareSystem(stores, "", settings);
  const started = await Promise.all(
    ROLES.map((role) => {
      const user = `tracklog-${role}`;
      return startService(role, { ...system.env, ...kafka.envOf(user), ...redis.envOf(user) });
    }),
  );
  onTestFinished(async () => void (await Promise.all(started.map((service) => service.stop()))));
  const operator = createRedis(loadConfig(redisEnv, redis.envOf("admin")), log);
  await operator.start();
  onTestFinished(operator.stop);
  const headers = { "x-token-id": system.token.id, "x-token-value": system.token.value };
  const rest = askAt(`http://127.0.0.1:${restPort}`, headers);
  return { kafka, redis: operator, system: { ...system, headers }, rest };
}
