import { request } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { created } from "../../support/scenes/feed-events.ts";
import { createInstallation } from "./installation.ts";
import { connect } from "./raw-client.ts";
import { follow, init, WAIT } from "./subscription.ts";

const installation = await createInstallation();
const TRACKS = "subscription { tracks { state message { id } } }";
const MUTATION = 'mutation { deleteZone(id: "z") { id } }';
const subscribe = (id: string, query: string) => ({ id, type: "subscribe", payload: { query } });
const headersOf = ({ id, value }: { readonly id: string; readonly value: string }) => ({
  ...{ "x-token-id": id, "x-token-value": value },
  "content-type": "application/json",
});

/** An instance that counts mutations and does not ping its clients. */
async function start() {
  const ran: unknown[] = [];
  const deleteZone = (_: unknown, { id }: { readonly id: string }) => {
    ran.push(id);
    return null;
  };
  const api = await installation.startApi({ API_SUBSCRIPTION_KEEP_ALIVE_MS: "600000" }, { Mutation: { deleteZone } });
  return { ...api, ran };
}

test("with the token its subscriptions end at once, those of others go on", async () => {
  const api = await start();
  const token = installation.createToken("read");
  const revoked = await follow({ ...api, token, query: TRACKS });
  const other = await follow({ ...api, query: TRACKS });

  token.revoke();
  await installation.record(created("t"));

  expect(await revoked.client.closed).toEqual({ code: 4401, reason: "Unauthorized" });
  await other.atLeast(1);
  expect(revoked.received()).toEqual([]);
});

test("with the token its event streams end at once", async () => {
  const api = await start();
  const token = installation.createToken("read");
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const headers = { ...headersOf(token), accept: "text/event-stream" };
  const init = { method: "POST", headers, body: JSON.stringify({ query: TRACKS }), signal: abort.signal };
  const stream = await fetch(api.url, init);

  token.revoke();

  expect(await stream.text()).toBe("");
  expect((await fetch(api.url, init)).status).toBe(401);
});

test.for(["when its token is revoked", "when the server stops"])(
  "%s a client that does not hang up can do nothing more on its socket",
  async (when) => {
    const api = await start();
    const token = installation.createToken("write");
    const client = await connect(api.url);
    onTestFinished(() => client.drop());
    client.send(init(token));
    client.send(subscribe("1", MUTATION));
    await vi.waitUntil(() => client.messages.some(({ type }) => type === "complete"), WAIT);

    client.pause();
    if (when === "when the server stops") void api.stop();
    else token.revoke();
    client.send(subscribe("2", MUTATION));
    client.resume();

    await client.closed;
    expect(api.ran).toEqual(["z"]);
  },
);

test("what waits for its turn when the token is revoked is not done", async () => {
  const ran: unknown[] = [];
  const first = Promise.withResolvers<null>();
  const deleteZone = (_: unknown, { id }: { readonly id: string }) => {
    ran.push(id);
    return first.promise;
  };
  const api = await installation.startApi({ API_SUBSCRIPTION_OPERATIONS: "1" }, { Mutation: { deleteZone } });
  const token = installation.createToken("write");
  const client = await connect(api.url);
  onTestFinished(() => client.drop());
  client.send(init(token));
  client.send(subscribe("1", MUTATION));
  client.send(subscribe("2", MUTATION));
  await vi.waitUntil(() => ran.length > 0, WAIT);

  token.revoke();
  first.resolve(null);

  expect((await client.closed).code).toBe(4401);
  expect(ran).toEqual(["z"]);
});

test("a request whose token is revoked while its body is on the way is refused", async () => {
  const api = await start();
  const token = installation.createToken("write");
  const body = JSON.stringify({ query: MUTATION });
  const answered = Promise.withResolvers<number | undefined>();
  const sending = request(api.url, { method: "POST", headers: { ...headersOf(token), "content-length": body.length } });
  sending.on("response", (response) => {
    response.resume();
    answered.resolve(response.statusCode);
  });
  sending.on("error", answered.reject);
  sending.write(body.slice(0, 10));
  await vi.waitUntil(async () => (await api.connections()) === 1, WAIT);
  // The answer follows the first part: the same process serves both in order.
  await (await fetch(api.url, { method: "POST", headers: headersOf(installation.token), body })).text();

  token.revoke();
  sending.end(body.slice(10));

  expect(await answered.promise).toBe(401);
  expect(api.ran).toEqual([]);
});
