import { once } from "node:events";
import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type Authenticate, letEverybodyIn } from "../../../../../projections/catalog/tokens.ts";
import { AppError } from "../../../../../schemas/errors.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { type Route, route } from "../../../../../services/state-api/http/route.ts";
import { createStateServer } from "../../../../../services/state-api/http/server.ts";

const serverOf = (routes: readonly Route[], { maxRequests = 1, authenticate = letEverybodyIn } = {}) =>
  createStateServer({
    ...{ host: "127.0.0.1", port: 0, bodyLimitBytes: 1_000, maxRequests, routes },
    authenticate,
    log: createLog("test", "silent"),
  });

const open = { path: "/api/open", summary: "", scope: "open", answers: { 200: { description: "" } } } as const;

test("an open endpoint that takes a body counts among the requests in progress; one without answers always", async () => {
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { app } = serverOf([
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

const token = { "x-token-id": "t", "x-token-value": "right" };
const principal = { tokenId: "t", name: "reader", scopes: ["read" as const] };
const withTokens: Authenticate = Object.assign(
  ({ value }: { readonly value: unknown }) =>
    value === "right" ? principal : new AppError("UNAUTHENTICATED", "the token is not valid"),
  { isCurrent: () => true },
);
const tokenInBody = () => ({ id: "t", value: "right" });
const inBody = { path: "/api/asked", summary: "", scope: "read, or in the body", tokenInBody } as const;
const answering = { ...inBody, method: "POST", body: z.object({}), answers: { 200: { description: "" } } } as const;

test("callers who show no token in the headers have half of the room at most, and take none from the others", async () => {
  const answered = Promise.withResolvers<void>();
  const { app } = serverOf(
    [
      route({
        ...answering,
        handle: async ({ headers }) => {
          if (headers["x-token-id"] === undefined) await answered.promise;
          return { status: 200 };
        },
      }),
    ],
    { maxRequests: 4, authenticate: withTokens },
  );
  const post = (headers: object = {}) =>
    app.inject({ method: "POST", url: inBody.path, headers: { ...headers }, payload: {} });

  const posts = [post(), post(), post()];
  const beyond = await Promise.race(posts);

  expect([beyond.statusCode, beyond.headers["retry-after"]]).toEqual([503, "1"]);
  expect((await post(token)).statusCode).toBe(200);
  answered.resolve();
  expect((await Promise.all(posts)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 503]);
  expect((await post()).statusCode).toBe(200);
});

test("a wrong token in the headers is refused before the body is there, also where the body may have one", async () => {
  const server = serverOf([route({ ...answering, handle: () => ({ status: 200 }) })], { authenticate: withTokens });
  await server.start();
  onTestFinished(() => server.stop());
  const headers = {
    "x-token-id": "t",
    "x-token-value": "wrong",
    "content-type": "application/json",
    "content-length": 9,
  };

  const asked = request(server.url() + inBody.path, { method: "POST", headers });
  asked.on("error", () => undefined).flushHeaders();
  onTestFinished(() => void asked.destroy());
  const [{ statusCode }] = await once(asked, "response");

  expect(statusCode).toBe(401);
});
