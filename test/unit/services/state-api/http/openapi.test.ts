import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { z } from "zod";
import { openApiOf } from "../../../../../services/state-api/http/openapi.ts";
import { type Route, route } from "../../../../../services/state-api/http/route.ts";
import { createOpenApiCheck } from "../../../../support/oracles/openapi.ts";
import { serveUnstarted } from "../unstarted.ts";

test("the document of all endpoints is valid OpenAPI 3.1, and open to everybody", async () => {
  const reply = await serveUnstarted().inject({ method: "GET", url: "/openapi.json" });
  const validator = new Validator();

  const { valid, errors } = await validator.validate(reply.json());

  expect([reply.statusCode, errors, valid]).toEqual([200, undefined, true]);
  expect(validator.version).toBe("3.1");
  expect(Object.keys(reply.json().paths)).toContain("/api/tracks/{track_id}");
});

test("every operation has a name of its own, a summary, and what refuses it", async () => {
  const { paths } = (await serveUnstarted().inject({ method: "GET", url: "/openapi.json" })).json();
  // biome-ignore lint/suspicious/noExplicitAny: the validator has checked it.
  const operations = Object.values<Record<string, any>>(paths).flatMap((ofPath) => Object.values(ofPath));

  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { summary, security, responses } of operations) {
    expect(summary).not.toBe("");
    if (security.length > 0) expect(Object.keys(responses)).toEqual(expect.arrayContaining(["401", "403", "503"]));
  }
});

test("what asks for a token says so, also where the token may be in the body", async () => {
  const { paths } = (await serveUnstarted().inject({ method: "GET", url: "/openapi.json" })).json();
  const inHeaders = { tokenId: [], tokenValue: [] };

  const query = paths["/api/chronicles/query"].post;
  expect(query).toMatchObject({ security: [inHeaders, {}], description: expect.stringContaining("scope read") });
  expect(Object.keys(query.responses)).toEqual(expect.arrayContaining(["401", "403"]));
  expect(paths["/api/zones/{zone_id}"].get.security).toEqual([inHeaders]);
  const open = Object.keys(paths).filter((path) => paths[path].get?.security.length === 0);
  expect(open.sort()).toEqual(["/health", "/livez", "/openapi.json", "/readyz"]);
});

test.each(["/docs", "/docs/"])("%s loads nothing from elsewhere", async (url) => {
  const app = serveUnstarted();
  const page = await app.inject({ method: "GET", url });

  expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
  const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url);
  expect(files).toContain("/docs/swagger-ui-bundle.js");
  for (const url of files.filter((file) => file !== "data:,")) {
    const { statusCode, headers } = await app.inject({ method: "GET", url });
    expect([url, statusCode]).toEqual([url, 200]);
    expect(headers["content-type"]).toMatch(/^text\/(css|javascript)/);
  }
});

const things: readonly Route[] = [
  route({
    ...{ method: "POST", path: "/api/things/{id}", summary: "Makes a thing", scope: "write" },
    ...{ query: z.object({ dry: z.stringbool().default(false) }), body: z.object({ at: z.string() }) },
    answers: { 201: { description: "made", schema: z.object({ n: z.number() }) }, 409: { description: "is there" } },
    handle: () => ({ status: 201, body: { n: 1 } }),
  }),
];
const exchange = { method: "POST", path: "/api/things/a", sent: { at: "x" }, contentType: "application/json" };
const made = { ...exchange, status: 201, answer: { n: 1 } };
const problem = { type: "urn:x", title: "x", status: 409, detail: "x" };
const refused = { ...exchange, contentType: "application/problem+json", answer: problem };

test("a document says what a request and its answers are", () => {
  const check = createOpenApiCheck(openApiOf(things));

  expect(() => check(made)).not.toThrow();
  for (const status of [400, 409, 413, 500]) expect(() => check({ ...refused, status })).not.toThrow();
  expect(() => check({ ...refused, sent: 7, status: 400 })).not.toThrow();
  expect(() => check({ ...refused, path: "/nowhere", status: 404 })).not.toThrow();
});

test.each([
  ["another member", { ...made, answer: { n: 1, m: 2 } }],
  ["a missing member", { ...made, answer: {} }],
  ["an undocumented status", { ...made, status: 200 }],
  ["another type", { ...made, contentType: "text/plain" }],
  ["a body that should be refused", { ...made, sent: { at: 1 } }],
  ["a problem without a type", { ...refused, status: 404, answer: { title: "x", status: 404, detail: "x" } }],
])("%s does not fit the document", (_, wrong) => {
  expect(() => createOpenApiCheck(openApiOf(things))(wrong)).toThrow();
});

test("a name that would mean two schemas is a mistake: a body with defaults is not what the answer has", () => {
  const schema = z.object({ n: z.number().default(1) }).meta({ id: "TestThing" });
  const both = route({
    ...{ method: "POST", path: "/x", summary: "", scope: "open", body: schema },
    answers: { 200: { description: "", schema } },
    handle: () => ({ status: 200 }),
  });

  expect(() => openApiOf([both])).toThrow("two schemas are called TestThing");
});
