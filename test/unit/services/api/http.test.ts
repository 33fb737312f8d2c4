import { expect, test } from "vitest";
import { AppError, unavailable } from "../../../../schemas/errors.ts";
import { tokenRevoked } from "../../../support/scenes/catalog.ts";
import { createTestApi } from "./support.ts";

const QUERY = '{ zone(id: "none") { id } }';

test("an unknown id is null without an error", async () => {
  const { ask } = await createTestApi();

  expect((await ask('{ zone(id: "x") { id } dataSource(id: "x") { id } }')).body).toEqual({
    data: { zone: null, dataSource: null },
  });
});

test("health and readiness need no token, and readiness tells the truth", async () => {
  const { app, readiness } = await createTestApi();

  expect((await app.inject("/health")).statusCode).toBe(200);
  expect((await app.inject("/readyz")).statusCode).toBe(200);
  readiness.ready = false;
  expect((await app.inject("/readyz")).statusCode).toBe(503);
  expect((await app.inject("/livez")).statusCode).toBe(200);
});

test.each([
  ["no token", {}],
  ["an unknown id", { "x-token-id": "nobody", "x-token-value": "x" }],
  ["a wrong value", { "x-token-id": "t-admin", "x-token-value": "x" }],
])("%s is UNAUTHENTICATED", async (_case, headers) => {
  const { ask } = await createTestApi();

  const { status, body } = await ask(QUERY, {}, headers);

  expect(status).toBe(401);
  expect(body.errors[0].extensions.code).toBe("UNAUTHENTICATED");
  expect(body.data).toBeUndefined();
});

test("a revoked token is UNAUTHENTICATED", async () => {
  const { ask, token, catalog } = await createTestApi();
  const headers = token("read");
  catalog.applyOwn(tokenRevoked("t-read", 1), 1);

  expect((await ask(QUERY, {}, headers)).status).toBe(401);
});

test("a read token may query, and may not write", async () => {
  const { ask, token } = await createTestApi({ resolvers: { Mutation: { deleteZone: () => null } } });
  const headers = token("read");

  const written = await ask('mutation { deleteZone(id: "z") { id } }', {}, headers);

  expect((await ask(QUERY, {}, headers)).body).toEqual({ data: { zone: null } });
  expect(written.body.errors[0].extensions.code).toBe("FORBIDDEN");
});

test("a write token may write, and may not query", async () => {
  const { ask, token } = await createTestApi({ resolvers: { Mutation: { deleteZone: () => null } } });
  const headers = token("write");

  expect((await ask('mutation { deleteZone(id: "z") { id } }', {}, headers)).body).toEqual({
    data: { deleteZone: null },
  });
  expect((await ask(QUERY, {}, headers)).body.errors[0].extensions.code).toBe("FORBIDDEN");
});

test("without authentication everybody may do everything", async () => {
  const { ask } = await createTestApi({ env: { API_AUTH: "false" } });

  expect((await ask(QUERY, {}, {})).body).toEqual({ data: { zone: null } });
});

