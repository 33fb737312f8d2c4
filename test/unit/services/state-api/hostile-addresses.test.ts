// Every member that names an address, through the whole interface: no store is reached before the address is judged.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { hostileHosts, hostileTexts } from "../common/outbound/hostile-addresses.ts";
import { query } from "./chronicle-api.ts";
import { serveUnstarted } from "./unstarted.ts";

const OWN = "http://127.0.0.1:4000/graphql";

/** Callers need no token, but the one in a subscription's credentials is none of ours. */
const serve = (lists: Readonly<Record<string, string>> = {}) =>
  serveUnstarted({ STATE_API_AUTH: "off", STATE_API_GRAPHQL_URL: OWN, ...lists });

type App = ReturnType<typeof serve>;

const subscription = (address: object, credentials: object = {}) => ({
  method: "POST" as const,
  url: "/api/subscriptions/a",
  payload: {
    ...{
      webhook_url: "https://hooks.example.com/a",
      workflow_name: "a",
      mode: "streaming",
      signal_type: "track_state",
    },
    credentials: { x_token_id: "id", x_token_value: "value", ...credentials },
    ...address,
  },
});

/** [scheme, pointer, request that names the address] */
const members = [
  ["https", "#/webhook_url", (url: string) => subscription({ webhook_url: url })],
  ["https", "#/credentials/graphql_url", (url: string) => subscription({}, { graphql_url: url })],
  ["wss", "#/credentials/ws_url", (url: string) => subscription({}, { ws_url: url })],
  [
    "http",
    "#/headers/x-graphql-url",
    (url: string) => ({
      ...{ method: "POST" as const, url: "/api/tracks/snapshot", headers: { "x-graphql-url": url } },
      payload: { tracks: [{ track_id: "t", timestamp: "2026-01-01T00:00:00Z" }] },
    }),
  ],
  [
    "http",
    "#/credentials/graphql_url",
    (url: string) => ({
      ...{ method: "POST" as const, url: "/api/chronicles/query" },
      payload: query(url, {}),
    }),
  ],
] as const;

let byDefault: App;
beforeAll(() => {
  byDefault = serve();
});
afterAll(() => byDefault.close());

/** An HTTP header cannot carry the others. */
const fitsHeader = (text: string) => /^[\x21-\x7e]+$/.test(text);

test.each(members)("%s in %s: no hostile address gets through", async (scheme, pointer, asking) => {
  const addresses = [...hostileHosts.map(([host]) => `${scheme}://${host}`), ...hostileTexts];
  const sent = pointer.startsWith("#/headers") ? addresses.filter(fitsHeader) : addresses;

  const answers = await Promise.all(
    sent.map(async (address) => {
      const answer = await byDefault.inject(asking(address));
      return [address, answer.statusCode, answer.json().errors?.[0]?.pointer];
    }),
  );

  expect(answers).toEqual(sent.map((address) => [address, 400, pointer]));
  expect(sent.length).toBeGreaterThan(60);
});

test("our own API may be the server of a subscription", async () => {
  const ws = OWN.replace("http", "ws");

  for (const credentials of [{ graphql_url: OWN }, { graphql_url: OWN, ws_url: ws }]) {
    const { statusCode, body } = await byDefault.inject(subscription({}, credentials));
    expect(statusCode, body).toBe(401);
  }
  expect((await byDefault.inject(subscription({ webhook_url: OWN }))).statusCode).toBe(400);
});

test.each([
  ["graphql_url", OWN.replace("http", "ws")],
  ["ws_url", OWN],
])("our own API as %s with the scheme of the other is refused", async (member, url) => {
  const answer = await byDefault.inject(subscription({}, { [member]: url }));

  expect([answer.statusCode, answer.json().errors?.[0]?.pointer]).toEqual([400, `#/credentials/${member}`]);
});

test.each([
  "http://127.0.0.1:4000/",
  "http://127.0.0.1:4000/graphql/",
  "http://127.0.0.1:4000/./graphql",
  "http://127.0.0.1:4000/graphql?query={a}",
  "http://127.0.0.1:4000/graphql#",
  "http://127.0.0.1:4000\\graphql",
  "http:127.0.0.1:4000/graphql",
  "http://127.0.0.1:4000/gra\tphql",
  " http://127.0.0.1:4000/graphql",
  "http://127.0.0.1:4001/graphql",
  "http://127.0.0.1/graphql",
  "https://127.0.0.1:4000/graphql",
  "http://localhost:4000/graphql",
  "http://2130706433:4000/graphql",
  "http://0x7f.1:4000/graphql",
  "http://[::ffff:127.0.0.1]:4000/graphql",
  "http://user@127.0.0.1:4000/graphql",
  "http://127.0.0.1:4000/graphql@example.com",
  "http://127.0.0.2:4000/graphql",
])("%j is not our own API", async (url) => {
  const asGraphQL = await byDefault.inject(subscription({}, { graphql_url: url }));
  const asSocket = await byDefault.inject(subscription({}, { ws_url: url.replace("http", "ws") }));

  expect([asGraphQL.statusCode, asGraphQL.json().errors?.[0]?.pointer]).toEqual([400, "#/credentials/graphql_url"]);
  expect([asSocket.statusCode, asSocket.json().errors?.[0]?.pointer]).toEqual([400, "#/credentials/ws_url"]);
});

test("what is listed gets through to the check of the token", async () => {
  const listed = hostileHosts.filter(([, letThrough]) => letThrough !== undefined);
  const all = (list: "domains" | "cidrs") => listed.flatMap(([, letThrough]) => letThrough?.[list] ?? []).join();
  const app = serve({ ALLOWED_URL_DOMAINS: all("domains"), ALLOWED_URL_CIDRS: all("cidrs") });
  onTestFinished(() => app.close());

  for (const [host] of listed) {
    for (const [scheme, , asking] of members.slice(0, 3)) {
      const { statusCode, body } = await app.inject(asking(`${scheme}://${host}`));
      expect([host, statusCode], body).toEqual([host, 401]);
    }
  }
  expect(listed.length).toBeGreaterThan(40);
});
