// Sessions of the clients that most programs use: graphql-ws and graphql-sse, as their packages are.
import { createClient as createSseClient } from "graphql-sse";
import { CloseCode, createClient } from "graphql-ws";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { created } from "../../support/scenes/feed-events.ts";
import { createInstallation, type Instance } from "./installation.ts";
import { WAIT } from "./subscription.ts";

const installation = await createInstallation();
const { token } = installation;
const headers = { "x-token-id": token.id, "x-token-value": token.value };
const TRACKS = "subscription { tracks { message { id } } }";

type Options = Partial<Parameters<typeof createClient>[0]>;

function clientOf({ url }: Instance, more: Options = {}) {
  const client = createClient({
    url: url.replace(/^http/, "ws"),
    webSocketImpl: WebSocket,
    connectionParams: headers,
    retryAttempts: 0,
    ...more,
  });
  onTestFinished(() => void client.dispose());
  return client;
}

/** A socket that sends something else than the client means to. */
const sending = (instead: (message: { readonly type: string }, text: string) => readonly string[]) =>
  class extends WebSocket {
    override send(text: string): void {
      for (const each of instead(JSON.parse(text), text)) super.send(each);
    }
  };

const misuses: readonly [what: string, code: number, options: Options, settings?: Record<string, string>][] = [
  ["a message that is not JSON", CloseCode.BadRequest, { webSocketImpl: sending((_, text) => [text.slice(1)]) }],
  ["a wrong token", CloseCode.Unauthorized, { connectionParams: { ...headers, "x-token-value": "guess" } }],
  ["no token", CloseCode.Unauthorized, { connectionParams: {} }],
  [
    "an operation instead of connection_init",
    CloseCode.Unauthorized,
    { webSocketImpl: sending(() => [JSON.stringify({ id: "1", type: "subscribe", payload: { query: TRACKS } })]) },
  ],
  [
    "no connection_init",
    CloseCode.ConnectionInitialisationTimeout,
    { webSocketImpl: sending(() => []) },
    { API_SUBSCRIPTION_INIT_TIMEOUT_MS: "100" },
  ],
  [
    "each subscription twice",
    CloseCode.SubscriberAlreadyExists,
    { webSocketImpl: sending(({ type }, text) => (type === "subscribe" ? [text, text] : [text])) },
  ],
  [
    "connection_init twice",
    CloseCode.TooManyInitialisationRequests,
    { webSocketImpl: sending(({ type }, text) => (type === "connection_init" ? [text, text] : [text])) },
  ],
];

test.for(misuses)("graphql-ws that sends %s is closed with %i", async ([, code, options, settings]) => {
  const client = clientOf(await installation.startApi(settings), options);

  const ended = new Promise((_resolve, error) => {
    client.subscribe({ query: TRACKS }, { next: () => undefined, error, complete: () => undefined });
  });

  await expect(ended).rejects.toMatchObject({ code });
});

test("graphql-ws: a thousand operations on one socket, with pings between them", async () => {
  const client = clientOf(await installation.startApi(), { lazy: false, keepAlive: 10 });
  let sockets = 0;
  let pongs = 0;
  client.on("connected", () => (sockets += 1));
  client.on("pong", (received) => (pongs += received ? 1 : 0));
  const ask = async (query: string) => {
    for await (const result of client.iterate({ query })) return result.data;
    throw new Error("no answer");
  };

  const answers = await Promise.all(Array.from({ length: 1_000 }, (_, i) => ask(`{ answer${i}: __typename }`)));

  expect(answers).toEqual(Array.from({ length: 1_000 }, (_, i) => ({ [`answer${i}`]: "Query" })));
  const open = client.iterate({ query: TRACKS });
  const message = open.next();
  await vi.waitUntil(() => pongs > 2, WAIT);
  await installation.record(created("after a thousand"));
  expect((await message).value?.data).toEqual({ tracks: { message: { id: "after a thousand" } } });
  await open.return?.();
  expect(sockets).toBe(1);
});

interface Result {
  readonly data?: { readonly tracks?: { readonly message: { readonly id: string } } } | null;
}

type Subscribe = (
  payload: { readonly query: string },
  sink: { next(result: Result): void; error(error: unknown): void; complete(): void },
) => () => void;

function sseClientOf({ url }: Instance) {
  const client = createSseClient({ url, headers, retryAttempts: 0 });
  onTestFinished(() => client.dispose());
  return client;
}

const clients: readonly [name: string, of: (api: Instance) => { readonly subscribe: Subscribe }][] = [
  ["graphql-ws", (api) => clientOf(api, { lazy: false })],
  ["graphql-sse", sseClientOf],
];

test.for(clients)("%s: either side ends an operation, and the others go on", async ([name, createFor]) => {
  const client = createFor(await installation.startApi());
  const ends: string[] = [];
  const reported: string[] = [];
  const follow = (who: string, query: string) =>
    client.subscribe(
      { query },
      {
        next: ({ data }) => reported.push(`${who} ${data?.tracks?.message.id}`),
        error: () => ends.push(`${who} refused`),
        complete: () => ends.push(`${who} complete`),
      },
    );
  const stop = follow("stopped", TRACKS);
  follow("kept", TRACKS);
  follow("query", "{ __typename }");
  // The head of an event stream does not tell that its subscription has begun: tracks are created until both have one.
  let count = 0;
  await vi.waitUntil(async () => {
    await installation.record(created(`both ${count++} ${name}`));
    return reported.some((each) => each.startsWith("kept")) && reported.some((each) => each.startsWith("stopped"));
  }, WAIT);

  stop();
  await vi.waitUntil(() => ends.length === 2, WAIT);
  await installation.record(created(`one ${name}`));
  await vi.waitUntil(() => reported.includes(`kept one ${name}`), WAIT);

  expect(ends.sort()).toEqual(["query complete", "stopped complete"]);
  expect(reported).not.toContain(`stopped one ${name}`);
});
