// The requests that the intake sees: over real sockets, because an address has spellings that no client library sends.
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createHttpServer } from "../../../../services/api/http/http-server.ts";
import { createTestApi } from "./support.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

async function statusOf(port: number, head: string): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  let answer = "";
  socket.on("data", (data) => {
    answer += data;
  });
  await once(socket, "close");
  return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]);
}

const GRAPHQL = ["/graphql", "http://x/graphql", "/%67raphql", "/graphql?a=b", "/graph%71l", "https://x/%67raphql"];

test.each(GRAPHQL)("the router takes %s for /graphql", async (url) => {
  const { app } = await createTestApi();
  await app.listen({ host: "127.0.0.1", port: 0 });
  closing.push(() => app.close());

  expect(await statusOf(Number(new URL(app.listeningOrigin).port), `GET ${url} HTTP/1.1`)).toBe(401);
});

/** A server behind an intake that has no room. */
async function full(): Promise<number> {
  const intake = { offer: () => false, grown: () => false, received: () => undefined };
  const server = createHttpServer((_request, response) => response.end(), intake).listen(0, "127.0.0.1");
  closing.push(async () => server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

test.each([...GRAPHQL, "/graphiql", "/health/", "/HEALTH", "//health", "/any"])(
  "%s passes through the intake",
  async (url) => {
    expect(await statusOf(await full(), `GET ${url} HTTP/1.1`)).toBe(503);
    expect(await statusOf(await full(), `POST ${url} HTTP/1.1\r\nContent-Length: 0`)).toBe(503);
  },
);

test("health and readiness are answered while there is no room, but take no body", async () => {
  const port = await full();

  expect(await statusOf(port, "GET /health HTTP/1.1")).toBe(200);
  expect(await statusOf(port, "GET /readyz HTTP/1.1")).toBe(200);
  expect(await statusOf(port, "POST /readyz HTTP/1.1\r\nContent-Length: 0")).toBe(503);
  expect(await statusOf(port, "GET /health HTTP/1.1\r\nContent-Length: 0")).toBe(503);
});

test("bodies that come without a length are refused when together they are too large", async () => {
  const { app, admin } = await createTestApi({ env: { API_INTAKE_BYTES: "600000" } });
  await app.listen({ host: "127.0.0.1", port: 0 });
  closing.push(() => app.close());
  const port = Number(new URL(app.listeningOrigin).port);
  const begin = `{"query":"{ __typename }","x":"${"x".repeat(700_000)}`;
  const token = Object.entries(admin).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${token.join("")}`;
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const upload = () => {
    const socket = connect(port, "127.0.0.1");
    closing.push(async () => socket.destroy());
    socket.on("error", () => undefined);
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk(begin)}`);
    return socket;
  };

  // The room of all others, and the one for a large body.
  const held = [upload(), upload()];
  const [answer] = await Promise.race([...held, upload()].map((socket) => once(socket, "data")));

  for (const part of ["HTTP/1.1 503 ", "retry-after: 1", "UNAVAILABLE"]) expect(String(answer)).toContain(part);
});

test("a body that comes without a length is answered like any other", async () => {
  const { app, admin } = await createTestApi();
  const host = await app.listen({ host: "127.0.0.1", port: 0 });
  closing.push(() => app.close());
  const body = new Blob([JSON.stringify({ query: "{ __typename }", variables: {} })]).stream();

  const response = await fetch(`${host}/graphql`, {
    method: "POST",
    headers: { ...admin, "content-type": "application/json" },
    body,
    duplex: "half",
  });

  expect(await response.json()).toEqual({ data: { __typename: "Query" } });
});

test("a client whose body is too large reads the answer, and may go on while it still writes", async () => {
  const { app, admin } = await createTestApi();
  await app.listen({ host: "127.0.0.1", port: 0 });
  closing.push(() => app.close());
  const token = Object.entries(admin).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${token.join("")}`;
  const [first, rest] = [1_000, 9_000_000];
  const socket = connect(Number(new URL(app.listeningOrigin).port), "127.0.0.1");
  closing.push(async () => socket.destroy());
  socket.write(`${head}Content-Length: ${first + rest}\r\n\r\n${"x".repeat(first)}`);
  const [refusal] = await once(socket, "data");

  const next = JSON.stringify({ query: "{ __typename }" });
  socket.write(`${"x".repeat(rest)}${head}Content-Length: ${next.length}\r\n\r\n${next}`);
  const [answer] = await once(socket, "data");

  expect(String(refusal)).toContain("HTTP/1.1 413 ");
  expect(String(answer)).toContain('{"data":{"__typename":"Query"}}');
});
