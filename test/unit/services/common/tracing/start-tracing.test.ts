import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../../../../services/common/config.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { pairsIn, tracingEnv } from "../../../../../services/common/tracing/config.ts";
import { startTracing } from "../../../../../services/common/tracing/start-tracing.ts";
import { tracing, useTracing } from "../../../../../services/common/tracing/tracing.ts";
import { ROOT } from "../../../../structure/repository.ts";
import { startCollector } from "../../../../support/clients/collector.ts";

const log = createLog("test", "silent");
const config = (env: NodeJS.ProcessEnv) => loadConfig(tracingEnv, { OTEL_TRACES_EXPORTER: "otlp", ...env });

test("spans are posted below the endpoint, with its headers and the attributes of the process", async () => {
  const collector = await startCollector();
  onTestFinished(collector.close);
  const part = await startTracing(
    "api",
    config({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20abc",
      OTEL_TRACES_SAMPLER_ARG: "1",
    }),
    log,
  );

  tracing?.begin({ name: "a", kind: "server" })?.end();
  await part.stop();

  expect(tracing).toBeUndefined();
  expect(collector.requests).toMatchObject([{ path: "/otlp/v1/traces", headers: { authorization: "Basic abc" } }]);
  expect(collector.spans).toMatchObject([{ name: "a", service: "tracklog-api" }]);
});

test("a collector that never answers does not keep the process from its end", async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    useTracing(undefined);
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const part = await startTracing(
    "api",
    config({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: "1" }),
    log,
  );

  tracing?.begin({ name: "a", kind: "server" })?.end();

  await expect(part.stop()).resolves.toBeUndefined();
});

test("the lines of the log carry the ids of the current span", async () => {
  const script = `
    import { createLog } from "${ROOT}services/common/log.ts";
    const log = createLog("test", "info", () => ({ trace_id: "t", span_id: "s" }));
    log.info({ a: 1 }, "hello");
    log.child({ b: 2 }).info("again");
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);

  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { trace_id: "t", span_id: "s", a: 1, msg: "hello" },
    { trace_id: "t", span_id: "s", b: 2, msg: "again" },
  ]);
});

test("pairs are names and values in URL encoding", () => {
  expect(pairsIn("")).toEqual({});
  expect(pairsIn("a=1, b=x%2Cy=z ,")).toEqual({ a: "1", b: "x,y=z" });
  for (const wrong of ["a", "=1", "a=%zz"]) expect(pairsIn(wrong)).toBeUndefined();
  expect(() => config({ OTEL_EXPORTER_OTLP_HEADERS: "secret" })).toThrow("OTEL_EXPORTER_OTLP_HEADERS wants name=value");
});

test("a share outside 0 to 1 and another exporter are refused", () => {
  expect(() => config({ OTEL_TRACES_SAMPLER_ARG: "5" })).toThrow("OTEL_TRACES_SAMPLER_ARG wants a number from 0 to 1");
  expect(() => config({ OTEL_TRACES_EXPORTER: "zipkin" })).toThrow("OTEL_TRACES_EXPORTER wants otlp or none");
});
