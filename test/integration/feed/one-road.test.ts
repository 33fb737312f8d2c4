// The same operation over POST, a WebSocket and an event stream: each transport executes, answers and refuses it alike.
import { type GraphQLResolveInfo, isScalarType } from "graphql";
import { expect, onTestFinished, test, vi } from "vitest";
import { createInstallation, type Instance } from "./installation.ts";
import { connect } from "./raw-client.ts";
import { init, WAIT } from "./subscription.ts";

const installation = await createInstallation();
const token = installation.createToken("admin");
const headers = { "content-type": "application/json", "x-token-id": token.id, "x-token-value": token.value };

interface Body {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

type Ask = (api: Instance, body: Body | string) => Promise<unknown>;

const textOf = (body: Body | string): string => (typeof body === "string" ? body : JSON.stringify(body));

const overPost: Ask = async ({ url }, body) =>
  (await fetch(url, { method: "POST", headers, body: textOf(body) })).json();

const overEventStream: Ask = async ({ url }, body) => {
  const accept = "text/event-stream";
  const response = await fetch(url, { method: "POST", headers: { ...headers, accept }, body: textOf(body) });
  const text = await response.text();
  // A body that is no operation is refused before there is a stream.
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
};

const overWebSocket: Ask = async ({ url }, body) => {
  const client = await connect(url);
  onTestFinished(() => client.drop());
  client.send(init(token));
  client.sendText(`{"id":"1","type":"subscribe","payload":${textOf(body)}}`);
  const isAnswer = ({ id }: { readonly id?: string }) => id === "1";
  await vi.waitUntil(() => client.messages.some(isAnswer), WAIT);
  const answer = client.messages.find(isAnswer);
  return answer?.type === "error" ? { errors: answer.payload } : answer?.payload;
};

const roads = { overPost, overEventStream, overWebSocket };

const detection = { trackId: "t", timestamp: "2026-01-01T00:00:00Z" };
const CREATE = "mutation ($d: [CreateDetectionInput!]!) { createDetections(detections: $d) { id } }";
const ZONES = "query ($filter: FilterZoneInput) { zones(filter: $filter) { totalCount } }";
const deep = 20_000;

const cases: readonly [what: string, body: Body | string][] = [
  ["a query", { query: '{ zone(id: "z") { id } }' }],
  ["a mutation", { query: CREATE, variables: { d: [detection] } }],
  ["an empty document", { query: "" }],
  ["a syntax error", { query: "{" }],
  ["a document in JSON", { query: '{"kind":"Document","definitions":[]}' }],
  ["an unknown field", { query: "{ nothing }" }],
  ["a wrong argument", { query: '{ zones(first: "many") { totalCount } }' }],
  ["a missing argument", { query: "{ zone { id } }" }],
  ["an operation name that does not exist", { query: "query A { __typename }", operationName: "B" }],
  ["several operations without a name", { query: "query A { __typename } query B { __typename }" }],
  ["a missing variable", { query: CREATE }],
  ["a wrong ingest input", { query: CREATE, variables: { d: [detection, { ...detection, timestamp: "x" }] } }],
  ["a wrong literal ingest input", { query: "mutation { createDetections(detections: [{ trackId: 1 }]) { id } }" }],
  ["a wrong filter", { query: ZONES, variables: { filter: { name: 1 } } }],
  ["a page that is too large", { query: "{ zones(first: 5000) { totalCount } }" }],
  [
    "too dear",
    { query: "{ tracks(first: 1000) { edges { node { detections(first: 1000) { tag zones { id } } } } } }" },
  ],
  ["too many aliases", { query: `{ ${Array.from({ length: 200 }, (_, i) => `a${i}: __typename`).join(" ")} }` }],
  ["too many tokens", { query: `{ ${"__typename ".repeat(60_000)} }` }],
  ["a document too deep to be parsed", { query: `{ a ${"{ a ".repeat(deep)}` }],
  [
    "a document too deep to be measured",
    {
      query: `{ ...F0 } ${Array.from({ length: 5_500 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} }`).join(" ")}`,
    },
  ],
  [
    "values too deep to be coerced",
    `{"query":"${ZONES}","variables":{"filter":${'{"not":'.repeat(deep)}{}${"}".repeat(deep)}}}`,
  ],
  ["a position that is none", { query: "{ __typename }", extensions: { "x-min-position": "somewhere" } }],
  ["a failing resolver", { query: '{ dataSource(id: "fails") { id } }' }],
];

const resolvers = {
  Query: {
    zone: () => null,
    dataSource: () => {
      throw new Error("a secret");
    },
  },
  Mutation: {
    createDetections: (_root: unknown, _args: unknown, context: { positions: unknown[] }) => {
      context.positions.push({ topic: "camera-log", partition: 1, offset: 2 });
      return [];
    },
  },
};

test.for(cases)("%s is answered alike on every road", async ([, body]) => {
  const api = await installation.startApi({}, resolvers);

  const [post, eventStream, webSocket] = [
    await overPost(api, body),
    await overEventStream(api, body),
    await overWebSocket(api, body),
  ];

  expect(webSocket).toEqual(post);
  expect(eventStream).toEqual(post);
});

/** The protocol of the WebSocket has a code for them. */
const malformed: readonly [what: string, body: Body][] = [
  ["variables that are no object", { query: "{ __typename }", variables: [] }],
  ["an operation name that is no string", { query: "{ __typename }", operationName: 1 }],
  ["extensions that are no object", { query: "{ __typename }", extensions: [] }],
];

test.for(malformed)("%s is refused alike over HTTP, and closes a WebSocket", async ([, body]) => {
  const api = await installation.startApi({}, resolvers);
  const client = await connect(api.url);
  onTestFinished(() => client.drop());

  const [post, eventStream] = [await overPost(api, body), await overEventStream(api, body)];
  client.send(init(token));
  client.send({ id: "1", type: "subscribe", payload: body });

  expect(post).toMatchObject({ errors: [{ extensions: { code: "BAD_USER_INPUT" } }] });
  expect(eventStream).toEqual(post);
  expect((await client.closed).code).toBe(4400);
});

test.for(Object.entries(roads))("%s mutations are executed with the ingest twin", async ([, ask]) => {
  const twins: boolean[] = [];
  const createDetections = (_root: unknown, _args: unknown, _context: unknown, { schema }: GraphQLResolveInfo) => {
    twins.push(isScalarType(schema.getType("CreateDetectionInput")));
    return [];
  };
  const api = await installation.startApi({}, { Mutation: { createDetections } });

  expect(await ask(api, { query: CREATE, variables: { d: [detection] } })).toEqual({ data: { createDetections: [] } });
  expect(twins).toEqual([true]);
});

test.for(Object.entries(roads))("%s a query waits for the position that it names", async ([, ask]) => {
  const wanted: unknown[] = [];
  const zone = (_root: unknown, _args: unknown, { minPosition }: { minPosition: unknown }) => {
    wanted.push(minPosition);
    return null;
  };
  const api = await installation.startApi({}, { Query: { zone } });
  const extensions = { "x-min-position": "camera-log:1:7" };

  expect(await ask(api, { query: '{ zone(id: "z") { id } }', extensions })).toEqual({ data: { zone: null } });
  expect(wanted).toEqual([[{ topic: "camera-log", partition: 1, offset: 7 }]]);
});

test("the position of an event stream may be in the header, as with POST", async () => {
  const wanted: unknown[] = [];
  const zone = (_root: unknown, _args: unknown, { minPosition }: { minPosition: unknown }) => {
    wanted.push(minPosition);
    return null;
  };
  const api = await installation.startApi({}, { Query: { zone } });
  const query = '{ zone(id: "z") { id } }';

  for (const accept of ["application/json", "text/event-stream"]) {
    const more = { accept, "x-min-position": "camera-log:1:7" };
    await (
      await fetch(api.url, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify({ query }) })
    ).text();
  }

  expect(wanted).toHaveLength(2);
  expect(wanted[1]).toEqual(wanted[0]);
});

test("what waits on WebSockets takes room from the same intake as requests", async () => {
  const held = Promise.withResolvers<null>();
  // One token has three quarters of it at most: room for one of the long operations and some short ones.
  const settings = { API_SUBSCRIPTION_OPERATIONS: "1", API_INTAKE_BYTES: "22000" };
  const api = await installation.startApi(settings, { Query: { zone: () => held.promise } });
  const zone = { query: '{ zone(id: "z") { id } }' };
  const [first, second] = [await connect(api.url), await connect(api.url)];
  const long = { query: `{ __typename } #${"x".repeat(15_000)}` };

  for (const client of [first, second]) {
    onTestFinished(() => client.drop());
    client.send(init(token));
    client.send({ id: "runs", type: "subscribe", payload: zone });
    client.send({ id: "waits", type: "subscribe", payload: long });
    client.send({ type: "ping" });
    await vi.waitUntil(() => client.messages.some(({ type }) => type === "pong"), WAIT);
  }

  await vi.waitUntil(() => second.messages.some(({ type }) => type === "error"), WAIT);
  expect(second.messages.find(({ type }) => type === "error")).toMatchObject({
    ...{ id: "waits", payload: [{ extensions: { code: "UNAVAILABLE", retryAfterMs: 1_000 } }] },
  });
  held.resolve(null);
  await vi.waitUntil(() => first.messages.filter(({ type }) => type === "complete").length === 2, WAIT);
  expect(await overPost(api, { query: "{ __typename }" })).toEqual({ data: { __typename: "Query" } });
});

