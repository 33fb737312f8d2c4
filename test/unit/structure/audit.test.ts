// .ci/audit against a registry that answers: the one at hand may have no word on known holes.
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../structure/repository.ts";

type Advisories = Readonly<Record<string, readonly object[]>>;

/** Asked in the protocol of `npm audit`: names and versions are posted, advisories by name are the answer. */
async function startRegistry(advisories: Advisories | undefined) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.url !== "/-/npm/v1/security/advisories/bulk" || advisories === undefined) {
      response.writeHead(404).end("{}");
      return;
    }
    const body = request.headers["content-encoding"] === "gzip" ? request.pipe(createGunzip()) : request;
    text(body).then((json) => {
      asked.push(...Object.keys(JSON.parse(json)));
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(advisories));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

async function audit(registry: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, npm_config_registry: registry, npm_config_fetch_retries: "0" };
    const child = execFile(`${ROOT}.ci/audit`, { cwd: ROOT, env }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
    });
  });
}

test("a hole in a package that production uses fails the run and is named", async () => {
  const hole = { id: 1, url: "https://example.com/1", title: "a hole", severity: "high", vulnerable_versions: "*" };
  const registry = await startRegistry({ kafkajs: [hole] });

  const { code, output } = await audit(registry.url);

  expect(output).toContain("high: kafkajs");
  expect(code).toBe(1);
  // Only production counts: the tests' tools are not installed where it runs.
  expect(registry.asked).toContain("fastify");
  expect(registry.asked).not.toContain("vitest");
});

test("without a known hole the run goes on and says how many packages were compared", async () => {
  const registry = await startRegistry({});

  const { code, output } = await audit(registry.url);

  expect(output).toMatch(/audited [1-9]\d* packages: 0 with known holes/);
  expect(code).toBe(0);
});

test("a registry that cannot tell is named loudly", async () => {
  const registry = await startRegistry(undefined);

  const { code, output } = await audit(registry.url);

  expect(output).toContain("NOT AUDITED");
  expect(code).toBe(0);
});
