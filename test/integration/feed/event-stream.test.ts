import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "graphql-sse";
import { expect, onTestFinished, test, vi } from "vitest";
import { created, detection, recorded } from "../../support/scenes/feed-events.ts";
import { createInstallation, type Instance } from "./installation.ts";
import { WAIT } from "./subscription.ts";

const installation = await createInstallation();
const { token } = installation;
const headers = { "x-token-id": token.id, "x-token-value": token.value };
const TRACKS = "subscription { tracks { state message { id } } }";

interface Event {
  readonly event: string;
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the members of a result that it reads.
  readonly data?: any;
}

interface Stream {
  readonly status: number;
  readonly events: readonly Event[];
  /** Signs of life. */
  comments(): number;
  readonly over: Promise<void>;
  close(): void;
}

/** Reads an event stream as a browser would, line by line. */
async function open({ url }: Instance, body: object | undefined, more: Record<string, string> = {}): Promise<Stream> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { accept: "text/event-stream", "content-type": "application/json", ...headers, ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: abort.signal,
  });
  const events: Event[] = [];
  let comments = 0;
  const over = read(response, events, () => {
    comments += 1;
  }).catch(() => undefined);
  return { status: response.status, events, comments: () => comments, over, close: () => abort.abort() };
}

async function read(response: Response, events: Event[], onComment: () => void): Promise<void> {
  let text = "";
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.startsWith(":")) onComment();
      else events.push(toEvent(block));
    }
  }
}

function toEvent(block: string): Event {
  const fields = Object.fromEntries(block.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line)?.slice(1) ?? []));
  return { ...fields, ...(fields["data"] ? { data: JSON.parse(fields["data"]) } : {}) };
}

const idsOf = (stream: Stream) => stream.events.flatMap(({ data }) => data?.data?.tracks?.message.id ?? []);

test("events come with the cursor as their id, and go on after it", async () => {
  const api = await installation.startApi();
  const stream = await open(api, { query: TRACKS });
  await installation.record(created("a"), created("b"));
  await vi.waitUntil(() => stream.events.length === 2, WAIT);
  stream.close();
  await installation.record(created("c"));

  const [first] = stream.events;
  const byHeader = await open(api, { query: TRACKS }, { "last-event-id": first?.id ?? "" });
  const byBody = await open(api, { query: TRACKS, extensions: { cursor: first?.data.extensions.cursor } });
  const byUrl = await open({ ...api, url: `${api.url}?query=${encodeURIComponent(TRACKS)}` }, undefined, {
    "last-event-id": first?.id ?? "",
  });

  expect(stream.events.map(({ event, id, data }) => [event, id === data.extensions.cursor])).toEqual([
    ["next", true],
    ["next", true],
  ]);
  for (const resumed of [byHeader, byBody, byUrl]) {
    await vi.waitUntil(() => resumed.events.length === 2, WAIT);
    expect(idsOf(resumed)).toEqual(["b", "c"]);
  }
});

test("the client of graphql-sse takes subscriptions, queries and refusals", async () => {
  const api = await installation.startApi();
  const client = createClient({ url: api.url, headers, retryAttempts: 0 });
  onTestFinished(() => client.dispose());
  const reported: unknown[] = [];
  const ask = (query: string, take: (result: unknown) => void) =>
    new Promise<void>((complete, error) => {
      onTestFinished(client.subscribe({ query }, { next: take, error, complete }));
    });
  const results: unknown[] = [];
  await ask("{ __typename }", (result) => results.push(result));
  await ask("subscription { nonsense }", (result) => results.push(result));
  void ask(TRACKS, (result) => reported.push(result)).catch(() => undefined);
  const probe = await open(api, { query: TRACKS });
  await vi.waitUntil(async () => (await api.connections()) >= 2, WAIT);

  await installation.record(
    created("sse", { detections: [detection("sse", 1)] }),
    recorded("cam", detection("sse", 2)),
  );

  await vi.waitUntil(() => reported.length === 2, WAIT);
  expect(reported).toMatchObject([{ data: { tracks: { state: "START" } } }, { data: { tracks: { state: "UPDATE" } } }]);
  expect(results).toMatchObject([
    { data: { __typename: "Query" } },
    { errors: [{ extensions: { code: "BAD_USER_INPUT" } }] },
  ]);
  probe.close();
});

