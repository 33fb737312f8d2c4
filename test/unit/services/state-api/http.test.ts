// Clients on real sockets, which behave as no client library does.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { letEverybodyIn } from "../../../../projections/catalog/tokens.ts";
import { createLog } from "../../../../services/common/log.ts";
import { createReadiness } from "../../../../services/common/readiness.ts";
import { healthRoutes } from "../../../../services/state-api/http/health.ts";
import { route } from "../../../../services/state-api/http/route.ts";
import { createStateServer } from "../../../../services/state-api/http/server.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** `/api/slow` answers when `answer` is called; `asked` resolves when it was asked. */
async function serve(maxRequests = 2) {
  const readiness = createReadiness(0);
  const asked = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  const answers = { 200: { description: "" } };
  const server = createStateServer({
    ...{ host: "127.0.0.1", port: 0, bodyLimitBytes: 1_000, maxRequests },
    ...{ authenticate: letEverybodyIn, log: createLog("test", "silent") },
    routes: [
      ...healthRoutes(readiness.isReady),
      route({
        ...{ method: "GET", path: "/api/slow", summary: "", scope: "read", answers },
        handle: async () => {
          asked.resolve();
          await slow.promise;
          return { status: 200, body: { done: true } };
        },
      }),
    ],
  });
  await server.start();
  closing.push(async () => {
    slow.resolve();
    await server.stop();
  });
  return { server, url: server.url(), readiness, asked: asked.promise, answer: slow.resolve };
}

async function send(url: string, text: string): Promise<string> {
  const socket: Socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(text);
  let received = "";
  socket.on("data", (data) => {
    received += data;
  });
  await once(socket, "close");
  return received;
}

test.each([
  ["GET / HTTP/1.1\r\nbad header\r\n\r\n", 400],
  ["\u0016\u0003\u0001 no HTTP at all\r\n\r\n", 400],
  [`GET /health HTTP/1.1\r\nhost: x\r\nx-long: ${"a".repeat(20_000)}\r\n\r\n`, 431],
  ["POST /api/slow HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n", 400],
])("%.30j gets a problem", async (text, status) => {
  const { url } = await serve();

  const received = await send(url, text);

  expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(received.toLowerCase()).toContain("content-type: application/problem+json");
  expect(JSON.parse(received.slice(received.indexOf("\r\n\r\n"))).status).toBe(status);
});

test("an answer to HEAD has the length of the body and no body", async () => {
  const { url } = await serve();

  const received = await send(url, "HEAD /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");

  expect(received).toMatch(/^HTTP\/1.1 200 /);
  expect(received).toMatch(/content-length: 15\r\n/i);
  expect(received.endsWith("\r\n\r\n")).toBe(true);
});

test("beyond the number of requests in progress a caller is asked to come again, probes are answered", async () => {
  const { url, asked, answer } = await serve(1);
  const first = fetch(`${url}/api/slow`);
  await asked;

  const second = await fetch(`${url}/api/slow`);
  const probe = await fetch(`${url}/livez`);

  expect([second.status, second.headers.get("retry-after"), probe.status]).toEqual([503, "1", 200]);
  answer();
  expect((await first).status).toBe(200);
  expect((await fetch(`${url}/api/slow`)).status).toBe(200);
});

test("a caller that is gone leaves its place to others", async () => {
  const { url, asked, answer } = await serve(1);
  const gone = new AbortController();
  const first = fetch(`${url}/api/slow`, { signal: gone.signal }).catch(() => "gone");
  await asked;
  gone.abort();
  await first;
  answer();

  await expect.poll(async () => (await fetch(`${url}/api/slow`)).status).toBe(200);
});

test("the service is ready from its start to its stop, and alive all the time", async () => {
  const { url, readiness } = await serve();
  const statuses = async () =>
    Promise.all(["/livez", "/readyz", "/health"].map(async (path) => (await fetch(`${url}${path}`)).status));

  expect(await statuses()).toEqual([200, 503, 200]);
  await readiness.start();
  expect(await statuses()).toEqual([200, 200, 200]);
  await readiness.stop();
  expect(await statuses()).toEqual([200, 503, 200]);
});

test("a request in progress is answered before the server stops", async () => {
  const { server, url, asked, answer } = await serve();
  const first = fetch(`${url}/api/slow`);
  await asked;

  const stopped = server.stop();
  answer();

  expect(await (await first).json()).toEqual({ done: true });
  await stopped;
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});
