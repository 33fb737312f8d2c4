import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadConfig } from "../../../../../services/common/config.ts";
import { createOutbound, MAX_HEADER_BYTES, type PostOptions } from "../../../../../services/common/outbound/client.ts";
import { outboundEnv } from "../../../../../services/common/outbound/config.ts";
import { createGuard } from "../../../../../services/common/outbound/guard.ts";
import type { Resolve } from "../../../../../services/common/outbound/resolve.ts";
import { freePort } from "../../../../../services/embedded/tools/free-port.ts";
import { certificate, key } from "./self-signed.ts";

interface Settings {
  readonly domains?: string;
  readonly cidrs?: string;
  readonly resolve?: Resolve;
  readonly allowSelfSigned?: boolean;
}

function client({ domains = "", cidrs = "", resolve, allowSelfSigned = false }: Settings = {}) {
  const lists = loadConfig(outboundEnv, { ALLOWED_URL_DOMAINS: domains, ALLOWED_URL_CIDRS: cidrs });
  const guard = createGuard(lists, "public");
  const outbound = createOutbound({ guard, allowSelfSigned, ...(resolve && { resolve }) });
  onTestFinished(outbound.close);
  return (url: string, more: Partial<PostOptions> = {}) =>
    outbound.post(url, { body: "{}", headers: {}, timeoutMs: 10_000, maxResponseBytes: 1_000, ...more });
}

/** A client that may reach this machine. */
const local = (settings: Settings = {}) => client({ ...settings, cidrs: "127.0.0.0/8" });

async function listen(server: Server | TcpServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const serve = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createServer(listener))}`;

/** Answers each connection with this text, then does `after`. */
const raw = async (text: string, after: (socket: Socket) => void = () => {}): Promise<string> => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(text, () => after(socket)));
  });
  return `http://127.0.0.1:${await listen(server)}`;
};

const resolvesTo =
  (...answers: readonly (readonly string[])[]): Resolve =>
  async () => {
    const [addresses = []] = answers.length > 1 ? (answers as string[][]).splice(0, 1) : answers;
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };

test("posts the body and gives status, headers and body", async () => {
  const url = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    response.writeHead(201, { "x-seen": `${request.method} ${request.url} ${request.headers["x-own"]} ${body}` });
    response.end("done");
  });

  const answer = await local()(`${url}/hook?a=1`, { body: "{}", headers: { "x-own": "yes" } });

  expect(answer).toMatchObject({ status: 201, body: Buffer.from("done"), cut: false });
  expect(answer.headers["x-seen"]).toBe("POST /hook?a=1 yes {}");
});

test("this machine is refused as it is, and no connection is made", async () => {
  let connections = 0;
  const server = createServer((_, response) => response.end()).on("connection", () => connections++);
  const port = await listen(server);
  const names = client({ resolve: resolvesTo(["127.0.0.1"]) });

  for (const url of [`http://127.0.0.1:${port}`, `http://[::ffff:127.0.0.1]:${port}`, `http://localhost:${port}`]) {
    await expect(client()(url)).rejects.toMatchObject({ reason: "refused-address" });
  }
  await expect(names(`http://hook.example:${port}`)).rejects.toMatchObject({ reason: "refused-address" });
  expect(connections).toBe(0);
});

test("a name is refused when one of its addresses is", async () => {
  for (const addresses of [
    ["8.8.8.8", "10.0.0.1"],
    ["127.0.0.1", "8.8.8.8"],
    ["2606:4700::1111", "::1"],
    ["fe80::1%1"],
    [],
  ]) {
    const post = client({ resolve: resolvesTo(addresses) });

    await expect(post("http://hook.example/"), addresses.join()).rejects.toMatchObject({
      reason: "refused-address",
      message: expect.stringContaining("ALLOWED_URL_DOMAINS"),
    });
  }
});

test("the message of a refusal does not have the address that the name resolved to", async () => {
  const post = client({ resolve: resolvesTo(["10.11.12.13"]) });

  await expect(post("http://hook.example/")).rejects.not.toThrow("10.11.12.13");
});

test("a listed name gets through, whatever it resolves to, and keeps its Host", async () => {
  const url = await serve((request, response) => response.end(request.headers.host));
  const port = new URL(url).port;
  const post = client({ domains: "*.internal.example", resolve: resolvesTo(["127.0.0.1"]) });

  const { body } = await post(`http://hook.internal.example:${port}/`);

  expect(body.toString()).toBe(`hook.internal.example:${port}`);
});

