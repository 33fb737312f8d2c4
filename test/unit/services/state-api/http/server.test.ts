import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { AppError, unavailable } from "../../../../../schemas/errors.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { Problem } from "../../../../../services/state-api/http/problem.ts";
import { route } from "../../../../../services/state-api/http/route.ts";
import { createStateServer } from "../../../../../services/state-api/http/server.ts";

const principal = { tokenId: "t", name: "reader", scopes: ["read" as const] };
const authenticate = Object.assign(
  ({ value }: { readonly value: unknown }) =>
    value === "right" ? principal : new AppError("UNAUTHENTICATED", "the token is not valid"),
  { isCurrent: () => true },
);
const answers = { 200: { description: "found" } };
const body = z.object({ tags: z.array(z.string()), count: z.number().int() });

const server = createStateServer({
  host: "127.0.0.1",
  port: 0,
  bodyLimitBytes: 1_000,
  maxRequests: 10,
  authenticate,
  log: createLog("test", "silent"),
  routes: [
    route({
      ...{ method: "GET", path: "/api/things/{thing_id}", summary: "", scope: "read", answers },
      handle: ({ params }) => ({ status: 200, body: params }),
    }),
    route({
      ...{ method: "POST", path: "/api/things/fixed", summary: "", scope: "read", answers, body },
      handle: ({ body: { tags } }) => ({ status: 200, body: tags }),
    }),
    route({
      ...{
        method: "GET",
        path: "/api/failing",
        summary: "",
        scope: "open",
        answers,
        query: z.object({ how: z.string() }),
      },
      handle: ({ query: { how } }) => {
        if (how === "problem") throw new Problem("conflict", "not now");
        if (how === "away") throw unavailable("later", 2_500);
        throw new Error("a secret of the server");
      },
    }),
  ],
});
afterAll(() => server.app.close());

const token = { "x-token-id": "t", "x-token-value": "right" };
const ask = (method: "GET" | "POST" | "PUT", url: string, more: object = {}) =>
  server.app.inject({ method, url, headers: token, ...more });
const post = (payload: string, headers: object = {}) =>
  ask("POST", "/api/things/fixed", { payload, headers: { ...token, "content-type": "application/json", ...headers } });

test("a path parameter is an id, decoded", async () => {
  expect((await ask("GET", "/api/things/gr%C3%BC%C3%9Fe%2F1")).json()).toEqual({ thing_id: "grüße/1" });
});

test.each(["a".repeat(201), "a%00b", "a%0Ab", "%E0%A4%A"])("the id %s is refused", async (id) => {
  const reply = await ask("GET", `/api/things/${id}`);

  expect(reply.statusCode).toBe(400);
  expect(reply.json().type).toBe("urn:tracklog:problem:validation");
  expect(reply.headers["content-type"]).toContain("application/problem+json");
});

test("an id of 10 KB is refused", async () => {
  expect((await ask("GET", `/api/things/${"x".repeat(10_240)}`)).statusCode).toBe(400);
});

test("a fixed path wins over one with an id, whatever the method", async () => {
  const reply = await ask("GET", "/api/things/fixed");

  expect([reply.statusCode, reply.headers.allow]).toEqual([405, "POST"]);
  expect((await ask("PUT", "/api/things/other")).headers.allow).toBe("GET, HEAD");
});

test("a body is checked, and each value at fault is named", async () => {
  expect((await post('{"tags":["a"],"count":1}')).json()).toEqual(["a"]);
  const reply = await post('{"tags":[1],"count":0.5}');

  expect(reply.statusCode).toBe(400);
  expect(reply.json().errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["#/tags/0", "#/count"]);
});

test.each([
  ["{", 400, {}],
  ["", 400, {}],
  ["a".repeat(1_001), 413, {}],
  ["tags=a", 415, { "content-type": "application/x-www-form-urlencoded" }],
  ["{}", 415, { "content-type": "text/plain" }],
])("the body %.5s is refused with %i", async (payload, status, headers) => {
  const reply = await post(payload, headers);

  expect(reply.statusCode).toBe(status);
  expect(reply.json().status).toBe(status);
});

test("a query is checked", async () => {
  expect((await ask("GET", "/api/failing")).json().errors[0].pointer).toBe("#/query/how");
});

test("without a valid token a caller learns nothing, not even whether its body is right", async () => {
  const reply = await ask("GET", "/api/things/1", { headers: { ...token, "x-token-value": "wrong" } });

  expect(reply.statusCode).toBe(401);
  expect((await post("{", { "x-token-value": "wrong" })).statusCode).toBe(401);
});

test("failures say what a caller may know", async () => {
  expect((await ask("GET", "/api/failing?how=problem")).json()).toMatchObject({ status: 409, detail: "not now" });
  const away = await ask("GET", "/api/failing?how=away");
  expect([away.statusCode, away.headers["retry-after"]]).toEqual([503, "3"]);
  const mistake = await ask("GET", "/api/failing?how=other");
  expect(mistake.statusCode).toBe(500);
  expect(mistake.body).not.toContain("secret");
});

test("an unknown path is not found", async () => {
  expect((await ask("GET", "/nowhere")).json()).toMatchObject({ status: 404, type: "urn:tracklog:problem:not-found" });
});
