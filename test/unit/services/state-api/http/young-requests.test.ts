// V8 must free answered requests with the young objects.
import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { letEverybodyIn } from "../../../../../projections/catalog/tokens.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { route } from "../../../../../services/state-api/http/route.ts";
import { createStateServer } from "../../../../../services/state-api/http/server.ts";
import { keptBy } from "../../../../support/running/kept-by.ts";

const REQUESTS = 1_000;
/** Far less than what fastify makes for a request. */
const BYTES_PER_REQUEST = 500;

test("requests are freed with the young objects when they are answered", async () => {
  const answers = { 200: { description: "" } };
  const server = createStateServer({
    ...{ host: "127.0.0.1", port: 0, bodyLimitBytes: 1_000, maxRequests: 10 },
    ...{ authenticate: letEverybodyIn, log: createLog("test", "silent") },
    routes: [
      route({
        ...{ method: "GET", path: "/api/{id}", summary: "", scope: "read", answers },
        handle: async ({ params }) => ({ status: 200, body: params }),
      }),
    ],
  });
  await server.start();
  onTestFinished(() => server.stop());
  const socket = connect(Number(new URL(server.url()).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());

  const kept = await keptBy(async () => {
    for (let at = 0; at < REQUESTS; at++) {
      socket.write("GET /api/some HTTP/1.1\r\nhost: x\r\n\r\n");
      const [answer] = await once(socket, "data");
      expect(String(answer)).toContain(" 200 OK");
    }
  });

  expect(kept).toBeLessThan(REQUESTS * BYTES_PER_REQUEST);
});
