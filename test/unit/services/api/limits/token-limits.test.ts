// The limits of a token as clients meet them, over a real socket: the gate is in front of the framework.
import { once } from "node:events";
import { request } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { createTestApi } from "../support.ts";

const answerSchema = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z.object({ code: z.string(), retryAfterMs: z.number().optional() }),
      }),
    )
    .optional(),
});
const QUERY = JSON.stringify({ query: "{ __typename }" });

async function listening(env: Readonly<Record<string, string>>) {
  const { app, token } = await createTestApi({ env });
  const host = await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  const post = async (headers: Record<string, string>, body = QUERY) => {
    const response = await fetch(`${host}/graphql`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    return { status: response.status, headers: response.headers, body: answerSchema.parse(await response.json()) };
  };
  return { post, token, host };
}

test("a token beyond its requests gets 429 with Retry-After, and another token is answered", async () => {
  const { post, token } = await listening({ API_TOKEN_REQUESTS_PER_S: "2" });
  const [greedy, calm] = [token("read"), token("write")];

  const answers = await Promise.all(Array.from({ length: 30 }, () => post(greedy)));
  const refused = answers.filter(({ status }) => status === 429);

  expect(refused.length).toBeGreaterThan(15);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(refused[0]?.body).toEqual({
    errors: [
      {
        message: "this token exceeds API_TOKEN_REQUESTS_PER_S",
        extensions: { code: "TOO_MANY_REQUESTS", retryAfterMs: expect.any(Number) },
      },
    ],
  });
  expect((await post(calm)).status).not.toBe(429);
});

test("a token beyond its bytes gets 429, whether the length of a body is announced or not", async () => {
  const { post, token, host } = await listening({ API_TOKEN_BYTES_PER_S: "1024" });
  const large = JSON.stringify({ query: "{ __typename }", extensions: { x: "x".repeat(300_000) } });
  const announced = token("read");
  expect((await post(announced, large)).status).toBe(200);
  expect((await post(announced)).status).toBe(429);

  const chunked = token("read", "write");
  const upload = () =>
    fetch(`${host}/graphql`, {
      method: "POST",
      headers: { ...chunked, "content-type": "application/json" },
      body: new Blob([large]).stream(),
      duplex: "half",
    });
  expect((await upload()).status).toBe(200);
  expect((await post(chunked)).status).toBe(429);
});

test("a body that is announced beyond the limit of bodies is refused, and counts as one of that limit", async () => {
  const { post, token, host } = await listening({ API_TOKEN_BYTES_PER_S: "4096", API_BODY_LIMIT_BYTES: "2048" });
  const mistaken = token("read");
  const asked = request(`${host}/graphql`, {
    method: "POST",
    headers: { ...mistaken, "content-type": "application/json", "content-length": Number.MAX_SAFE_INTEGER },
  });
  asked.on("error", () => undefined);
  asked.flushHeaders();
  const [answer] = await once(asked, "response");
  asked.destroy();

  expect(answer.statusCode).toBe(413);
  expect((await post(mistaken)).status).toBe(200);
});

test("without authentication no limit of a token counts", async () => {
  const { post } = await listening({ API_AUTH: "false", API_TOKEN_REQUESTS_PER_S: "1", API_TOKEN_BYTES_PER_S: "1024" });

  const answers = await Promise.all(Array.from({ length: 30 }, () => post({})));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test("an operation of a WebSocket beyond a limit is refused alone, and the others of the connection go on", async () => {
  const { token, host } = await listening({ API_TOKEN_BYTES_PER_S: "1024" });
  const socket = new WebSocket(`${host.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  onTestFinished(() => socket.terminate());
  const received: { id?: string; type: string; payload?: unknown }[] = [];
  socket.on("message", (data: Buffer) => received.push(JSON.parse(data.toString())));
  const send = (message: object) => socket.send(JSON.stringify(message));
  const ask = (id: string, x = "") =>
    send({ id, type: "subscribe", payload: { query: "{ __typename }", extensions: { x } } });
  await once(socket, "open");
  send({ type: "connection_init", payload: token("read") });
  await vi.waitUntil(() => received.some(({ type }) => type === "connection_ack"));

  ask("large", "x".repeat(100_000));
  ask("beyond");

  await vi.waitUntil(() => received.some(({ id, type }) => id === "large" && type === "complete"));
  expect(received.find(({ id }) => id === "beyond")).toMatchObject({
    type: "error",
    payload: [{ extensions: { code: "TOO_MANY_REQUESTS", retryAfterMs: expect.any(Number) } }],
  });
  send({ type: "ping" });
  await vi.waitUntil(() => received.some(({ type }) => type === "pong"));
  expect(socket.readyState).toBe(WebSocket.OPEN);
});

test("a mutation beyond the detections is refused as a whole, before it is executed", async () => {
  const { post, token } = await listening({ API_TOKEN_DETECTIONS_PER_S: "1" });
  const writer = token("read", "write");
  const detection = { trackId: "nobody", timestamp: "2026-01-01T00:00:00Z" };
  const query = "mutation ($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { id } }";
  const body = JSON.stringify({ query, variables: { detections: Array.from({ length: 500 }, () => detection) } });
  await post(writer, body);

  const second = await post(writer, body);

  expect([second.status, second.body.data]).toEqual([429, undefined]);
  expect(second.body.errors?.[0]?.extensions.code).toBe("TOO_MANY_REQUESTS");
  expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(400);
  expect((await post(writer)).status).toBe(200);
});