const ENDS = new Set(["complete", "error"]);

const floods: readonly [what: string, payload: Body, code: string | undefined][] = [
  ["queries", { query: "{ __typename }", variables: { long: "x".repeat(300_000) } }, undefined],
  ["subscriptions", { query: `subscription { nothing } #${"x".repeat(300_000)}` }, "BAD_USER_INPUT"],
];

test.for(floods)(
  "%s of several WebSockets at once find room in the intake, or are refused",
  async ([, payload, code]) => {
    const api = await installation.startApi({ API_INTAKE_BYTES: "1000000" });
    const clients = await Promise.all(Array.from({ length: 10 }, () => connect(api.url)));
    const ids = ["1", "2", "3", "4", "5", "6", "7", "8"];

    for (const client of clients) {
      onTestFinished(() => client.drop());
      client.send(init(token));
      for (const id of ids) client.send({ id, type: "subscribe", payload });
    }
    const ends = () => clients.flatMap(({ messages }) => messages.filter(({ type }) => ENDS.has(type)));
    await vi.waitUntil(() => ends().length === clients.length * ids.length, WAIT);

    const codes = ends().map(({ payload }) => payload?.[0].extensions.code);
    expect(new Set(codes)).toEqual(new Set([code, "UNAVAILABLE"]));
    expect(await overPost(api, { query: "{ __typename }" })).toEqual({ data: { __typename: "Query" } });
  },
);

test("a mutation is not taken from a URL, whoever sends it", async () => {
  const api = await installation.startApi({}, resolvers);
  const url = `${api.url}?query=${encodeURIComponent("mutation { createDetections(detections: []) { id } }")}`;

  const response = await fetch(url, { headers: { ...headers, accept: "text/event-stream" } });

  expect(await response.text()).toContain("a mutation is sent with POST");
});
