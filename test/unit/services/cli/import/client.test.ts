import { createServer, type IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../../../services/cli/import/client.ts";

interface Reply {
  readonly status?: number;
  /** The body, undefined when the server cuts the connection without an answer. */
  readonly body: unknown;
}

/** A server that sends one reply after the other, the last one for ever. */
async function serverWith(...replies: readonly Reply[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const reply = replies[Math.min(requests.length, replies.length - 1)];
    requests.push(request);
    if (reply?.body === undefined) return void request.socket.destroy();
    response.writeHead(reply.status ?? 200, { "content-type": "application/json" });
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${port}/graphql`, requests };
}

const clientOf = (url: string, giveUpAfterMs = 10_000) =>
  createClient({ url, token: { id: "id", value: "value" }, answerWithinMs: 5_000, giveUpAfterMs });

const query = "{ a }";
const error = (code: string, more = {}) => ({
  body: { data: null, errors: [{ message: "No.", path: ["m0", "polygon"], extensions: { code, ...more } }] },
});

test("an answer comes with its log position; token and wanted position go along as headers", async () => {
  const { url, requests } = await serverWith({ body: { data: { a: 1 }, extensions: { position: "p7" } } });

  expect(await clientOf(url).request({ query, minPosition: "p3" })).toEqual({ data: { a: 1 }, position: "p7" });
  expect(requests[0]?.headers).toMatchObject({ "x-token-id": "id", "x-token-value": "value", "x-min-position": "p3" });
});

test("UNAVAILABLE, a gateway's error and a cut connection are repeated", async () => {
  const { url, requests } = await serverWith(
    error("UNAVAILABLE", { retryAfterMs: 1 }),
    { status: 503, body: "<html>" },
    { body: undefined },
    { body: { data: { a: 1 } } },
  );

  expect(await clientOf(url).request({ query })).toEqual({ data: { a: 1 }, position: undefined });
  expect(requests).toHaveLength(4);
});

test("a refusal is final and says where and why", async () => {
  const { url, requests } = await serverWith(error("BAD_USER_INPUT"));

  await expect(clientOf(url).request({ query })).rejects.toThrow("The API refused: BAD_USER_INPUT at m0.polygon: No.");
  expect(requests).toHaveLength(1);
});

test("it gives up when the pause asked for goes beyond its patience", async () => {
  const { url, requests } = await serverWith(error("UNAVAILABLE", { retryAfterMs: 60_000 }));

  await expect(clientOf(url).request({ query })).rejects.toThrow(
    /was not available for 10 s \(No\.\).*nothing is doub/,
  );
  expect(requests).toHaveLength(1);
});

test("something else than the API is recognised", async () => {
  const { url } = await serverWith({ status: 404, body: "<html>" });

  await expect(clientOf(url).request({ query })).rejects.toThrow("is it the API?");
});

test("retry runs the whole attempt again, so that it can look what came of the last one", async () => {
  const { url } = await serverWith({ body: { data: "found nothing" } }, error("UNAVAILABLE", { retryAfterMs: 1 }), {
    body: { data: "found it" },
  });
  const seen: unknown[] = [];

  await clientOf(url).retry(async (send) => {
    const { data } = await send({ query });
    seen.push(data);
    if (data === "found nothing") await send({ query: "mutation { a }" });
  });

  expect(seen).toEqual(["found nothing", "found it"]);
});
