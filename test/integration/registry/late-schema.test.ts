import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { records } from "../../../schemas/events.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { loadConfig, registryEnv } from "../../../services/common/config.ts";
import { followRecords } from "../../../services/common/kafka/read/follow-records.ts";
import { createLog } from "../../../services/common/log.ts";
import { awaitCodec } from "../../../services/common/registry/await-codec.ts";
import { authorizationOf } from "../../../services/common/registry/client.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { useStack } from "../../support/running/stack.ts";
import { tokenCreated } from "../../support/scenes/catalog.ts";
import { registerSchema, withSchemaId } from "../../support/scenes/schemas.ts";

/** The registry, as one of its instances answers that has this schema only after so many questions. */
async function lateInstance(registryUrl: string, id: number, questions: number): Promise<string> {
  const { host, headers } = authorizationOf(registryUrl);
  const { origin, pathname } = new URL(host);
  let left = questions;
  const server = createServer(async (request, response) => {
    if (request.url?.endsWith(`/schemas/ids/${id}`) && left-- > 0) {
      response.writeHead(404).end(JSON.stringify({ error_code: 40_403, message: "no such schema" }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "GET", url = "/" } = request;
    const body = method === "GET" ? null : Buffer.concat(chunks);
    const type = { "content-type": request.headers["content-type"] ?? "application/json" };
    const answer = await fetch(`${origin}${url}`, { method, body, headers: { ...headers, ...type } });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
}

test("a view has a record of another version of tracklog, though the registry has its schema only later", async () => {
  const registryUrl = useStack().env.SCHEMA_REGISTRY_URL;
  const installation = await provideInstallation("late");
  onTestFinished(installation.remove);
  const { kafka, namespace } = installation;
  const doc = useStack().uniqueName("version");
  const id = await registerSchema(registryUrl, doc, { ...records.TokenChanged, doc });
  const message = recordMessage(installation.codec, namespace, tokenCreated("t"), { source: "test", timeMs: 0 });
  const publisher = await installation.openPublisher();
  await publisher.publish([{ ...message, value: withSchemaId(id, message.value.subarray(5)) }]);
  const waits: string[] = [];
  const codec = await awaitCodec({
    registry: loadConfig(registryEnv, { SCHEMA_REGISTRY_URL: await lateInstance(registryUrl, id, 3) }),
    stopSignal: new Promise(() => {}),
    onWait: ({ err }) => void waits.push(err),
  });
  if (codec === undefined) throw new Error("no codec");
  const seen: string[] = [];

  const view = followRecords({
    kafka,
    codec,
    namespace,
    groupPrefix: `${namespace}.test`,
    topic: "catalog",
    log: createLog("test", "silent"),
    apply({ type }) {
      seen.push(type);
      return undefined;
    },
  });
  await view.start();
  onTestFinished(view.stop);
  await view.caughtUp;

  expect(seen).toEqual(["TokenChanged"]);
  // The first question is repeated at once.
  expect(waits).toHaveLength(2);
  expect(waits[0]).toContain(`does not have the schema ids ${id} of tracklog yet`);
});
