import { expect, test } from "vitest";
import { z } from "zod";
import { letEverybodyIn } from "../../../projections/catalog/tokens.ts";
import { createLog } from "../../../services/common/log.ts";
import { type Route, route } from "../../../services/state-api/http/route.ts";
import { createServer } from "../../../services/state-api/http/server.ts";

const serverOf = (routes: readonly Route[]) =>
  createServer({
    ...{ host: "127.0.0.1", port: 0, bodyLimitBytes: 1_000, maxRequests: 1, routes },
    authenticate: letEverybodyIn,
    log: createLog("test", "silent"),
  }).app;

const open = { path: "/api/open", summary: "", scope: "open", answers: { 200: { description: "" } } } as const;

test("an open endpoint that takes a body counts among the requests in progress; one without answers always", async () => {
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const app = serverOf([
    route({ ...open, method: "GET", handle: () => ({ status: 200 }) }),
    route({
      ...open,
      method: "POST",
      body: z.object({}),
      handle: async () => {
        arrived.resolve();
        await answered.promise;
        return { status: 200 };
      },
    }),
  ]);
  const post = () => app.inject({ method: "POST", url: open.path, payload: {} });

  const first = post();
  await arrived.promise;
  const second = await post();

  expect([second.statusCode, second.headers["retry-after"]]).toEqual([503, "1"]);
  expect((await app.inject({ method: "GET", url: open.path })).statusCode).toBe(200);
  answered.resolve();
  expect((await first).statusCode).toBe(200);
  expect((await post()).statusCode).toBe(200);
});