test("a body above the limit is refused before it is parsed", async () => {
  const { send } = await createTestApi({ env: { API_BODY_LIMIT_BYTES: "2000" } });

  const { status, body } = await send(`{"query": ${"x".repeat(3_000)}`);

  expect(status).toBe(413);
  expect(body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
});

test.each([
  ["not JSON", "{"],
  ["not an object", "[]"],
  ["no query", "{}"],
  ["variables that are no object", JSON.stringify({ query: QUERY, variables: [] })],
])("a body that is %s is BAD_USER_INPUT", async (_case, payload) => {
  const { send } = await createTestApi();

  const { status, body } = await send(payload);

  expect(status).toBe(400);
  expect(body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
});

test("null variables, operation name and extensions are as good as none", async () => {
  const { send } = await createTestApi();

  const { body } = await send({ query: QUERY, variables: null, operationName: null, extensions: null });

  expect(body).toEqual({ data: { zone: null } });
});

test("content types that a foreign page may send are refused", async () => {
  const { app, admin } = await createTestApi();

  for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
    const headers = { ...admin, "content-type": type };
    const response = await app.inject({ method: "POST", url: "/graphql", headers, payload: QUERY });

    expect(response.statusCode).toBe(415);
  }
});

test("the status of a refused document depends on the media type that the client asks for", async () => {
  const { ask, admin } = await createTestApi();
  const newer = { ...admin, accept: "application/graphql-response+json" };

  const plain = await ask("{ nothing }");
  const graphql = await ask("{ nothing }", {}, newer);

  expect([plain.status, graphql.status]).toEqual([200, 400]);
  expect(graphql.headers["content-type"]).toBe("application/graphql-response+json; charset=utf-8");
});

test.each([
  ["a syntax error", "{"],
  ["an empty JSON document", "{}"],
  ["a JSON number", "42"],
  ["a forged document in JSON", '{"kind":"Document","definitions":[]}'],
  ["an unknown field", "{ zone(id: 1) { nothing } }"],
  ["a missing argument", "{ zone { id } }"],
  ["several operations without a name", "query A { zone(id: 1) { id } } query B { zone(id: 1) { id } }"],
  ["a subscription", "subscription { tracks { state } }"],
])("%s is BAD_USER_INPUT", async (_case, query) => {
  const { ask } = await createTestApi();

  const { body } = await ask(query);

  expect(body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(body.data).toBeUndefined();
});

test("the same bad document is refused the same way again", async () => {
  const { ask } = await createTestApi();

  const first = await ask('{ zones(first: "many") { totalCount } }');
  const second = await ask('{ zones(first: "many") { totalCount } }');

  expect(first.body.errors[0].extensions).toEqual({ code: "BAD_USER_INPUT", path: ["first"] });
  expect(second.body).toEqual(first.body);
});

const CREATE = "mutation ($t: CreateTrackInput!) { createTrack(track: $t) { id } }";
const detection = { timestamp: "2026-01-01T00:00:00Z" };
const track = { dataSourceId: "d", tag: "car", startTime: "2026-01-01T00:00:00Z", detections: [detection] };

test.each([
  ["a time without offset", { ...track, startTime: "2026-01-01T00:00:00" }, ["track", "startTime"]],
  [
    "a bad time in a list",
    { ...track, detections: [detection, { timestamp: "x" }] },
    ["track", "detections", 1, "timestamp"],
  ],
  ["a missing field", { ...track, tag: undefined }, ["track"]],
  ["a wrong type", { ...track, tag: 1 }, ["track", "tag"]],
])("%s in a variable is BAD_USER_INPUT with its path", async (_case, t, path) => {
  const { ask } = await createTestApi({ resolvers: { Mutation: { createTrack: () => null } } });

  const { body } = await ask(CREATE, { t });

  expect(body.errors[0].extensions).toEqual({ code: "BAD_USER_INPUT", path });
  expect(body.data).toBeUndefined();
});

test("a bad value in the document is BAD_USER_INPUT with its path", async () => {
  const { ask } = await createTestApi();

  const { body } = await ask(
    'mutation { createTrack(track: {dataSourceId: "d", tag: "car", startTime: "2026-01-01T00:00:00Z", ' +
      'detections: [{timestamp: "2026-02-30T00:00:00Z"}]}) { id } }',
  );

  expect(body.errors[0].extensions).toEqual({
    code: "BAD_USER_INPUT",
    path: ["track", "detections", 0, "timestamp"],
  });
});

test("errors of resolvers keep their code, and unknown ones their secret", async () => {
  const thrown: Record<string, unknown> = {
    gone: new AppError("NOT_FOUND", "zone z does not exist", { path: ["id"] }),
    later: unavailable("the log did not take the message", 250),
    broken: new Error("password of the store is hunter2"),
  };
  const deleteZone = (_root: unknown, { id }: { id: string }) => {
    throw thrown[id];
  };
  const { ask } = await createTestApi({ resolvers: { Mutation: { deleteZone } } });
  const errorOf = async (id: string) => (await ask(`mutation { deleteZone(id: "${id}") { id } }`)).body.errors[0];

  expect(await errorOf("gone")).toMatchObject({
    path: ["deleteZone"],
    extensions: { code: "NOT_FOUND", path: ["id"] },
  });
  expect((await errorOf("later")).extensions).toEqual({ code: "UNAVAILABLE", retryAfterMs: 250 });
  expect((await errorOf("broken")).extensions).toEqual({ code: "INTERNAL" });
  expect(JSON.stringify(await errorOf("broken"))).not.toContain("hunter2");
});

test("the path of an error keeps list indexes as numbers", async () => {
  const createDetections = () => [{ trackId: "t", timestamp: 0, polygon: null, position: null, metadata: "not JSON" }];
  const { ask } = await createTestApi({ resolvers: { Mutation: { createDetections } } });

  const { body } = await ask("mutation { createDetections(detections: []) { metadata } }");

  expect(body.errors[0].path).toEqual(["createDetections", 0, "metadata"]);
});

test("a mutation answers with the positions that it wrote", async () => {
  const deleteZone = (_root: unknown, _args: unknown, context: { positions: unknown[] }) => {
    context.positions.push(
      { topic: "camera-log", partition: 3, offset: 7 },
      { topic: "camera-log", partition: 3, offset: 9 },
      { topic: "camera-log", partition: 1, offset: 4 },
    );
    context.positions.push({ topic: "catalog", partition: 0, offset: 2 });
    return null;
  };
  const { ask } = await createTestApi({ resolvers: { Mutation: { deleteZone } } });

  const { body } = await ask('mutation { deleteZone(id: "z") { id } }');

  expect(body.extensions).toEqual({ position: "camera-log:1:4,camera-log:3:9,catalog:0:2" });
});

test("a position that is none is BAD_USER_INPUT", async () => {
  const { ask, admin } = await createTestApi();

  const { status, body } = await ask(QUERY, {}, { ...admin, "x-min-position": "camera-log:1" });

  expect(status).toBe(400);
  expect(body.errors[0].extensions).toEqual({ code: "BAD_USER_INPUT", path: ["x-min-position"] });
});

test("a store that does not answer is UNAVAILABLE", async () => {
  const { ask } = await createTestApi();

  const { body } = await ask('{ track(id: "t") { id } }');

  expect(body.errors[0].extensions.code).toBe("UNAVAILABLE");
  expect(body.errors[0].extensions.retryAfterMs).toBeGreaterThan(0);
});

test("GraphiQL is there in development only", async () => {
  const development = await createTestApi({ env: { API_GRAPHIQL: "true" } });
  const production = await createTestApi();

  expect((await development.app.inject("/graphiql")).headers["content-type"]).toContain("text/html");
  expect((await production.app.inject("/graphiql")).statusCode).toBe(404);
});

test("values nested without end are BAD_USER_INPUT", async () => {
  const { send } = await createTestApi();
  const depth = 100_000;
  const filter = `${'{"not":'.repeat(depth)}{}${"}".repeat(depth)}`;
  const query = "query ($filter: FilterZoneInput) { zones(filter: $filter) { totalCount } }";

  const variables = await send(`{"query": "${query}", "variables": {"filter": ${filter}}}`);
  const document = await send({
    query: `{ zones(filter: ${"{not: ".repeat(depth)}{}${"}".repeat(depth)}) { totalCount } }`,
  });

  expect(variables.body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(document.body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
});
