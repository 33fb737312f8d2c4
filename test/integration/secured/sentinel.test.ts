import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis, redisDatabase } from "../../../services/common/redis/client.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { type Authority, createAuthority } from "../../support/running/certificates.ts";
import { until } from "../../support/running/processes.ts";
import { encrypted, startRedisServer } from "../../support/running/secured-redis.ts";

const log = createLog("test", "silent");
const PASSWORD = "of-the-servers";
const SENTINEL_PASSWORD = "of-the-sentinel";

test("after the death of the master, a connection through Sentinel writes to the other server, encrypted", async () => {
  const dir = await mkdtemp(join(tmpdir(), "tracklog-sentinel-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const authority = await createAuthority(dir);
  const { certFile, keyFile } = await authority.issue("client");
  const tls = { REDIS_CA_FILE: authority.caFile, REDIS_CERT_FILE: certFile, REDIS_KEY_FILE: keyFile };
  const connect = async (variables: Readonly<Record<string, string>>) => {
    const redis = createRedis(redisDatabase(loadConfig(redisEnv, { ...tls, ...variables }), 0), log);
    onTestFinished(redis.stop);
    await redis.start();
    return redis.client;
  };
  const { master, ports } = await startServers(dir, authority);
  const onMaster = await connect({ REDIS_URL: `rediss://:${PASSWORD}@localhost:${ports.master}` });
  await until(async () => (await onMaster.info("replication")).includes("state=online"));
  const sentinel = await startSentinel(dir, authority, ports.master);
  const client = await connect({
    REDIS_URL: `rediss://:${PASSWORD}@unused`,
    REDIS_SENTINELS: `127.0.0.1:${sentinel}`,
    REDIS_SENTINEL_NAME: "main",
    REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
  });
  const onSentinel = await connect({ REDIS_URL: `rediss://:${SENTINEL_PASSWORD}@localhost:${sentinel}` });
  await until(async () => {
    const replicas = await onSentinel.call("SENTINEL", ["replicas", "main"]);
    return Array.isArray(replicas) && replicas.length > 0;
  });
  expect(await client.set("key", "before")).toBe("OK");
  await until(async () => (await onMaster.wait(1, 100)) === 1);

  await master.halt();

  await until(() => client.set("key", "after"));
  expect(await client.info("server")).toContain(`tcp_port:${ports.replica}`);
});

async function startServers(dir: string, authority: Authority) {
  const certificate = await authority.issue("server");
  const ports = { master: await freePort(), replica: await freePort() };
  const common = [`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`, "repl-diskless-sync-delay 0"];
  const lines = (port: number) => ['save ""', ...encrypted(port, certificate, authority), ...common];
  const master = await startRedisServer(join(dir, "master"), ports.master, lines(ports.master));
  onTestFinished(master.stop);
  const replicaOf = `replicaof 127.0.0.1 ${ports.master}`;
  const replica = await startRedisServer(join(dir, "replica"), ports.replica, [...lines(ports.replica), replicaOf]);
  onTestFinished(replica.stop);
  return { master, ports };
}

/** Resolves with its port. */
async function startSentinel(dir: string, authority: Authority, masterPort: number): Promise<number> {
  const port = await freePort();
  const certificate = await authority.issue("sentinel");
  const monitored = [
    `sentinel monitor main 127.0.0.1 ${masterPort} 1`,
    `sentinel auth-pass main ${PASSWORD}`,
    "sentinel down-after-milliseconds main 500",
    "sentinel failover-timeout main 5000",
  ];
  const lines = [...encrypted(port, certificate, authority), `requirepass ${SENTINEL_PASSWORD}`, ...monitored];
  const sentinel = await startRedisServer(join(dir, "sentinel"), port, lines, ["--sentinel"]);
  onTestFinished(sentinel.stop);
  return port;
}