test("without a token there is no stream, and a mutation is not taken from a URL", async () => {
  const api = await installation.startApi();
  const url = `${api.url}?query=${encodeURIComponent('mutation { deleteZone(id: "z") { id } }')}`;

  expect((await open(api, { query: TRACKS }, { "x-token-value": "guess" })).status).toBe(401);
  const mutation = await open({ ...api, url }, undefined);
  await mutation.over;
  expect([mutation.status, mutation.events[0]?.data.errors[0].extensions.code]).toEqual([200, "FORBIDDEN"]);
});

const ZONE = '{ zone(id: "z") { name } }';

/** Asks for an answer that no buffer of the network holds, and reads nothing of it for so long. */
async function readLate({ url }: Instance, pauseMs: number): Promise<number> {
  const body = JSON.stringify({ query: ZONE });
  const sent = request(url, {
    method: "POST",
    headers: { accept: "text/event-stream", "content-type": "application/json", ...headers },
  });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, "response");
  if (response === undefined) throw new Error("no response");
  let bytes = 0;
  response.pause();
  await delay(pauseMs);
  for await (const chunk of response) bytes += chunk.length;
  return bytes;
}

const LARGE = 30_000_000;
const zone = () => ({ zoneId: "z", name: "x".repeat(LARGE), createdAt: 1, updatedAt: 1 });

test("a client that reads a large answer slowly gets all of it", async () => {
  const api = await installation.startApi({}, { Query: { zone } });

  expect(await readLate(api, 4_000)).toBeGreaterThan(LARGE);
});

test("a client that reads nothing of its answer is closed", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTION_KEEP_ALIVE_MS: "300" }, { Query: { zone } });

  const late = expect(readLate(api, 4_000)).rejects.toThrow("aborted");

  await vi.waitUntil(async () => (await api.connections()) === 1, WAIT);
  await vi.waitUntil(async () => (await api.connections()) === 0, WAIT);
  await late;
});

test("queries count among the clients, get signs of life, and are answered when the server stops", async () => {
  const held = Promise.withResolvers<null>();
  const settings = { API_SUBSCRIPTION_CONNECTIONS: "2", API_SUBSCRIPTION_KEEP_ALIVE_MS: "100" };
  const api = await installation.startApi(settings, { Query: { zone: () => held.promise } });
  const [query, subscription] = [await open(api, { query: ZONE }), await open(api, { query: TRACKS })];

  expect((await open(api, { query: ZONE })).status).toBe(503);
  await vi.waitUntil(() => query.comments() > 1, WAIT);
  const stopped = api.stop();
  await subscription.over;
  held.resolve(null);
  await Promise.all([stopped, query.over]);

  expect(query.events.map(({ event, data }) => [event, data?.data])).toEqual([
    ["next", { zone: null }],
    ["complete", undefined],
  ]);
});

test("a stream takes from the room of all subscriptions, and gives it back when it ends", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTION_BYTES: "1500" });
  const first = await open(api, { query: TRACKS });
  const refused = await open(api, { query: TRACKS });
  await refused.over;

  expect(refused.events[0]?.data).toMatchObject({ errors: [{ extensions: { code: "UNAVAILABLE" } }] });
  first.close();
  await vi.waitUntil(async () => (await api.connections()) === 0, WAIT);
  const second = await open(api, { query: TRACKS });
  await installation.record(created("after room"));
  await vi.waitUntil(() => second.events.length > 0, WAIT);
  expect(second.events[0]?.data).not.toHaveProperty("errors");
});

test("a server that stops breaks the stream off, without saying that it is complete", async () => {
  const api = await installation.startApi();
  const stream = await open(api, { query: TRACKS });
  await installation.record(created("last"));
  await vi.waitUntil(() => stream.events.length === 1, WAIT);

  await Promise.all([api.stop(), stream.over]);

  expect(stream.events.map(({ event }) => event)).toEqual(["next"]);
});
