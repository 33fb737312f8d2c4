import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type Part, run } from "../../../../../services/common/lifecycle.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { counter, observedGauge } from "../../../../../services/common/metrics/define.ts";
import { createOpsServer } from "../../../../../services/common/process/ops-server.ts";
import { spawnService, until } from "../../../../support/running/processes.ts";

const log = createLog("test", "silent");

async function started() {
  const ops = createOpsServer({ host: "127.0.0.1", port: 0, log });
  await ops.start();
  onTestFinished(() => ops.stop());
  const statusOf = async (path: string, method = "GET") => (await fetch(`${ops.url()}${path}`, { method })).status;
  return { ops, statusOf };
}

const partThat = (acts: Partial<Part>): Part => ({
  name: "part",
  start: async () => undefined,
  stop: async () => undefined,
  ...acts,
});

test("a process is alive at once, ready when all parts have started, and not any more when the first one stops", async () => {
  const { ops, statusOf } = await started();
  const seen: [string, number, number][] = [];
  const observe = (when: string) => async () => {
    seen.push([when, await statusOf("/livez"), await statusOf("/readyz")]);
  };
  const stop = Promise.withResolvers<void>();
  const part = partThat({ start: observe("starting"), stop: observe("stopping") });

  const running = run([part, ops.readiness], stop.promise, log);
  await until(async () => (await statusOf("/readyz")) === 200);
  await observe("running")();
  stop.resolve();
  await running;

  expect(seen).toEqual([
    ["starting", 200, 503],
    ["running", 200, 200],
    ["stopping", 200, 503],
  ]);
});

test("one metric can be asked for by its name", async () => {
  const { ops, statusOf } = await started();
  counter("asked_alone_total", "A metric of this test.").inc(2);
  counter("not_asked_total", "Another metric of this test.").inc(2);
  const textOf = async (name: string) => (await fetch(`${ops.url()}/metrics?name[]=${name}`)).text();

  expect(await textOf("tracklog_asked_alone_total")).toMatch(/^tracklog_asked_alone_total(\{.*\})? 2$/m);
  expect(await textOf("tracklog_asked_alone_total")).not.toContain("not_asked");
  expect(await textOf("tracklog_unknown")).toBe("");
  expect(await textOf("constructor")).toBe("");
  expect(await statusOf("/metrics?name%5B%5D=tracklog_asked_alone_total")).toBe(200);
  expect(await statusOf("/metrics?name[]=a-b")).toBe(404);
});

test("Prometheus reads the metrics of a process while it starts", async () => {
  const { ops, statusOf } = await started();
  counter("seen_probes_total", "A metric of this test.").inc(3);

  const answer = await fetch(`${ops.url()}/metrics`);
  const text = await answer.text();

  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect(text).toContain("tracklog_seen_probes_total 3");
  expect(await statusOf("/metrics", "POST")).toBe(405);
});

test("a gauge that cannot be read costs the answer to Prometheus, and not the process", async () => {
  const { statusOf } = await started();
  const endObserving = observedGauge("unreadable", "A gauge of this test.").observe(() => {
    throw new Error("broken");
  });
  onTestFinished(endObserving);

  expect([await statusOf("/metrics"), await statusOf("/livez")]).toEqual([500, 200]);
  endObserving();
  expect(await statusOf("/metrics")).toBe(200);
});

test("a process whose part fails is not ready while it stops", async () => {
  const { ops, statusOf } = await started();
  const failed = Promise.withResolvers<never>();
  const seen: number[] = [];
  const part = partThat({
    failed: failed.promise,
    stop: async () => {
      seen.push(await statusOf("/readyz"));
    },
  });

  const running = run([part, ops.readiness], new Promise(() => undefined), log);
  failed.reject(new Error("broken"));

  await expect(running).rejects.toThrow("broken");
  expect(seen).toEqual([503]);
});

test.each([
  ["GET", "/", 404],
  ["GET", "/metric", 404],
  ["GET", "/toString", 404],
  ["GET", "/readyz/..", 404],
  ["POST", "/readyz", 405],
  ["HEAD", "/livez", 200],
])("%s %s is answered with %i", async (method, path, status) => {
  const { ops } = await started();
  const { hostname, port } = new URL(ops.url());
  const socket = connect(Number(port), hostname);
  // A raw request: fetch would normalise the path.
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const chunks = await socket.setEncoding("utf8").toArray();

  expect(chunks.join("")).toContain(`HTTP/1.1 ${status} `);
});

test("connections on which nobody asks keep no probe away, and are closed soon", async () => {
  const { ops, statusOf } = await started();
  const { hostname, port } = new URL(ops.url());
  const idle = Array.from({ length: 60 }, () => connect(Number(port), hostname).on("error", () => undefined));
  onTestFinished(() => {
    for (const socket of idle) socket.destroy();
  });
  await Promise.all(idle.map((socket) => once(socket, "connect")));
  const closed = Promise.all(idle.map((socket) => once(socket.resume(), "close")));
  const startedAt = performance.now();

  expect(await statusOf("/livez")).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  await closed;
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("a port that is taken is refused", async () => {
  const { ops } = await started();
  const second = createOpsServer({ host: "127.0.0.1", port: Number(new URL(ops.url()).port), log });

  await expect(second.start()).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("a service that waits for the registry is alive, not ready, and stops when it is told to", async () => {
  const nobody = "127.0.0.1:1";
  const env = { KAFKA_BROKERS: nobody, SCHEMA_REGISTRY_URL: `http://${nobody}`, REDIS_URL: `redis://${nobody}` };
  const service = await spawnService("state-machine", env);
  onTestFinished(() => service.kill());

  await until(async () => (await service.probe("/livez")) === 200);

  expect(await service.probe("/readyz")).toBe(503);
  expect(await service.stop()).toBe(0);
});