test("a connection goes to the checked address: a name is resolved once for it", async () => {
  const url = await serve((_, response) => response.setHeader("connection", "close").end("there"));
  const { port } = new URL(url);
  // A server that rebinds its name answers like this: the first answer passes, the next would not.
  const asked: string[] = [];
  const rebinding = resolvesTo(["127.0.0.1"], ["10.0.0.1"]);
  const post = local({
    resolve: (host) => {
      asked.push(host);
      return rebinding(host);
    },
  });

  expect((await post(`http://hook.example:${port}/`)).body.toString()).toBe("there");
  expect(asked).toEqual(["hook.example"]);
  await expect(post(`http://hook.example:${port}/`)).rejects.toMatchObject({ reason: "refused-address" });
});

test("of several good addresses the next one is taken when the first does not answer", async () => {
  const url = await serve((_, response) => response.end("there"));
  const post = local({ resolve: resolvesTo(["127.0.0.2", "127.0.0.1"]) });

  expect((await post(`http://hook.example:${new URL(url).port}/`)).body.toString()).toBe("there");
});

test("a connection is used again", async () => {
  const sockets = new Set<Socket>();
  const url = await serve((request, response) => {
    sockets.add(request.socket);
    response.end();
  });
  const post = local();

  for (let i = 0; i < 5; i++) await post(url);

  expect(sockets.size).toBe(1);
});

test("an idle connection that the server has closed costs nothing", async () => {
  let requests = 0;
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      requests++;
      // The second request of a connection finds it closed.
      if (requests === 2) socket.resetAndDestroy();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const post = local();

  const statuses = [(await post(url)).status, (await post(url)).status];

  expect([statuses, requests]).toEqual([[200, 200], 3]);
});

test.each([301, 302, 303, 307, 308])(
  "a redirect with %i to this machine is an answer, and not followed",
  async (status) => {
    let paths: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      paths = [...paths, request.url];
      response.writeHead(status, { location: "/private" }).end();
    });

    expect((await local()(`${url}/hook`)).status).toBe(status);
    expect(paths).toEqual(["/hook"]);
  },
);

test("no proxy of the environment is asked", async () => {
  let asked = 0;
  const proxy = await serve((_, response) => {
    asked++;
    response.end("proxy");
  });
  const url = await serve((_, response) => response.end("there"));
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, proxy);
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");

  expect((await local()(url)).body.toString()).toBe("there");
  expect(asked).toBe(0);
});

test("a body is cut at the bound, and the rest is not read", async () => {
  const url = await serve((_, response) => {
    const fill = () => {
      while (response.writable && response.write(Buffer.alloc(65_536, "x")));
    };
    response.on("drain", fill);
    fill();
  });

  const { status, body, cut } = await local()(url, { maxResponseBytes: 1_234 });

  expect([status, body.toString(), cut]).toEqual([200, "x".repeat(1_234), true]);
});

test("a body of exactly the bound is whole", async () => {
  const url = await serve((_, response) => response.end("x".repeat(1_000)));

  expect(await local()(url)).toMatchObject({ cut: false });
});

test("an announced length is not made room for", async () => {
  const url = await raw("HTTP/1.1 200 OK\r\ncontent-length: 9007199254740991\r\n\r\nabcdef");

  expect(await local()(url, { maxResponseBytes: 3 })).toMatchObject({ body: Buffer.from("abc"), cut: true });
});

const bombs: readonly (readonly [string, string])[] = [
  ["one large header", `x: ${"a".repeat(2 * MAX_HEADER_BYTES)}\r\n`],
  ["many headers", "x: y\r\n".repeat(MAX_HEADER_BYTES)],
];
test.each(bombs)("%s: too large", async (_, headers) => {
  const url = await raw(`HTTP/1.1 200 OK\r\n${headers}\r\n`);

  await expect(local()(url)).rejects.toMatchObject({ reason: "too-large" });
});

const dripping = (socket: Socket) => {
  const timer = setInterval(() => socket.write("a"), 20);
  socket.on("close", () => clearInterval(timer));
};
const still = () => {};
const slow: readonly (readonly [string, string, (socket: Socket) => void])[] = [
  ["no answer at all", "", still],
  ["a status line only", "HTTP/1.1 200 OK\r\n", still],
  ["headers that come byte by byte", "HTTP/1.1 200 OK\r\nx: ", dripping],
  ["a body that comes byte by byte", "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n", dripping],
  ["interim answers only", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(10), still],
];
test.each(slow)("%s: a time-out", async (_, text, after) => {
  const url = await raw(text, after);

  await expect(local()(url, { timeoutMs: 200 })).rejects.toMatchObject({ reason: "timeout" });
});

test("a name server that does not answer: a time-out", async () => {
  const post = client({ resolve: () => new Promise(() => {}) });

  await expect(post("http://hook.example", { timeoutMs: 50 })).rejects.toMatchObject({ reason: "timeout" });
});

