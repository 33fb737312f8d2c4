// Subscriptions changed on several instances at the same time, and after restarts.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signingSecretPlace, tokenValuePlace } from "../../../projections/webhooks/subscriptions/places.ts";
import { createSubscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { redisEnv } from "../../../services/common/config.ts";
import { createSealer, secretsEnv } from "../../../services/common/sealed.ts";
import { wayTo } from "../../support/clients/cut-off.ts";
import { until } from "../../support/running/processes.ts";
import { subscriptionBody } from "../../support/scenes/subscription-body.ts";
import { type Answer, type Ask, askAt, createStateApi } from "./services.ts";

let api: Awaited<ReturnType<typeof createStateApi>>;
let instances: readonly Ask[];

beforeAll(async () => {
  api = await createStateApi();
  instances = [api.ask, askAt(await api.start(), api.token)];
});

afterAll(() => api.stop());

const post = (ask: Ask, id: string, given: object = {}): Promise<Answer> =>
  ask("POST", `/api/subscriptions/${id}`, subscriptionBody(api.token, given));

/** The view of a reader that begins now. */
async function readView() {
  const { codec } = api.installation;
  const view = createSubscriptions();
  for (const { message } of await api.installation.read("subscriptions")) {
    await codec.loadSchemas([message.value]);
    const read = readMessage(codec, "subscriptions", message.value);
    if (read.ok) view.apply(read, Number(message.offset));
  }
  return view;
}

test("of several that create a subscription at the same time one creates it, with the secret that counts", async () => {
  const sealer = createSealer(api.installation.config(secretsEnv));
  const ids = Array.from({ length: 10 }, (_, round) => `race-${round}`);
  const secrets: string[] = [];

  for (const id of ids) {
    const answers = await Promise.all([...instances, ...instances].map((ask) => post(ask, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    secrets.push(answers.find(({ status }) => status === 201)?.body.secret);
  }

  const view = await readView();
  const inLog = ids.map((id) => sealer.open(view.get(id)?.secrets[0]?.sealed ?? "", signingSecretPlace(id)));
  expect(inLog).toEqual(secrets);
});

test("of several that only create a subscription at the same time one creates it, and it stays as it is", async () => {
  for (let round = 0; round < 10; round++) {
    const id = `new-${round}`;
    const headers = { ...api.token, "if-none-match": "*" };
    const answers = await Promise.all(
      [...instances, ...instances].map((ask, i) =>
        ask("POST", `/api/subscriptions/${id}`, subscriptionBody(api.token, { workflow_name: `${i}` }), headers),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412]);
    const created = answers.findIndex(({ status }) => status === 201);
    expect((await api.ask("GET", `/api/subscriptions/${id}`)).body.workflow_name).toBe(`${created}`);
  }
});

test("what one instance acknowledged, every other one shows at once", async () => {
  const [here, there] = instances;
  if (here === undefined || there === undefined) throw new Error("two instances");

  for (let round = 0; round < 10; round++) {
    await post(here, "shown", { workflow_name: `${round}` });
    expect((await there("GET", "/api/subscriptions/shown")).body.workflow_name).toBe(`${round}`);
    await there("DELETE", "/api/subscriptions/shown");
    expect((await here("GET", "/api/subscriptions/shown")).status).toBe(404);
  }
});

test("after creations and deletions at random all instances, new ones and the log agree", async () => {
  const work = Array.from({ length: 70 }, async (_, i) => {
    const ask = instances[i % instances.length] ?? api.ask;
    const id = `random-${i % 7}`;
    if (i % 3 === 0) return ask("DELETE", `/api/subscriptions/${id}`);
    if (i % 5 === 0) return ask("POST", `/api/subscriptions/${id}/rotate-secret`);
    return post(ask, id, { workflow_name: `${i}` });
  });

  const statuses = new Set((await Promise.all(work)).map(({ status }) => status));

  // A secret may have been rotated too often.
  expect([200, 201, 204, 404, 409]).toEqual(expect.arrayContaining([...statuses]));
  const restarted = askAt(await api.start(), api.token);
  const lists = await Promise.all([...instances, restarted].map((ask) => ask("GET", "/api/subscriptions")));
  const expected = [...(await readView()).all()].map(({ key }) => key).sort();
  for (const { body } of lists) {
    expect(body).toEqual(lists[0]?.body);
    expect(body.subscriptions.map(({ id }: { id: string }) => id)).toEqual(expected);
  }
});

test("a deleted subscription leaves nothing that Kafka has to keep", async () => {
  await post(api.ask, "gone");
  await api.ask("DELETE", "/api/subscriptions/gone");

  const newest = new Map<string, Buffer | null>();
  for (const { message } of await api.installation.read("subscriptions")) {
    newest.set(message.key?.toString() ?? "", message.value);
  }

  expect([newest.get("gone"), newest.get("gone\u0000stopped")]).toEqual([null, null]);
});

test("after the key was replaced, a start seals everything with the new one", async () => {
  const oldKey = api.installation.config(secretsEnv).SECRETS_KEY;
  const newKey = randomBytes(32);
  const created = await post(api.ask, "resealed");

  await api.start({ SECRETS_KEY: newKey, SECRETS_OLD_KEYS: [oldKey] });

  const onlyNew = createSealer({ SECRETS_KEY: newKey, SECRETS_OLD_KEYS: [] });
  await until(async () => {
    const { tokenValue = "", secrets = [] } = (await readView()).get("resealed") ?? {};
    expect(onlyNew.open(tokenValue, tokenValuePlace("resealed"))).toBe(api.token["x-token-value"]);
    expect(secrets.map(({ sealed }) => onlyNew.open(sealed, signingSecretPlace("resealed")))).toEqual([
      created.body.secret,
    ]);
    return true;
  });
});

test("without Redis nothing is changed, what there is is shown, and changes work again when it is back", async () => {
  const { REDIS_URL } = api.installation.config(redisEnv);
  const way = await wayTo(REDIS_URL);
  const url = new URL(REDIS_URL);
  url.host = `127.0.0.1:${way.port}`;
  const ask = askAt(await api.start({ REDIS_URL: url.href }), api.token);
  await post(ask, "before");

  await way.cut();
  const refused = await post(ask, "during");

  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await ask("DELETE", "/api/subscriptions/before")).toMatchObject({ status: 503 });
  expect(await ask("GET", "/api/subscriptions/before")).toMatchObject({ status: 200 });
  expect(await ask("GET", "/api/subscriptions/during")).toMatchObject({ status: 404 });

  await way.mend();
  await until(async () => (await post(ask, "during")).status === 201);
});

test("where callers need no token, the credentials of a subscription are checked all the same", async () => {
  const ask = askAt(await api.start({ STATE_API_AUTH: "off" }), {});
  const credentials = { x_token_id: api.token["x-token-id"], x_token_value: "wrong" };

  expect(await post(ask, "open", { credentials })).toMatchObject({ status: 401 });
  expect(await post(ask, "open")).toMatchObject({ status: 201 });
});
