import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { logOptions } from "../../../services/common/log.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { type Authority, createAuthority } from "../../support/running/certificates.ts";
import { until } from "../../support/running/processes.ts";
import { type SecuredRedis, startSecuredRedis } from "../../support/running/secured-redis.ts";
import { redisUsers } from "./production-rights.ts";

const USER = "tracklog-webhooks";

let dir: string;
let authority: Authority;
let redis: SecuredRedis;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "tracklog-redis-"));
  authority = await createAuthority(dir);
  redis = await startSecuredRedis(dir, authority, redisUsers());
});

afterAll(async () => {
  await redis?.stop();
  await rm(dir, { recursive: true, force: true });
});

function connect(changed: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const log = pino(logOptions("test", "warn"), { write: (line) => lines.push(line) });
  const { client, start, stop } = createRedis(loadConfig(redisEnv, { ...redis.envOf(USER), ...changed }), log);
  onTestFinished(stop);
  return { client, start, logged: () => lines.join("") };
}

test("a user reaches the keys of its role, and no others", async () => {
  const { client, start } = connect();
  await start();

  expect(await client.set("wh:key", "value")).toBe("OK");
  await expect(client.get("sm:key")).rejects.toThrow("NOPERM");
  await expect(client.flushall()).rejects.toThrow("NOPERM");
});

test("a wrong password, an authority of somebody else and a missing certificate are refused, and the log says why without the password", async () => {
  const foreign = await createAuthority(dir, "foreign");
  const { REDIS_URL = "" } = redis.envOf(USER);
  const refused = [
    [{ REDIS_URL: REDIS_URL.replace(/:[^:@]+@/, ":guessed@") }, "WRONGPASS"],
    [{ REDIS_CA_FILE: foreign.caFile }, "self-signed certificate in certificate chain"],
    [{ REDIS_CERT_FILE: "", REDIS_KEY_FILE: "" }, "certificate required"],
  ] as const;

  for (const [changed, reason] of refused) {
    const { start, logged } = connect(changed);
    start().catch(() => undefined);
    await expect.poll(logged).toContain(reason);
    expect(logged()).not.toContain("guessed");
  }
});

test("a certificate that is replaced on disk is that of the next connection", async () => {
  const foreign = await createAuthority(dir, "foreign");
  const { certFile, keyFile } = await foreign.issue("replaced");
  const { client, start, logged } = connect({ REDIS_CERT_FILE: certFile, REDIS_KEY_FILE: keyFile });
  start().catch(() => undefined);
  await until(() => logged().includes("redis connection"));

  await authority.issue("replaced");

  await until(() => client.set("wh:replaced", "yes"));
});
