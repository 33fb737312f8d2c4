// npm run test:image: builds the image, starts every role from it on embedded stores, sends the demo's recording
// through, and checks the answer of the API. Prints sizes, and the start time and memory of each role. Needs root,
// buildah and debootstrap.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { messageOf } from "../../schemas/errors.ts";
import { createScene } from "../../services/cli/demo/scene/scene.ts";
import { freePort } from "../../services/embedded/tools/free-port.ts";
import { startBenchStack } from "../bench/stack.ts";
import { roles } from "../deploy/processes.ts";
import { createGraphQLClient } from "../support/clients/graphql-client.ts";
import { until } from "../support/running/processes.ts";
import { buildImage, type Image, requireTools } from "./builder.ts";
import { type Containers, createContainers, type RunningRole } from "./container.ts";

const MB = 1e6;
const DEMO = { cameras: 2, walkersPerCamera: 6, seconds: 60, fps: 5 };
const token = z.object({ id: z.string(), value: z.string() });

const mb = (bytes: number): string => `${(bytes / MB).toFixed(0)} MB`;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  await requireTools();
  const image = await buildImage(print);
  try {
    await testImage(image);
  } finally {
    await image.remove();
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
process.exit();

async function testImage(image: Image): Promise<void> {
  assert.equal(image.user, "10001:10001");
  const stack = await startBenchStack();
  const [apiPort, restPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${apiPort}/graphql`;
  const containers = await createContainers(image, {
    ...stack.env,
    // The stores may be those of the environment, with other data in them.
    TRACKLOG_NAMESPACE: `image_${Date.now()}`,
    SECRETS_KEY: randomBytes(32).toString("base64"),
    API_PORT: String(apiPort),
    STATE_API_PORT: String(restPort),
    STATE_API_GRAPHQL_URL: url,
    WEBHOOKS_GRAPHQL_URL: url,
  });
  const running: RunningRole[] = [];
  try {
    await checkFileSystem(containers);
    await containers.run(["services/cli/provision/main.ts"]);
    await containers.run(["services/projector/migrate.ts"]);
    for (const name of Object.keys(roles)) {
      const OPS_PORT = String(await freePort());
      running.push(await containers.start(name, { OPS_HOST: "127.0.0.1", OPS_PORT }));
      await checkHealth(image, containers, OPS_PORT);
    }
    const { sent, answered } = await sendRecording(containers, url);
    print(`sent ${sent} detections, the API answers with ${answered}`);
    print(`image ${mb(image.bytes)}, of it base ${mb(image.baseBytes)}; built in ${image.buildSeconds.toFixed(0)} s`);
    await stopAll(running);
  } finally {
    await Promise.all(running.map((role) => role.stop()));
    await stack.stop();
  }
}

/** Only /tmp can be written, and neither tests nor embedded stores are there. */
async function checkFileSystem(containers: Containers): Promise<void> {
  const script = `
    const { existsSync, writeFileSync } = require("node:fs");
    writeFileSync("/tmp/x", "");
    for (const dir of ["/app", "/etc", "/var/lib/tracklog/secrets"]) {
      try { writeFileSync(dir + "/x", ""); console.log(dir + " can be written"); } catch {}
    }
    for (const path of ["test", "services/embedded", "node_modules/chdb", "node_modules/vitest", ".env"]) {
      if (existsSync(path)) console.log(path + " is in the image");
    }`;
  assert.equal(await containers.run(["-e", script]), "");
}

async function checkHealth({ healthcheck, entrypoint }: Image, containers: Containers, opsPort: string): Promise<void> {
  const [kind, ...command] = healthcheck;
  assert.equal(kind, "CMD");
  assert.deepEqual(command.slice(0, entrypoint.length), entrypoint);
  await containers.run(command.slice(entrypoint.length), { OPS_PORT: opsPort });
  await assert.rejects(containers.run(command.slice(entrypoint.length), { OPS_PORT: String(await freePort()) }));
}

/** Resolves when the history has every detection of the recording. */
async function sendRecording(containers: Containers, url: string) {
  const start = Math.floor(Date.now() / 1_000) * 1_000 - 10 * 60_000;
  const scene = createScene({ seed: start / 1_000, start, ...DEMO });
  const sent = scene.cameras.reduce((sum, { detections }) => sum + detections.length, 0);
  const create = ["create", "--name", "image", "--scopes", "read,write", "--json"];
  const credentials = token.parse(JSON.parse(await containers.run(["services/cli/tokens/main.ts", ...create])));
  await containers.run(["services/cli/demo/main.ts"], {
    DEMO_URL: url,
    DEMO_DIR: "/tmp/demo",
    DEMO_START: new Date(start).toISOString(),
    TRACKLOG_TOKEN_ID: credentials.id,
    TRACKLOG_TOKEN_VALUE: credentials.value,
  });
  const { ask } = createGraphQLClient(url, credentials);
  const range = { from: new Date(start).toISOString(), to: new Date(start + 3_600_000).toISOString() };
  const total = async () => {
    const query = `query ($from: DateTimeOffset!, $to: DateTimeOffset!) {
      detectionsSummary(startTime: $from, endTime: $to) { total }
    }`;
    const { detectionsSummary } = await ask<{ detectionsSummary: { total: number } }>(query, range);
    return detectionsSummary.total;
  };
  await until(async () => (await total()) === sent);
  return { sent, answered: await total() };
}

async function stopAll(running: RunningRole[]): Promise<void> {
  print("| role | start, s | peak memory, MiB |");
  print("|---|---|---|");
  for (const role of running.splice(0)) {
    const { code, peakMib } = await role.stop();
    assert.equal(code, 0, `${role.name} stopped with code ${code}`);
    print(`| ${role.name} | ${role.startSeconds.toFixed(1)} | ${peakMib.toFixed(0)} |`);
  }
}
