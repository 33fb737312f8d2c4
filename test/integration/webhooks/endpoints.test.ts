// The delivery log and what may be asked of it, over the REST interface, with a projector beside.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { FULL_OUTBOX_BYTES } from "../../../projections/webhooks/deliveries/outbox-bounds.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { assembleProjector } from "../../../services/projector/assemble.ts";
import { projectorEnv } from "../../../services/projector/config.ts";
import { assembleStateApi } from "../../../services/state-api/assemble.ts";
import { stateApiEnv } from "../../../services/state-api/shared/config.ts";
import { answering, type Behaviour, startReceiver } from "../../support/clients/receivers.ts";
import { until } from "../../support/running/processes.ts";
import { type Ask, askAt } from "../state-api/services.ts";
import { createWebhooks, type Webhooks } from "./installation.ts";

let webhooks: Webhooks;
let service: ReturnType<Webhooks["start"]>;
let ask: Ask;
const stopRequest = Promise.withResolvers<void>();
const running: Promise<void>[] = [];

beforeAll(async () => {
  webhooks = await createWebhooks({ WEBHOOKS_STOP_AFTER_FAILURES: "3", WEBHOOKS_TIMEOUT_MS: "60000" });
  await webhooks.openHistory();
  const { codec, log, namespace } = webhooks;
  const { id, value } = await webhooks.tokens.create("test", ["read", "write"]);
  const port = await freePort();
  const config = { ...webhooks.config(stateApiEnv), STATE_API_HOST: "127.0.0.1", STATE_API_PORT: port };
  const projector = assembleProjector({
    ...{ codec, log, deadLetters: false, groupId: `${namespace}.projector`, database: namespace },
    config: webhooks.config(projectorEnv),
  });
  running.push(run(assembleStateApi({ config, codec, log }), stopRequest.promise, log));
  running.push(run(projector.parts, stopRequest.promise, log));
  service = webhooks.start();
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([until(async () => (await fetch(`${url}/health`)).ok), ...running]);
  ask = askAt(url, { "x-token-id": id, "x-token-value": value });
  await until(async () => (await ask("GET", "/api/subscriptions")).status === 200);
});

afterAll(async () => {
  stopRequest.resolve();
  await Promise.allSettled(running);
  await webhooks.remove();
});

async function receiver(behaviour?: Behaviour) {
  const started = await startReceiver(behaviour);
  onTestFinished(started.close);
  return started;
}

/** The list, once the service knows the subscription and the history has what the log has. */
async function list(id: string, isWhole: (statuses: readonly string[]) => boolean, query = "") {
  const found = await until(async () => {
    const { status, body } = await ask("GET", `/api/subscriptions/${id}/deliveries${query}`);
    return status === 200 && isWhole(body.deliveries.map((each: { status: string }) => each.status)) ? body : undefined;
  });
  return found;
}

