// Two instances as processes, killed at any moment while callers ask them, and a Redis that loses its states meanwhile.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { eventStateKeys } from "../../schemas/redis-keys.ts";
import { createTokenStore } from "../../services/cli/tokens/store.ts";
import { loadConfig, redisEnv } from "../../services/common/config.ts";
import { createRedis, type RedisPart, redisDatabase } from "../../services/common/redis/client.ts";
import { freePort } from "../../services/embedded/tools/free-port.ts";
import { provideInstallation } from "../support/running/installation.ts";
import { type ServiceProcess, startService, until } from "../support/running/processes.ts";
import { createRandom } from "../unit/projections/live/random-log.ts";
import { extent } from "./extent.ts";
import { ownStore } from "./own-store.ts";
import { killStore } from "./strike.ts";

const LEASE_MS = 1_000;
const SCOPES = Array.from({ length: 20 }, (_, i) => `z${i}`);

let installation: Awaited<ReturnType<typeof provideInstallation>>;
let redis: RedisPart;
let token: Readonly<Record<string, string>>;
const running = new Map<number, ServiceProcess>();

beforeAll(async () => {
  installation = await provideInstallation("crash", { CAMERA_PARTITIONS: "1", LOG_LEVEL: "warn" });
  const { kafka, codec, namespace, log, variables } = installation;
  const tokens = createTokenStore({ kafka, codec, namespace, log, now: Date.now });
  const { id, value } = await tokens.create("test", ["read", "write"]);
  token = { "x-token-id": id, "x-token-value": value };
  redis = createRedis(redisDatabase(loadConfig(redisEnv, variables), 1), log);
  await redis.start();
});
afterAll(async () => {
  await Promise.all([...running.values()].map((each) => each.stop()));
  await redis.stop();
  await installation.remove();
});

async function start(port: number, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const settings = { STATE_API_HOST: "127.0.0.1", STATE_API_PORT: String(port) };
  const lease = { STATE_API_EVENT_LEASE_MS: String(LEASE_MS) };
  running.set(port, await startService("state-api", { ...installation.variables, ...settings, ...lease, ...more }));
}

async function loseStates(): Promise<void> {
  const { marker } = eventStateKeys(installation.namespace);
  const names = await redis.client.keys(`${marker.slice(0, marker.lastIndexOf(":"))}:*`);
  await redis.client.del(...names);
}

const json = z.record(z.string(), z.unknown());

/** Repeats until an instance answers. */
async function ask(ports: readonly number[], method: string, scope: string, content?: object) {
  const answer = await until(async () => {
    for (const port of ports) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/events/${scope}`, {
        method,
        headers: { "content-type": "application/json", ...token },
        body: content === undefined ? null : JSON.stringify(content),
      }).catch(() => undefined);
      const body = json.safeParse(await answer?.json().catch(() => undefined)).data;
      if (answer !== undefined && body !== undefined && answer.status !== 503) return { status: answer.status, body };
    }
    return undefined;
  });
  if (answer === undefined) throw new Error("no answer");
  return answer;
}

const check = (met: boolean) => ({
  ...{ scope_type: "zone", workflow_id: "wf", workflow_name: "Gate watch", conditions_met: met, cooldown_hours: 1 },
});

test("instances that are killed and a Redis that is flushed leave one event alive for each scope", async () => {
  const ports = [await freePort(), await freePort()];
  await Promise.all(ports.map((port) => start(port)));
  const random = createRandom(3);
  let struck = false;
  /** When callers were told to create the event of a scope, by Redis' clock. */
  const reported = new Map<string, number[]>();
  const accepted = new Map<string, string>();

  async function call(caller: string, scope: string): Promise<void> {
    const mine = random() < 0.5 ? ports : ports.toReversed();
    const { body } = await ask(mine, "POST", scope, check(true));
    if (body["action"] !== "create_event") return;
    reported.set(scope, [...(reported.get(scope) ?? []), Date.parse(String(body["created_at"]))]);
    // Some callers die as well: then another one is told when the lease is over.
    if (random() < 0.3) return;
    const answer = await ask(mine, "PATCH", scope, { workflow_id: "wf", global_event_id: `${caller} ${scope}` });
    if (answer.status === 200) accepted.set(scope, `${caller} ${scope}`);
  }
  const callers = Array.from({ length: 8 }, async (_, i) => {
    while (!struck || accepted.size < SCOPES.length) {
      await call(`caller ${i}`, SCOPES[Math.floor(random() * SCOPES.length)] ?? "");
    }
  });
  for (let kill = 0; kill < extent.kills; kill++) {
    const port = ports[kill % 2] ?? 0;
    await new Promise((resolve) => setTimeout(resolve, random() * 300));
    await running.get(port)?.kill();
    if (kill === 1) await loseStates();
    await start(port);
  }
  struck = true;
  await Promise.all(callers);

  for (const times of reported.values()) {
    const pauses = times.sort((a, b) => a - b).map((at, i) => at - (times[i - 1] ?? 0));
    expect(pauses.filter((pause) => pause < LEASE_MS)).toEqual([]);
  }
  for (const scope of SCOPES) {
    expect((await ask(ports, "GET", scope)).body).toMatchObject({
      state: "active",
      global_event_id: accepted.get(scope),
    });
  }
  const closers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => ask([ports[i % 2] ?? 0], "POST", "z0", check(false))),
  );
  expect(closers.filter(({ body }) => body["action"] === "close_event")).toHaveLength(1);
  await ask(ports, "PATCH", "z0", { state: "closed" });

  await loseStates();
  await Promise.all(ports.map((port) => running.get(port)?.kill()));
  await Promise.all(ports.map((port) => start(port)));
  expect((await ask(ports, "POST", "z0", check(true))).body).toMatchObject({ action: "no_action", state: "closed" });
  expect((await ask(ports, "POST", "z1", check(true))).body["action"]).toBe("update_event");
});

test("a Redis that comes back without its newest states gets them from the log before anything is answered", async () => {
  const stores = await ownStore("redis");
  const own = createRedis(redisDatabase(loadConfig(redisEnv, stores.env), 1), installation.log);
  const port = await freePort();
  try {
    await own.start();
    await start(port, { ...stores.env, STATE_API_EVENT_LEASE_MS: "60000" });
    expect((await ask([port], "POST", "lost", check(true))).body["action"]).toBe("create_event");
    const event = eventStateKeys(installation.namespace).event('["lost","wf"]');
    const pending = await own.client.dumpBuffer(event);
    await ask([port], "PATCH", "lost", { global_event_id: "e" });

    await own.client.restore(event, 0, pending ?? "", "REPLACE");
    await killStore(stores, "redis");

    expect((await ask([port], "POST", "lost", check(true))).body).toMatchObject({
      action: "update_event",
      global_event_id: "e",
    });
  } finally {
    await running.get(port)?.stop();
    await own.stop();
  }
});
