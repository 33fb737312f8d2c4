import type { Socket } from "node:net";
import { createClient } from "graphql-ws";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { created } from "../../support/scenes/feed-events.ts";
import { createInstallation } from "./installation.ts";
import { connect } from "./raw-client.ts";
import { follow, init, WAIT } from "./subscription.ts";

const installation = await createInstallation();
const { token } = installation;
const TRACKS = "subscription { tracks { state message { id } } }";
const subscribe = (id: string, query = TRACKS, more: object = {}) => ({
  id,
  type: "subscribe",
  payload: { query, ...more },
});

const misuses: readonly [what: string, messages: readonly unknown[], code: number][] = [
  ["a wrong token", [init({ id: token.id, value: "guess" })], 4401],
  ["no token", [{ type: "connection_init" }], 4401],
  ["a subscription before the connection is acknowledged", [subscribe("1")], 4401],
  ["a second connection_init", [init(token), init(token)], 4429],
  ["one id for two subscriptions", [init(token), subscribe("1"), subscribe("1")], 4409],
  ["a message of no known type", [init(token), { type: "start" }], 4400],
  ["a subscription without an id", [init(token), { type: "subscribe", payload: { query: TRACKS } }], 4400],
  ["a subscription with an empty id", [init(token), subscribe("")], 4400],
  ["a message that is no object", [init(token), []], 4400],
  ["a payload that is a list", [init(token), { id: "1", type: "subscribe", payload: [] }], 4400],
  ["a subscription without a payload", [init(token), { id: "1", type: "subscribe" }], 4400],
  ["a subscription without a query", [init(token), { id: "1", type: "subscribe", payload: {} }], 4400],
  ["a query that is no text", [init(token), { id: "1", type: "subscribe", payload: { query: { a: 1 } } }], 4400],
  ["variables as text", [init(token), subscribe("1", TRACKS, { variables: "{}" })], 4400],
  ["variables as a list", [init(token), subscribe("1", TRACKS, { variables: [] })], 4400],
  ["an operation's name that is a number", [init(token), subscribe("1", TRACKS, { operationName: 1 })], 4400],
  ["extensions as text", [init(token), subscribe("1", TRACKS, { extensions: "cursor" })], 4400],
];

test.for(misuses)("%s closes the connection", async ([, messages, code]) => {
  const api = await installation.startApi();
  const client = await connect(api.url);
  onTestFinished(() => client.drop());

  for (const message of messages) client.send(message);

  expect((await client.closed).code).toBe(code);
});

test("what is not JSON, no subprotocol and silence close the connection", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTION_INIT_TIMEOUT_MS: "200" });
  const babbling = await connect(api.url);
  babbling.sendText("{");

  expect((await babbling.closed).code).toBe(4400);
  expect((await (await connect(api.url, "")).closed).code).toBe(4406);
  expect((await (await connect(api.url)).closed).code).toBe(4408);
});

test("sockets without a token keep nobody out, and the one that waits longest goes", async () => {
  const settings = { API_SUBSCRIPTION_CONNECTIONS: "1", API_SUBSCRIPTION_NEW_CONNECTIONS: "2" };
  const api = await installation.startApi(settings);
  const silent = await Promise.all(Array.from({ length: 5 }, () => connect(api.url)));
  for (const each of silent) onTestFinished(() => each.drop());
  const client = await connect(api.url);
  onTestFinished(() => client.drop());

  client.send(init(token));

  await vi.waitUntil(() => client.messages.some(({ type }) => type === "connection_ack"), WAIT);
  expect(await Promise.race(silent.map(({ closed }) => closed))).toMatchObject({ code: 1006 });
});

test("a token that is shown when all places are taken is told to come later", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTION_CONNECTIONS: "1" });
  const clients = [await connect(api.url), await connect(api.url)];
  for (const each of clients) onTestFinished(() => each.drop());

  for (const each of clients) each.send(init(token));

  expect(await Promise.race(clients.map(({ closed }) => closed))).toMatchObject({ code: 1013 });
  expect(clients.filter(({ messages }) => messages.some(({ type }) => type === "connection_ack"))).toHaveLength(1);
});