test("requests to a name that is being resolved wait for the one lookup", async () => {
  let lookups = 0;
  const url = await serve((_, response) => response.end());
  const post = local({
    resolve: async () => {
      lookups++;
      return [{ address: "127.0.0.1", family: 4 }];
    },
  });

  await Promise.all(Array.from({ length: 10 }, () => post(`http://hook.example:${new URL(url).port}`)));

  expect(lookups).toBe(1);
});

test("a request is given up when its signal says so", async () => {
  const giveUp = new AbortController();
  const url = await raw("", () => giveUp.abort());

  await expect(local()(url, { signal: giveUp.signal })).rejects.toMatchObject({ reason: "aborted" });
  await expect(local()(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: "aborted" });
});

test.each(["http", "https"])(
  "%s: nothing is sent by one who may not begin any more when the connection is open",
  async (scheme) => {
    let isOpen = false;
    let bytes = 0;
    const secure = createTlsServer({ key, cert: certificate }).on("secureConnection", accept);
    const port = await listen(scheme === "https" ? secure : createTcpServer(accept));
    function accept(socket: Socket) {
      isOpen = true;
      socket.on("data", (chunk) => (bytes += chunk.length));
    }
    const post = local({ allowSelfSigned: true });
    const wasOpen: boolean[] = [];
    const mayBegin = async () => {
      await vi.waitFor(() => expect(isOpen).toBe(true));
      wasOpen.push(isOpen);
      return false;
    };

    const url = `${scheme}://127.0.0.1:${port}`;

    await expect(post(url, { mayBegin })).rejects.toMatchObject({ reason: "withheld" });
    await expect(post(url, { mayBegin: () => Promise.reject(new Error()) })).rejects.toMatchObject({
      reason: "withheld",
    });
    expect([wasOpen, bytes]).toEqual([[true], 0]);
  },
);

test("each request asks whether it may begin, also on a connection that is used again", async () => {
  const url = await serve((_, response) => response.end());
  const post = local();
  let asked = 0;
  const mayBegin = async () => {
    asked++;
    return asked < 3;
  };

  const statuses = [(await post(url, { mayBegin })).status, (await post(url, { mayBegin })).status];

  expect(statuses).toEqual([200, 200]);
  await expect(post(url, { mayBegin })).rejects.toMatchObject({ reason: "withheld" });
});

const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n";

test("what is no HTTP: protocol; a closed port or socket: connection; a name without address: unknown-name", async () => {
  const closed = await listen(createTcpServer((socket) => socket.resetAndDestroy()));
  const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND hook.example"), { code: "ENOTFOUND" });
  const nameless = client({ resolve: () => Promise.reject(unknown) });

  await expect(local()(await raw("SSH-2.0-OpenSSH_9.6\r\n"))).rejects.toMatchObject({ reason: "protocol" });
  await expect(local()(await raw(SWITCHING))).rejects.toMatchObject({ reason: "protocol" });
  await expect(local()(`http://127.0.0.1:${closed}`)).rejects.toMatchObject({ reason: "connection" });
  await expect(local()(`http://127.0.0.1:${await freePort()}`)).rejects.toMatchObject({
    reason: "connection",
    message: "the connection failed (ECONNREFUSED)",
  });
  await expect(nameless("http://hook.example")).rejects.toMatchObject({ reason: "unknown-name" });
});

test("a self-signed certificate is refused, unless the setting lets it through", async () => {
  const port = await listen(createTlsServer({ key, cert: certificate }, (_, response) => response.end("there")));
  const settings = { domains: "hook.example", resolve: resolvesTo(["127.0.0.1"]) };

  for (const host of ["127.0.0.1", "hook.example"]) {
    await expect(local(settings)(`https://${host}:${port}`)).rejects.toMatchObject({ reason: "tls" });
    const { body } = await local({ ...settings, allowSelfSigned: true })(`https://${host}:${port}`);
    expect(body.toString()).toBe("there");
  }
});

test("a certificate must be that of the name in the address", async () => {
  const before = getCACertificates("default");
  onTestFinished(() => setDefaultCACertificates(before));
  setDefaultCACertificates([certificate]);
  const port = await listen(createTlsServer({ key, cert: certificate }, (_, response) => response.end("there")));
  const post = local({ resolve: resolvesTo(["127.0.0.1"]) });

  expect((await post(`https://hook.example:${port}`)).body.toString()).toBe("there");
  await expect(post(`https://other.example:${port}`)).rejects.toMatchObject({
    reason: "tls",
    message: "TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)",
  });
});

test("a server that speaks no TLS: tls", async () => {
  const url = await raw("HTTP/1.1 200 OK\r\n\r\n");

  await expect(local()(url.replace("http:", "https:"))).rejects.toMatchObject({ reason: "tls" });
});
