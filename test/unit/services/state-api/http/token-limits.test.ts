import { expect, test } from "vitest";
import type { Authenticate } from "../../../../../projections/catalog/tokens.ts";
import { AppError } from "../../../../../schemas/errors.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { route } from "../../../../../services/state-api/http/route.ts";
import { createStateServer } from "../../../../../services/state-api/http/server.ts";
import { createRestLimits, type RestLimitSettings } from "../../../../../services/state-api/http/token-limits.ts";

const log = createLog("test", "silent");
const authenticate: Authenticate = Object.assign(
  ({ id }: { readonly id: unknown }) =>
    typeof id === "string"
      ? { tokenId: id, name: id, scopes: ["read" as const] }
      : new AppError("UNAUTHENTICATED", "the token is not valid"),
  { isCurrent: () => true },
);
const settings: RestLimitSettings = {
  STATE_API_AUTH: "on",
  STATE_API_TOKEN_REQUESTS_PER_S: 1_000,
  STATE_API_TOKEN_BYTES_PER_S: 1_000,
};

function serverOf(given: Partial<RestLimitSettings>, maxRequests = 100) {
  const answered = Promise.withResolvers<void>();
  const { app } = createStateServer({
    ...{ host: "127.0.0.1", port: 0, bodyLimitBytes: 1_000_000, maxRequests, authenticate, log },
    tokenLimits: createRestLimits({ ...settings, ...given }, log),
    routes: [
      route({
        ...{ method: "GET", path: "/api/slow", summary: "", scope: "read", answers: { 200: { description: "" } } },
        handle: async () => {
          await answered.promise;
          return { status: 200 };
        },
      }),
      route({
        ...{ method: "GET", path: "/api/quick", summary: "", scope: "read", answers: { 200: { description: "" } } },
        handle: () => ({ status: 200 }),
      }),
    ],
  });
  // The request begins with the call, not when its answer is awaited.
  const get = async (path: string, id: string, headers: Readonly<Record<string, string>> = {}) =>
    app.inject({ method: "GET", url: path, headers: { "x-token-id": id, "x-token-value": "v", ...headers } });
  return { get, answer: () => answered.resolve() };
}

test("a token beyond its requests gets a problem with Retry-After, and another token is answered", async () => {
  const { get } = serverOf({ STATE_API_TOKEN_REQUESTS_PER_S: 2 });

  const answers = await Promise.all(Array.from({ length: 20 }, () => get("/api/quick", "greedy")));
  const refused = answers.filter(({ statusCode }) => statusCode === 429);

  expect(refused.length).toBeGreaterThan(10);
  expect(refused[0]?.json()).toMatchObject({
    type: "urn:tracklog:problem:too-many-requests",
    detail: "this token exceeds STATE_API_TOKEN_REQUESTS_PER_S",
  });
  expect(Number(refused[0]?.headers["retry-after"])).toBe(1);
  expect((await get("/api/quick", "calm")).statusCode).toBe(200);
});

test("a token has three quarters of the requests in progress at most, and another one finds room", async () => {
  const { get, answer } = serverOf({}, 4);
  const slow = [1, 2, 3].map(() => get("/api/slow", "greedy"));

  const beyond = await get("/api/slow", "greedy");

  expect([beyond.statusCode, beyond.headers["retry-after"]]).toEqual([503, "1"]);
  expect((await get("/api/quick", "calm")).statusCode).toBe(200);
  answer();
  expect((await Promise.all(slow)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect((await get("/api/quick", "greedy")).statusCode).toBe(200);
});

test("a body that is announced beyond the limit of bodies counts as one of that limit", async () => {
  const { get } = serverOf({ STATE_API_TOKEN_BYTES_PER_S: 2_000_000 });

  await get("/api/quick", "mistaken", { "content-length": String(Number.MAX_SAFE_INTEGER) });

  expect((await get("/api/quick", "mistaken")).statusCode).toBe(200);
});

test("without authentication no limit of a token counts", async () => {
  const { get } = serverOf({ STATE_API_AUTH: "off", STATE_API_TOKEN_REQUESTS_PER_S: 1 });

  const answers = await Promise.all(Array.from({ length: 20 }, () => get("/api/quick", "any")));

  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});