test("a payload too deep to be sent back closes the connection, and nothing else", async () => {
  const api = await installation.startApi();
  const hostile = await connect(api.url);
  const deep = 100_000;

  hostile.sendText(`{"type":"ping","payload":{"a":${"[".repeat(deep)}${"]".repeat(deep)}}}`);

  expect((await hostile.closed).code).toBe(4400);
  const other = await connect(api.url);
  onTestFinished(() => other.drop());
  other.send(init(token));
  await vi.waitUntil(() => other.messages.some(({ type }) => type === "connection_ack"), WAIT);
});

test("of a client that reads nothing no more is read, until it does", async () => {
  const api = await installation.startApi();
  const sockets: Socket[] = [];
  api.server.on("connection", (socket) => sockets.push(socket));
  const client = await connect(api.url);
  onTestFinished(() => client.drop());
  client.send(init(token));
  await vi.waitUntil(() => client.messages.length > 0, WAIT);
  const payload = { text: "x".repeat(500_000) };
  const count = 60;

  client.pause();
  for (let i = 0; i < count; i++) client.send({ type: "ping", payload });

  await vi.waitUntil(() => sockets[0]?.isPaused(), WAIT);
  expect(sockets[0]?.writableLength).toBeLessThan(4_000_000);
  client.resume();
  await vi.waitUntil(() => client.messages.filter(({ type }) => type === "pong").length === count, WAIT);
});

test("who has not shown a token sends no long messages", async () => {
  const api = await installation.startApi();
  const client = await connect(api.url);

  client.send({ type: "ping", payload: { text: "x".repeat(20_000) } });

  expect((await client.closed).code).toBe(4400);
});

test.for([
  ["a document nested too deeply to be parsed", `subscription { tracks ${"{ message ".repeat(20_000)} }`],
  ["a syntax error", "subscription {"],
  ["an unknown field", "subscription { tracks { state nonsense } }"],
  ["two root fields", "subscription { tracks { state } zoneIntersections { state } }"],
  ["a wrong filter", 'subscription { tracks(filter: { state: { eq: "LATER" } }) { state } }'],
  [
    "a filter that cannot be evaluated",
    "subscription { tracks(filter: { position: { near: { point: { coordinates: [0] } } } }) { state } }",
  ],
  [
    "a document beyond the limits",
    `subscription { tracks { ${Array.from({ length: 200 }, (_, i) => `a${i}: state`).join(" ")} } }`,
  ],
])("%s is refused, and the connection goes on", async ([, query = ""]) => {
  const api = await installation.startApi();
  const client = await connect(api.url);
  onTestFinished(() => client.drop());
  client.send(init(token));
  client.send(subscribe("bad", query));

  await vi.waitUntil(() => client.messages.some(({ type }) => type === "error"), WAIT);

  const error = client.messages.find(({ type }) => type === "error");
  expect(error).toMatchObject({ id: "bad", payload: [{ extensions: { code: "BAD_USER_INPUT" } }] });
  client.send(subscribe("query", "{ __typename }"));
  await vi.waitUntil(() => client.messages.some(({ type }) => type === "complete"), WAIT);
  expect(client.messages).toContainEqual({ id: "query", type: "next", payload: { data: { __typename: "Query" } } });
});

test.for([
  ["an empty query", { query: "" }],
  ["a query that is no document", { query: "{" }],
  ["an unknown operation's name", { query: TRACKS, operationName: "other" }],
])("%s is refused, and the subscriptions of the connection go on", async ([what, payload]) => {
  const api = await installation.startApi();
  const { client, ...subscription } = await follow({ ...api, query: TRACKS });

  client.send({ id: "bad", type: "subscribe", payload });

  await vi.waitUntil(() => client.messages.some(({ type }) => type === "error"), WAIT);
  expect(client.messages.find(({ type }) => type === "error")).toMatchObject({
    ...{ id: "bad", payload: [{ extensions: { code: "BAD_USER_INPUT" } }] },
  });
  await installation.record(created(`after ${what}`));
  await vi.waitUntil(() => subscription.received().length > 0, WAIT);
});

