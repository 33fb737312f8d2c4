import { ClientRequest } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { openRegistry } from "../../../services/common/registry/client.ts";
import { isRegistryAway } from "../../../services/common/registry/codec.ts";

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
  const registry = openRegistry(`http://user:password@127.0.0.1:${(server.address() as AddressInfo).port}`);

  expect(await registry.getSchema(1).catch(isRegistryAway)).toBe(true);
  expect(bounds[0]).toBe(30_000);
});
