import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../../../../../services/common/log.ts";
import { createHttpApp } from "../../../../../services/common/process/http-app.ts";
import { tracing } from "../../../../../services/common/tracing/tracing.ts";
import { traceAll } from "../tracing/use-tracing.ts";

async function listen() {
  const app = createHttpApp(createLog("test", "silent"), {});
  app.post("/things/:id", async () => ({ causes: tracing?.causes().length }));
  app.get("/fails", async () => {
    throw new Error("secret");
  });
  app.get("/readyz", async () => ({}));
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  return app.listeningOrigin;
}

const post = (body: string) => ({ method: "POST", headers: { "content-type": "application/json" }, body });

test("a request has a span with the name of its route, and its handler runs within it", async () => {
  const { spans } = await traceAll();
  const url = await listen();

  const answer = await fetch(`${url}/things/secret?token=secret`, post(`{"secret":"${"x".repeat(100_000)}"}`));

  expect(await answer.json()).toEqual({ causes: 1 });
  const sent = await spans();
  expect(sent).toMatchObject([{ name: "POST /things/:id", kind: 2 }]);
  expect(JSON.stringify(sent)).not.toContain("secret");
});

test("an answer that is the server's fault fails the span, without its words", async () => {
  const { spans } = await traceAll();

  await (await fetch(`${await listen()}/fails`)).text();

  const sent = await spans();
  expect(sent).toMatchObject([{ name: "GET /fails", status: { code: 2 } }]);
  expect(JSON.stringify(sent)).not.toContain("secret");
});

test("probes, unknown paths and event streams have none", async () => {
  const { spans } = await traceAll();
  const url = await listen();

  for (const path of ["/readyz", "/unknown"]) await (await fetch(url + path)).text();
  await (await fetch(`${url}/fails`, { headers: { accept: "text/event-stream" } })).text();

  expect(await spans()).toEqual([]);
});

test("without tracing a handler runs as ever", async () => {
  const answer = await fetch(`${await listen()}/things/1`, post("{}"));

  expect(await answer.json()).toEqual({});
});