test("a variable of a wrong type is refused with its path", async () => {
  const api = await installation.startApi();
  const query = "subscription ($f: FilterTrackMessageInput) { tracks(filter: $f) { state } }";
  const subscription = await follow({ ...api, query, variables: { f: { tag: { eq: 1 } } } });

  await vi.waitUntil(() => subscription.error() !== undefined, WAIT);
  expect(subscription.error()?.[0]?.extensions).toEqual({ code: "BAD_USER_INPUT", path: ["filter", "tag", "eq"] });
});

test("a mutation needs a token that may write", async () => {
  const api = await installation.startApi();
  const subscription = await follow({ ...api, query: 'mutation { deleteZone(id: "z") { id } }' });

  await vi.waitUntil(() => subscription.error() !== undefined, WAIT);
  expect(subscription.error()?.[0]?.extensions["code"]).toBe("FORBIDDEN");
});

test("after complete nothing more comes, and the id is free again", async () => {
  const api = await installation.startApi();
  const client = await connect(api.url);
  onTestFinished(() => client.drop());
  const idsOfNext = () => client.messages.flatMap(({ type, id }) => (type === "next" ? [id] : []));
  client.send(init(token));
  client.send(subscribe("1"));
  client.send(subscribe("2"));
  await vi.waitUntil(() => client.messages.length > 0, WAIT);
  await installation.record(created("before"));
  await vi.waitUntil(() => idsOfNext().length === 2, WAIT);
  client.send({ id: "1", type: "complete" });
  client.send({ type: "ping", payload: { n: 1 } });
  await vi.waitUntil(() => client.messages.some(({ type }) => type === "pong"), WAIT);

  await installation.record(created("between"));
  await vi.waitUntil(() => idsOfNext().length === 3, WAIT);
  client.send(subscribe("1"));
  client.send({ type: "ping", payload: { n: 2 } });
  await vi.waitUntil(() => client.messages.filter(({ type }) => type === "pong").length === 2, WAIT);
  await installation.record(created("after"));

  await vi.waitUntil(() => idsOfNext().length === 5, WAIT);
  expect(idsOfNext().slice(2).sort()).toEqual(["1", "2", "2"]);
  expect(client.messages).toContainEqual({ type: "pong", payload: { n: 2 } });
});

test("the server that stops says so, and clients of graphql-ws get on with the cursor elsewhere", async () => {
  const first = await installation.startApi();
  const second = await installation.startApi();
  let url = first.url;
  const client = createClient({
    url: () => url.replace(/^http/, "ws"),
    webSocketImpl: WebSocket,
    connectionParams: { "x-token-id": token.id, "x-token-value": token.value },
    retryAttempts: 10,
    retryWait: async () => undefined,
  });
  onTestFinished(() => void client.dispose());
  const codes: number[] = [];
  client.on("closed", (event) => codes.push((event as { code: number }).code));
  const reported: unknown[] = [];
  let cursor: unknown;
  const take = (result: { data?: unknown; extensions?: Record<string, unknown> | null }) => {
    reported.push((result.data as { tracks: { message: { id: string } } }).tracks.message.id);
    cursor = result.extensions?.["cursor"];
  };
  const ask = () =>
    new Promise<void>((resolve) => {
      // graphql-ws sends the payload again when it reconnects; a getter makes it the newest cursor.
      const payload = {
        query: TRACKS,
        get extensions() {
          return cursor === undefined ? {} : { cursor };
        },
      };
      client.subscribe(payload, { next: take, error: () => resolve(), complete: resolve });
    });
  void ask();
  await vi.waitUntil(() => reported.length > 0 || codes.length === 0, WAIT);
  const probe = await follow({ ...first, query: TRACKS });
  await installation.record(created("one"));
  await vi.waitUntil(() => reported.includes("one"), WAIT);

  url = second.url;
  await Promise.all([first.stop(), installation.record(created("two"))]);
  await vi.waitUntil(() => reported.includes("two"), WAIT);
  await installation.record(created("three"));
  await vi.waitUntil(() => reported.includes("three"), WAIT);

  expect(reported).toEqual(["one", "two", "three"]);
  expect(codes).toEqual([1001]);
  expect((await probe.client.closed).code).toBe(1001);
});

const answersOf = (messages: readonly { readonly type: string; readonly id?: string }[], kind: string) =>
  messages.filter(({ type }) => type === kind).map(({ id }) => id);