test("the list has what waits and what ended, newest first, page by page", async () => {
  const hook = await receiver((response, nth, request) => answering(nth < 3 ? 200 : 503)(response, nth, request));
  await webhooks.subscribe("log", hook.url);
  const raised = await webhooks.raise("log", [{}, {}, {}, {}, {}]);

  const whole = await list("log", (statuses) => statuses.filter((status) => status === "delivered").length === 3);
  const ids = raised.map(({ id }) => id);

  expect(whole.deliveries.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
  expect(whole.next_cursor).toBeNull();
  const times = whole.deliveries.map(({ created_at }: { created_at: string }) => created_at);
  expect(times).toEqual([...times].sort().reverse());
  const paged: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await ask("GET", `/api/subscriptions/log/deliveries?limit=2${cursor && `&cursor=${cursor}`}`);
    paged.push(...body.deliveries.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  expect(paged).toEqual(whole.deliveries.map(({ id }: { id: string }) => id));
});

test("a delivery that ended is sent again with its id and its body", async () => {
  const hook = await receiver();
  await webhooks.subscribe("again", hook.url);
  const [raised] = await webhooks.raise("again", [{}]);
  await list("again", (statuses) => statuses[0] === "delivered");

  const { status, body } = await ask("POST", `/api/subscriptions/again/deliveries/${raised?.id}/redeliver`);

  expect([status, body]).toMatchObject([202, { id: raised?.id, status: "pending" }]);
  await until(() => hook.received.length === 2);
  expect(hook.received[1]).toMatchObject({ id: raised?.id, text: hook.received[0]?.text });
  const { deliveries } = await until(async () => {
    const found = (await ask("GET", "/api/subscriptions/again/deliveries")).body;
    return found.deliveries[0].attempts.length === 2 ? found : undefined;
  });
  expect(deliveries).toMatchObject([{ id: raised?.id, status: "delivered" }]);
});

test("a waiting delivery that is asked for is sent at once, and then waits no more", async () => {
  const held = Promise.withResolvers<void>();
  const hook = await receiver((response, nth, request) => {
    if (nth > 0) return answering(200)(response, nth, request);
    void held.promise.then(() => response.writeHead(503).end());
    return 503;
  });
  await webhooks.subscribe("waiting", hook.url, {});
  const raised = await webhooks.raise("waiting", [{}, {}]);
  await list("waiting", (statuses) => statuses.length === 2);

  const last = raised[1]?.id;
  expect((await ask("POST", `/api/subscriptions/waiting/deliveries/${last}/redeliver`)).status).toBe(202);
  await until(() => hook.delivered().length === 1);
  held.resolve();

  await until(() => hook.delivered().length === 2);
  expect(hook.delivered().map(({ id }) => id)).toEqual(raised.map(({ id }) => id).reverse());
});

test("a test signal that succeeds lets a stopped subscription go on", async () => {
  const hook = await receiver(answering(500));
  await webhooks.subscribe("stopped", hook.url);
  const [raised] = await webhooks.raise("stopped", [{}]);
  await until(async () => (await ask("GET", "/api/subscriptions/stopped")).body.stopped_reason === "failing");
  const again = await ask("POST", `/api/subscriptions/stopped/deliveries/${raised?.id}/redeliver`);
  expect(again.status).toBe(409);

  hook.behave(answering(200));
  expect(await ask("POST", "/api/subscriptions/stopped/test")).toMatchObject({ status: 202, body: { signal: "test" } });

  await until(() => hook.delivered().length === 2);
  const [first, second] = hook.delivered().map(({ text }) => JSON.parse(text));
  expect(first).toMatchObject({ signal: "test", trigger_config: { workflow: { name: "gates" } } });
  expect(second.signal).toBe("track_created");
});

test("another subscription with the id of a deleted one has none of its deliveries, and none that was asked of it", async () => {
  const hook = await receiver();
  const former = await webhooks.subscribe("reused", hook.url);
  const [raised] = await webhooks.raise("reused", [{}]);
  await list("reused", (statuses) => statuses[0] === "delivered");
  const redeliver = () => ask("POST", `/api/subscriptions/reused/deliveries/${raised?.id}/redeliver`);
  await service.stop();
  expect((await redeliver()).status).toBe(202);

  const other = await receiver();
  await webhooks.write({ type: "SubscriptionSet", event: { ...former, deleted: true } });
  await webhooks.subscribe("reused", other.url, { createdAt: former.createdAt + 1 });
  expect((await ask("GET", "/api/subscriptions/reused/deliveries")).body.deliveries).toEqual([]);
  expect((await redeliver()).status).toBe(404);
  const { body: tested } = await ask("POST", "/api/subscriptions/reused/test");
  service = webhooks.start();

  await list("reused", (statuses) => statuses[0] === "delivered");
  expect([hook, other].map(({ received }) => received.map(({ id }) => id))).toEqual([[raised?.id], [tested.id]]);
});

test("while the delivery log must be told of too much, nothing more can be asked for: 503", async () => {
  const hook = await receiver();
  await webhooks.subscribe("busy", hook.url);
  await list("busy", (statuses) => statuses.length === 0);
  const positions = (await webhooks.keys()).filter((key) => key.endsWith(":position"));
  const fill = (by: number) => Promise.all(positions.map((key) => webhooks.redis.hincrby(key, "outboxBytes", by)));
  await fill(FULL_OUTBOX_BYTES + 1);

  const { status, headers } = await ask("POST", "/api/subscriptions/busy/test");
  await fill(-FULL_OUTBOX_BYTES - 1);

  expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
  expect((await ask("POST", "/api/subscriptions/busy/test")).status).toBe(202);
});

test("what does not exist is 404, a cursor of another list is 400", async () => {
  const hook = await receiver();
  await webhooks.subscribe("known", hook.url);
  await list("known", (statuses) => statuses.length === 0);

  const asked = await Promise.all([
    ask("GET", "/api/subscriptions/unknown/deliveries"),
    ask("POST", "/api/subscriptions/unknown/test"),
    ask("POST", `/api/subscriptions/known/deliveries/${randomUUID()}/redeliver`),
    ask("GET", "/api/subscriptions/known/deliveries?cursor=zzz"),
    ask("GET", "/api/subscriptions/known/deliveries?limit=0"),
  ]);

  expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 400, 400]);
});
