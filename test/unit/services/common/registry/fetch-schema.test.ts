import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig, registryEnv } from "../../../../../services/common/config.ts";
import { createFetchSchema } from "../../../../../services/common/registry/fetch-schema.ts";
import { RegistryUnavailable } from "../../../../../services/common/registry/registry-unavailable.ts";

/** Asks at an address where something answers so, such as a proxy before the registry. */
async function askWhere(status: number, text: string) {
  const server = createServer((_, response) => response.writeHead(status).end(text)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return createFetchSchema(loadConfig(registryEnv, { SCHEMA_REGISTRY_URL: `http://127.0.0.1:${port}` }))(7);
}

const refused = (error_code: unknown) => JSON.stringify({ error_code, message: "m" });

test.each([
  [404, "<html>404 Not Found</html>"],
  [404, ""],
  [404, "null"],
  [404, refused(0)],
  [404, refused(404)],
  [400, refused(40403)],
  [400, "<html>Bad Request</html>"],
  [405, refused(405)],
  [304, ""],
  [302, "elsewhere"],
  [200, "<html>Log in</html>"],
  [500, refused(50001)],
  [429, ""],
  [401, refused(401)],
])("an answer %s %s is none of the registry, or none about the schema: it counts as away", async (status, text) => {
  await expect(askWhere(status, text)).rejects.toThrow(RegistryUnavailable);
});

test("only the registry's own word that it has no such schema counts as that", async () => {
  expect(await askWhere(404, refused(40403))).toBeUndefined();
  expect(await askWhere(200, JSON.stringify({ schema: "{}" }))).toEqual({ ok: true, schema: "{}" });
});
