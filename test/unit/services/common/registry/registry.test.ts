import { once } from "node:events";
import { ClientRequest, createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadConfig, registryEnv } from "../../../../../services/common/config.ts";
import { openRegistry } from "../../../../../services/common/registry/client.ts";
import { createCodec, isRegistryUnavailable } from "../../../../../services/common/registry/codec.ts";

const configAt = (address: string) => loadConfig(registryEnv, { SCHEMA_REGISTRY_URL: `http://${address}` });

test("a registry that takes a request and never answers counts as away", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { setTimeout } = ClientRequest.prototype;
  const bounds: number[] = [];
  vi.spyOn(ClientRequest.prototype, "setTimeout").mockImplementation(function (this: ClientRequest, ms, onTimeout) {
    bounds.push(ms);
    return setTimeout.call(this, 1, onTimeout);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const registry = openRegistry(configAt(`user:password@127.0.0.1:${(server.address() as AddressInfo).port}`));

  expect(await registry.getSchema(1).catch(isRegistryUnavailable)).toBe(true);
  expect(bounds[0]).toBe(30_000);
});

/** Resolves with the error that ends a start where every request is answered so. */
async function failureWhere(status: number, text: string): Promise<unknown> {
  const server = createHttpServer((_, response) => response.writeHead(status).end(text)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return createCodec(configAt(`127.0.0.1:${(server.address() as AddressInfo).port}`)).catch((error: unknown) => error);
}

test.each([
  [404, "<html>404 Not Found</html>"],
  [404, '{"message":"no Route matched with those values"}'],
  [403, "<html>Forbidden</html>"],
  [405, ""],
  [502, "<html>Bad Gateway</html>"],
  [302, ""],
  [200, "<html>Log in</html>"],
  [200, "{}"],
  [204, ""],
])("a start where a proxy answers %s %s for the registry waits for the registry", async (status, text) => {
  const failure = await failureWhere(status, text);

  expect(failure).toBeInstanceOf(Error);
  expect(isRegistryUnavailable(failure)).toBe(true);
});

test.each([
  [401, 401],
  [422, 42201],
])("a start that the registry itself refuses with %s ends", async (status, error_code) => {
  const failure = await failureWhere(status, JSON.stringify({ error_code, message: "no" }));

  expect(failure).toMatchObject({ status });
  expect(isRegistryUnavailable(failure)).toBe(false);
});