test("a thousand queries sent at once on one socket are all answered, beside its subscriptions", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTIONS_PER_CONNECTION: "1" });
  const { client, ...subscription } = await follow({ ...api, query: TRACKS });
  const ids = Array.from({ length: 1_000 }, (_, i) => `q${i}`);

  for (const id of ids) client.send(subscribe(id, "{ __typename }"));
  client.send(subscribe("one too many"));

  await vi.waitUntil(() => answersOf(client.messages, "complete").length >= ids.length, WAIT);
  expect(answersOf(client.messages, "complete")).toEqual(ids);
  expect(answersOf(client.messages, "next")).toEqual(ids);
  expect(subscription.error()).toMatchObject([
    { message: expect.stringContaining("API_SUBSCRIPTIONS_PER_CONNECTION") },
  ]);
  await installation.record(created("after a thousand"));
  await vi.waitUntil(() => answersOf(client.messages, "next").at(-1) === "1", WAIT);
});

test("the text of a connection's subscriptions is bounded, and what has ended makes room again", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTION_BYTES_PER_CONNECTION: "2000" });
  const client = await connect(api.url);
  onTestFinished(() => client.drop());
  client.send(init(token));
  const long = (id: string) => subscribe(id, `subscription { tracks { message { id } } } #${"x".repeat(1_100)}`);

  client.send(long("first"));
  client.send(long("second"));
  await vi.waitUntil(() => answersOf(client.messages, "error").length === 1, WAIT);
  client.send({ id: "first", type: "complete" });
  client.send(long("third"));
  client.send(long("fourth"));
  await vi.waitUntil(() => answersOf(client.messages, "error").length === 2, WAIT);

  expect(answersOf(client.messages, "error")).toEqual(["second", "fourth"]);
  const [refused] = client.messages.filter(({ type }) => type === "error");
  expect(refused).toMatchObject({
    payload: [{ message: expect.stringContaining("API_SUBSCRIPTION_BYTES_PER_CONNECTION") }],
  });
});

test("the text of all subscriptions is bounded, whatever socket or stream they come through, and who leaves makes room", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTION_BYTES: "4000" });
  const [one, other] = [await connect(api.url), await connect(api.url)];
  onTestFinished(() => other.drop());
  const long = (id: string) => subscribe(id, `subscription { tracks { message { id } } } #${"x".repeat(2_000)}`);
  for (const client of [one, other]) client.send(init(token));

  one.send(long("first"));
  one.send(subscribe("asked", "{ __typename }"));
  await vi.waitUntil(() => answersOf(one.messages, "complete").length === 1, WAIT);
  other.send(long("second"));
  await vi.waitUntil(() => answersOf(other.messages, "error").length === 1, WAIT);
  const unavailable = [
    { message: expect.stringContaining("API_SUBSCRIPTION_BYTES"), extensions: { code: "UNAVAILABLE" } },
  ];
  expect(other.messages.find(({ type }) => type === "error")).toMatchObject({ payload: unavailable });
  one.drop();
  await one.closed;
  await vi.waitUntil(async () => (await api.connections()) === 1, WAIT);
  other.send(long("third"));
  other.send(subscribe("asked", "{ __typename }"));
  await vi.waitUntil(() => answersOf(other.messages, "complete").length === 1, WAIT);

  expect(answersOf(other.messages, "error")).toEqual(["second"]);
});

test("one token has a share of the text of all subscriptions, over all of its sockets, and others keep theirs", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTION_BYTES_PER_TOKEN: "4000" });
  const clients = await Promise.all([connect(api.url), connect(api.url), connect(api.url)]);
  onTestFinished(() => {
    for (const client of clients) client.drop();
  });
  const [one, same, other] = clients;
  const long = (id: string) => subscribe(id, `subscription { tracks { message { id } } } #${"x".repeat(2_000)}`);
  for (const client of [one, same]) client.send(init(token));
  other.send(init(installation.createToken("read")));

  one.send(long("first"));
  one.send(subscribe("asked", "{ __typename }"));
  await vi.waitUntil(() => answersOf(one.messages, "complete").length === 1, WAIT);
  for (const client of [same, other]) {
    client.send(long("second"));
    client.send(subscribe("asked", "{ __typename }"));
    await vi.waitUntil(() => answersOf(client.messages, "complete").length === 1, WAIT);
  }

  const message = "too many subscriptions with this token here (API_SUBSCRIPTION_BYTES_PER_TOKEN)";
  expect(same.messages.find(({ type }) => type === "error")).toMatchObject({
    payload: [{ message, extensions: { code: "UNAVAILABLE", retryAfterMs: 1_000 } }],
  });
  expect(answersOf(other.messages, "error")).toEqual([]);
  one.send({ id: "first", type: "complete" });
  one.send(subscribe("asked again", "{ __typename }"));
  await vi.waitUntil(() => answersOf(one.messages, "complete").length === 2, WAIT);
  same.send(long("third"));
  same.send(subscribe("asked again", "{ __typename }"));
  await vi.waitUntil(() => answersOf(same.messages, "complete").length === 2, WAIT);
  expect(answersOf(same.messages, "error")).toEqual(["second"]);
});

