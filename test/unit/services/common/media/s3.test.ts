import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createS3Store } from "../../../../../services/common/media/s3.ts";

test("what a bucket without the right to list refuses is not there, and can be put", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split("?")[0]}`);
    response.statusCode = request.method === "PUT" ? 200 : 403;
    request.resume().on("end", () => {
      response.end(request.method === "GET" ? "<Error><Code>AccessDenied</Code></Error>" : "");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const store = createS3Store({
    ...{ bucket: "media", prefix: "tracklog/", region: "us-east-1", lifeTimeS: 60 },
    ...{ endpoint: `http://127.0.0.1:${port}`, publicEndpoint: "" },
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
  onTestFinished(() => {
    store.close();
    server.close();
  });

  expect(await store.flaw()).toBeUndefined();
  expect(await store.exists("a.png")).toBe(false);
  await store.put("a.png", Buffer.from("x"));

  expect(asked.slice(1)).toEqual(["HEAD /media/tracklog/a.png", "PUT /media/tracklog/a.png"]);
});
