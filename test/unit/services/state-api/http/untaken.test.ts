// Clients that ask and do not read: over real sockets, with answers that no buffer of the operating system holds.
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { letEverybodyIn } from "../../../../../projections/catalog/tokens.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { route } from "../../../../../services/state-api/http/route.ts";
import { createStateServer } from "../../../../../services/state-api/http/server.ts";

const LARGE = "x".repeat(32 * 1024 * 1024);
const asking = "GET /api/large HTTP/1.1\r\nhost: x\r\n\r\n";

/** The callers' signals, in the order in which they asked. */
async function serve(maxRequests: number) {
  const callers: AbortSignal[] = [];
  const server = createStateServer({
    ...{ host: "127.0.0.1", port: 0, bodyLimitBytes: 1_000, maxRequests, answerTakenWithinMs: 50 },
    ...{ authenticate: letEverybodyIn, log: createLog("test", "silent") },
    routes: [
      route({
        ...{ method: "GET", path: "/api/large", summary: "", scope: "read", answers: { 200: { description: "" } } },
        handle: ({ gone }) => {
          callers.push(gone());
          return { status: 200, body: LARGE };
        },
      }),
    ],
  });
  await server.start();
  onTestFinished(() => server.stop());
  const send = (text: string) => {
    const socket = connect(Number(new URL(server.url()).port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(text);
    return socket;
  };
  return { url: server.url(), callers, send };
}

async function statusOf(url: string): Promise<number> {
  const { status, body } = await fetch(`${url}/api/large`);
  await body?.cancel();
  return status;
}

test.each([1, 3])("%i answers that a client does not read give back what they take", async (count) => {
  const { url, callers, send } = await serve(count);

  send(asking.repeat(count));
  await expect.poll(() => callers.length).toBe(count);

  await expect.poll(() => callers.slice(0, count).map(({ aborted }) => aborted)).toEqual(Array(count).fill(true));
  await expect.poll(() => statusOf(url)).toBe(200);
});

test("requests in one go whose client is gone give back what they take", async () => {
  const { url, callers, send } = await serve(3);
  const socket = send(asking.repeat(3));
  await expect.poll(() => callers.length).toBe(3);

  socket.destroy();

  await expect.poll(() => callers.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  await expect.poll(() => statusOf(url)).toBe(200);
});
