// Chronicles written through the API reach a webhook: created once, then each change, then the end; also over kill -9.
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { type Receiver, startReceiver } from "../support/clients/receivers.ts";
import { askAt } from "../support/clients/rest-client.ts";
import { until } from "../support/running/processes.ts";
import { startStateApi } from "../support/running/state-api.ts";
import { type System, startSystem } from "../support/running/system.ts";
import { subscriptionBody } from "../support/scenes/subscription-body.ts";

interface Reported {
  readonly signal: string;
  readonly chronicle: { readonly id: string; readonly status: string | null; readonly endTime: string | null };
  readonly trigger_config: object;
}

const START = "2026-01-01T00:00:00.000Z";
const END = "2026-01-01T01:00:00.000Z";

test("each chronicle is created once for its subscribers, and they hear of its changes and of its end", async () => {
  const settings = { SECRETS_KEY: randomBytes(32).toString("hex"), ALLOWED_URL_CIDRS: "127.0.0.0/8" };
  const system = await startSystem(settings);
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const rest = askAt(await startStateApi(system), tokenOf(system));
  const body = { webhook_url: receiver.url, signal_type: "activity_chronicle", filters: { labels: ["NIGHT"] } };
  expect((await rest("POST", "/api/subscriptions/night", subscriptionBody(tokenOf(system), body))).status).toBe(201);
  const webhooks = await system.start("webhooks", { WEBHOOKS_GRAPHQL_URL: system.url });
  await producer(system);

  await create(system, "a", { labels: ["night"], status: "open" });
  await create(system, "b", { labels: ["day"] });
  await until(() => reported(receiver).length === 1);
  await update(system, "a", { status: "seen" });
  await until(() => reported(receiver).length === 2);
  await webhooks.kill();
  await update(system, "a", { endTime: END });
  await create(system, "c", { labels: ["Night"], endTime: END });
  await system.start("webhooks", { WEBHOOKS_GRAPHQL_URL: system.url });
  await until(() => reported(receiver).length === 4);

  const signalsOf = (id: string) =>
    reported(receiver).flatMap(({ signal, chronicle }) => (chronicle.id === id ? [signal] : []));
  expect(signalsOf("a")).toEqual(["chronicle_created", "chronicle_updated", "chronicle_closed"]);
  expect(signalsOf("b")).toEqual([]);
  expect(signalsOf("c")).toEqual(["chronicle_closed"]);
  const shown = await system.client.ask<{ activityChronicle: object }>(
    `{ activityChronicle(id: "a") { id name status endTime labels chronicleProducer { id name } } }`,
  );
  expect(reported(receiver).findLast(({ chronicle }) => chronicle.id === "a")?.chronicle).toMatchObject(
    shown.activityChronicle,
  );
});

/** A process that is killed may not have noted what it has delivered: the receiver knows a repetition by its id. */
const reported = ({ received }: Pick<Receiver, "received">): Reported[] =>
  [...new Map(received.map(({ id, text }) => [id, text])).values()].map((text) => JSON.parse(text));

const tokenOf = ({ token }: System) => ({ "x-token-id": token.id, "x-token-value": token.value });

const producer = ({ client }: System) =>
  client.ask(`mutation { createChronicleProducer(chronicleProducer: { id: "p", name: "p", active: true }) { id } }`);

const create = ({ client }: System, id: string, fields: object) =>
  client.ask(
    `mutation ($given: CreateActivityChronicleInput!) { createActivityChronicle(activityChronicle: $given) { id } }`,
    { given: { id, name: id, chronicleProducerId: "p", startTime: START, ...fields } },
  );

const update = ({ client }: System, id: string, fields: object) =>
  client.ask(
    `mutation ($given: UpdateActivityChronicleInput!) { updateActivityChronicle(activityChronicle: $given) { id } }`,
    { given: { id, ...fields } },
  );
