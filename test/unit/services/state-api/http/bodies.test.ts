// Bodies that clients send, by mistake or on purpose.
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { letEverybodyIn } from "../../../../../projections/catalog/tokens.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { route } from "../../../../../services/state-api/http/route.ts";
import { createStateServer } from "../../../../../services/state-api/http/server.ts";

const answers = { 200: { description: "" } };
const body = z.object({ tags: z.array(z.string()) });
const server = createStateServer({
  ...{ host: "127.0.0.1", port: 0, bodyLimitBytes: 1024 * 1024, maxRequests: 10 },
  ...{ authenticate: letEverybodyIn, log: createLog("test", "silent") },
  routes: [
    route({
      ...{ method: "POST", path: "/api/tags", summary: "", scope: "write", answers, body },
      handle: ({ body: { tags } }) => ({ status: 200, body: tags }),
    }),
    route({
      ...{ method: "POST", path: "/api/things/{thing_id}/rotate", summary: "", scope: "write", answers },
      handle: () => ({ status: 200, body: {} }),
    }),
    route({
      ...{ method: "DELETE", path: "/api/things/{thing_id}", summary: "", scope: "write", answers },
      handle: () => ({ status: 200, body: {} }),
    }),
  ],
});
afterAll(() => server.app.close());

const JSON_TYPE = "application/json";
const post = (payload: string | Buffer, type = JSON_TYPE) =>
  server.app.inject({ method: "POST", url: "/api/tags", payload, headers: { "content-type": type } });

test.each([JSON_TYPE, "application/x-www-form-urlencoded", "text/plain"])(
  "an endpoint that takes no body takes a request without one that names %s",
  async (type) => {
    const headers = { "content-type": type, "content-length": "0" };
    const replies = await Promise.all([
      server.app.inject({ method: "DELETE", url: "/api/things/a", headers }),
      server.app.inject({ method: "POST", url: "/api/things/a/rotate", headers }),
    ]);

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  },
);

test.each([
  ["nothing", "", JSON_TYPE, 400],
  ["no JSON", "{", JSON_TYPE, 400],
  ["a member that would change a prototype", '{"__proto__": {}, "tags": []}', JSON_TYPE, 400],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), JSON_TYPE, 400],
  ["another type", "{}", "text/plain", 415],
  ["another kind of JSON", "{}", "application/merge-patch+json", 415],
  ["more values than a check may look at", `{"tags": [${"1,".repeat(20_000)}1]}`, JSON_TYPE, 413],
  ["deep lists", `{"tags": ${"[".repeat(30_000)}${"]".repeat(30_000)}}`, JSON_TYPE, 413],
  ["a mark of the byte order before it", '\ufeff{"tags": ["a"]}', JSON_TYPE, 200],
  ["as many values as a check may look at", `{"tags": [${'"a",'.repeat(19_998)}"a"]}`, JSON_TYPE, 200],
])("%s", async (_what, payload, type, status) => {
  const reply = await post(payload, type);

  expect(reply.statusCode).toBe(status);
  if (status !== 200) expect(reply.headers["content-type"]).toContain("application/problem+json");
});

test.each(["TRACE", "PROPFIND", "QUERY"])("a path that has no %s says what it has", async (method) => {
  const reply = await server.app.inject({ method: method as "GET", url: "/api/things/a" });

  expect([reply.statusCode, reply.headers.allow]).toEqual([405, "DELETE"]);
});
