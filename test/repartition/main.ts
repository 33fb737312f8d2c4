// npm run test:repartition [-- --from N --to M --seed S]: grows a namespace under a load, with the command killed
// again and again, and compares the end with that of an undisturbed system. Prints the pause, and ends with code 1 if
// anything was lost or doubled.
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRandom } from "../../services/cli/demo/scene/random.ts";
import { freePort } from "../../services/embedded/tools/free-port.ts";
import { startBenchStack } from "../bench/stack.ts";
import { openInspector } from "../support/clients/final-state-inspector.ts";
import { asking, createGraphQLClient, type GraphQLClient } from "../support/clients/graphql-client.ts";
import { expectUndisturbed } from "../support/oracles/final-state.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { launchSystem, type System } from "../support/running/launch-system.ts";
import { type ServiceProcess, spawnService, startService, until } from "../support/running/processes.ts";
import { startLoad } from "../support/scenes/load.ts";
import { runRepartition } from "./command.ts";
import { compareLogs } from "./compare-logs.ts";
import { expectDeliveredOnce, subscribeReceiver } from "./deliveries.ts";

const { from, to, seed } = parseCommand();
const KILLS = 3;
const SETTLE_MS = 180_000;
const OPTIONS = { seed, pauseMs: 200, cameras: 12, walkersPerCamera: 2, seconds: 120, fps: 5 };

const stack = await startBenchStack();
try {
  const settings = {
    ...(await quickSettings(stack.env)),
    CAMERA_PARTITIONS: String(from),
    API_QUEUE_MS: "10000",
    ALLOWED_URL_CIDRS: "127.0.0.0/8",
  };
  const { system, stop } = await launchSystem(stack.env, `grow_${Date.now()}`, settings);
  const started: ServiceProcess[] = [];
  try {
    const figures = await grow(system, started);
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stdout.write(`${error instanceof Error ? error.stack : error}\n`);
    for (const { name, output } of [...system.started, ...started])
      process.stderr.write(`== ${name}\n${tailOf(output())}\n`);
  } finally {
    await Promise.all([...started.map((service) => service.stop()), stop()]);
  }
} finally {
  await stack.stop();
}
process.exit();

async function grow(system: System, started: ServiceProcess[]) {
  const grown = { ...(await grownEnv(system)) };
  const moving = movingClient(system.client);
  const receiver = await subscribeReceiver(system);
  const load = await startLoad(moving.client, OPTIONS);
  await delay(5_000);
  const database = grown.env.CLICKHOUSE_DATABASE;
  const args = ["--partitions", String(to), "--namespace", grown.namespace, "--database", database];
  await killOften(args, system.env);
  say(`killed ${KILLS} times`);
  const following = runRepartition(args, system.env);
  await following.said("following:");
  started.push(
    ...(await Promise.all([startService("state-machine", grown.env), startService("projector", grown.env)])),
  );
  const api = await spawnService("api", grown.env);
  started.push(api, await spawnService("webhooks", grown.env));
  await until(() => api.output().includes("waiting until the namespace is open"), { timeoutMs: 300_000 });
  say("following");
  await following.kill();
  const changing = runRepartition([...args, "--change-over"], system.env);
  const closed = await changing.said("closed:").then(() => performance.now());
  say("closed");
  const opened = await changing.said("open:");
  say(opened);
  moving.moveTo(createGraphQLClient(`http://127.0.0.1:${grown.env.API_PORT}/graphql`, system.token));
  await api.ready;
  const answeredAfterMs = performance.now() - closed;
  await Promise.all(system.started.map((service) => service.stop()));
  const code = await changing.ended;
  if (code !== 0) throw new Error(`repartition ended with code ${code}:\n${changing.output()}`);
  say("changed over");
  await delay(5_000);
  load.conclude();
  await load.done;
  say("sent");
  const state = await expectUndisturbed({ ...system, ...grown, client: moving.client }, load.stage, TTL_MS, SETTLE_MS);
  const [old, present] = await Promise.all([openInspector(system), openInspector(grown)]);
  const copied = await compareLogs(old, present);
  const signals = await expectDeliveredOnce(receiver, present);
  await receiver.close();
  await Promise.all([old.close(), present.close()]);
  return {
    ...{ from, to, seed, kills: KILLS + 1, messagesOfTheOldCameraLog: copied, signals },
    ...{
      command: opened,
      apiReadyAfterMs: Math.round(answeredAfterMs),
      longestGapMs: Math.round(moving.longestGapMs()),
    },
    ...load.counts(),
    ...state,
  };
}

async function grownEnv({ env, namespace }: System) {
  const grown = `${namespace}-v2`;
  const changed = {
    TRACKLOG_NAMESPACE: grown,
    CLICKHOUSE_DATABASE: grown.replaceAll("-", "_"),
    CAMERA_PARTITIONS: String(to),
    API_PORT: String(await freePort()),
  };
  return { namespace: grown, env: { ...env, ...changed } };
}

function say(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`);
}

/** kill -9 at random moments of the copy. */
async function killOften(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const random = createRandom(seed);
  for (let kill = 0; kill < KILLS; kill++) {
    const command = runRepartition(args, env);
    await delay(random.between(2_000, 10_000));
    await command.kill();
  }
}

/** A client that moves to another API, and notes the longest time without an accepted mutation. */
function movingClient(first: GraphQLClient) {
  let present = first;
  let acceptedAt = performance.now();
  let longestGapMs = 0;
  const send: GraphQLClient["send"] = async (query, variables, headers, timeoutMs) => {
    const answer = await present.send(query, variables, headers, timeoutMs);
    if (answer.errors === undefined) {
      const now = performance.now();
      longestGapMs = Math.max(longestGapMs, now - acceptedAt);
      acceptedAt = now;
    }
    return answer as never;
  };
  return {
    client: asking(send),
    moveTo: (next: GraphQLClient) => {
      present = next;
    },
    longestGapMs: () => longestGapMs,
  };
}

function tailOf(text: string): string {
  return text.split("\n").slice(-25).join("\n");
}

function parseCommand() {
  const number = (fallback: string) => ({ type: "string", default: fallback }) as const;
  const { values } = parseArgs({ options: { from: number("6"), to: number("48"), seed: number("1") } });
  const options = { from: Number(values.from), to: Number(values.to), seed: Number(values.seed) };
  if (Object.values(options).every((value) => value > 0)) return options;
  process.stderr.write("usage: npm run test:repartition [-- --from N --to M --seed S]\n");
  process.exit(2);
}