test("an operation that finds no room is refused, and the connection goes on", async () => {
  const held = Promise.withResolvers<null>();
  const settings = { API_SUBSCRIPTION_OPERATIONS: "1", API_SUBSCRIPTION_OPERATIONS_WAITING: "2" };
  const api = await installation.startApi(settings, { Query: { zone: () => held.promise } });
  const client = await connect(api.url);
  onTestFinished(() => client.drop());
  client.send(init(token));

  for (const id of ["runs", "waits", "taken back"]) client.send(subscribe(id, '{ zone(id: "z") { id } }'));
  client.send(subscribe("refused", "{ __typename }"));
  client.send({ id: "taken back", type: "complete" });
  client.send(subscribe("waits too", "{ __typename }"));
  await vi.waitUntil(() => answersOf(client.messages, "error").length > 0, WAIT);
  held.resolve(null);
  await vi.waitUntil(() => answersOf(client.messages, "complete").length === 3, WAIT);

  expect(client.messages.find(({ type }) => type === "error")).toMatchObject({
    ...{ id: "refused", payload: [{ extensions: { code: "UNAVAILABLE", retryAfterMs: 1_000 } }] },
  });
  expect(answersOf(client.messages, "complete")).toEqual(["runs", "waits", "waits too"]);
});

test("a subscription that is followed leaves its place among the operations to others", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTION_OPERATIONS: "1" });
  const client = await connect(api.url);
  onTestFinished(() => client.drop());
  client.send(init(token));

  for (const id of ["1", "2", "3"]) client.send(subscribe(id));
  client.send(subscribe("query", "query subscription { __typename }"));

  await vi.waitUntil(() => answersOf(client.messages, "complete").length > 0, WAIT);
  await installation.record(created("for all three"));
  await vi.waitUntil(() => answersOf(client.messages, "next").length === 4, WAIT);
  expect(answersOf(client.messages, "next").sort()).toEqual(["1", "2", "3", "query"]);
});

test("what comes of an operation that was taken back is not given to the next one of its id", async () => {
  const held = Promise.withResolvers<null>();
  const api = await installation.startApi({}, { Query: { zone: () => held.promise } });
  const client = await connect(api.url);
  onTestFinished(() => client.drop());
  client.send(init(token));
  client.send(subscribe("1", '{ zone(id: "z") { id } }'));
  client.send({ id: "1", type: "complete" });

  client.send(subscribe("1", '{ later: __typename zone(id: "z") { id } }'));
  held.resolve(null);

  await vi.waitUntil(() => answersOf(client.messages, "complete").length > 0, WAIT);
  expect(client.messages.filter(({ type }) => type === "next")).toEqual([
    { id: "1", type: "next", payload: { data: { later: "Query", zone: null } } },
  ]);
});

test("a client that does not answer pings is closed", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTION_KEEP_ALIVE_MS: "300" });
  const silent = await follow({ ...api, query: TRACKS });
  const lively = await follow({ ...api, query: TRACKS });

  silent.client.pause();

  const asked = lively.client.pings();
  await vi.waitUntil(() => lively.client.pings() >= asked + 3, WAIT);
  silent.client.resume();
  expect((await silent.client.closed).code).toBe(4431);
  await vi.waitUntil(async () => (await api.connections()) === 1, WAIT);
  await installation.record(created("still here"));
  await lively.atLeast(1);
});
