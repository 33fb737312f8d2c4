// Signals of chronicles, with the log, Redis and receivers of their own. The test itself is the API that shows the
// chronicles.
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../../support/clients/receivers.ts";
import { startGraphQLServer } from "../../support/running/graphql-server.ts";
import { until } from "../../support/running/processes.ts";
import { createWebhooks, type Webhooks } from "./installation.ts";

const MIB = 1024 * 1024;

/** Makes a chronicle in the form in which the API shows it. */
const shown = (id: string, description: string) => ({
  ...{ id, name: id, description, updatedAt: "2026-01-01T00:00:00.000Z", endTime: null, status: null, priority: null },
  ...{ labels: null, locations: null, chronicleProducer: { id: "p" }, sites: null, dataSources: null, tags: null },
  pointsOfInterest: null,
});

/**
 * Opens an API that shows chronicles with these descriptions, and the delivery of their changes to one subscription.
 */
async function open(descriptions: Readonly<Record<string, string>>) {
  const api = await startGraphQLServer<{ readonly ids: readonly string[] }>(({ variables: { ids } }) => {
    const found = ids.flatMap((id) => descriptions[id] ?? []).length;
    const edges = ids.slice(0, found).map((id) => ({ node: shown(id, descriptions[id] ?? "") }));
    return { data: { activityChronicles: { edges } } };
  });
  const webhooks = await createWebhooks();
  const receiver = await startReceiver();
  onTestFinished(async () => {
    await webhooks.remove();
    await receiver.close();
  });
  const triggerOn = ["chronicle_created"] as const;
  const of = { signalType: "activity_chronicle", triggerOn, tokenValue: webhooks.sealToken("s") } as const;
  await webhooks.subscribe("s", receiver.url, of);
  return { webhooks, receiver, settings: { WEBHOOKS_GRAPHQL_URL: api.url } };
}

const change = ({ write }: Webhooks, ...ids: readonly string[]) =>
  write(
    ...ids.map((id) => {
      const event = { id, at: Date.parse("2026-01-01T00:00:00.000Z"), imageIds: ["i"], clips: [] };
      return { type: "ActivityMediaAdded", event } as const;
    }),
  );

test("a chronicle that is larger than a message of the log is told of shortened, and others go on", async () => {
  const { webhooks, receiver, settings } = await open({ large: "x".repeat(9 * MIB), small: "y" });
  webhooks.start(settings);

  await change(webhooks, "large");
  await change(webhooks, "small");

  await until(() => receiver.delivered().length === 2);
  const reported = receiver.delivered().map(({ text }) => JSON.parse(text).chronicle);
  const large = reported.find(({ id }) => id === "large");
  expect(large).toMatchObject({ name: "large", truncated: true, chronicleProducer: { id: "p" } });
  expect(large.description).toMatch(/^x{1000}/);
  expect(reported.find(({ id }) => id === "small")).not.toHaveProperty("truncated");
});

test("a signal that the log never takes is passed over and shown as failed, and others go on", async () => {
  const { webhooks, receiver, settings } = await open({ large: "x".repeat(200_000), small: "y" });
  const configEntries = [{ name: "max.message.bytes", value: "100000" }];
  await webhooks.admin.alterConfigs({
    validateOnly: false,
    resources: [{ type: 2, name: webhooks.topic("signals"), configEntries }],
  });
  webhooks.start(settings);

  await change(webhooks, "large");
  await change(webhooks, "small");

  await until(() => receiver.delivered().length === 1);
  expect(JSON.parse(receiver.delivered()[0]?.text ?? "").chronicle.id).toBe("small");
  await until(async () => (await webhooks.deliveries()).length === 2);
  expect(await webhooks.deliveries()).toContainEqual(
    expect.objectContaining({
      status: "failed",
      signal: "chronicle_created",
      attempts: [expect.objectContaining({ error: "the log does not take a signal of this size" })],
    }),
  );
});

test("while no sealed token opens, changes of chronicles wait, and other subscriptions go on", async () => {
  const { webhooks, receiver, settings } = await open({ kept: "y" });
  const tracks = await startReceiver();
  onTestFinished(tracks.close);
  const other = { SECRETS_KEY: randomBytes(32).toString("hex") };
  const failures: string[] = [];
  const wrong = webhooks.start({ ...settings, ...other }, (fields) => void failures.push(JSON.stringify(fields)));
  await change(webhooks, "kept");
  await until(() => failures.some((text) => text.includes("SECRETS_KEY")));
  await webhooks.subscribe("tracks", tracks.url, { secrets: [] });
  await webhooks.raise("tracks", [{}]);
  await until(() => tracks.delivered().length === 1);
  await wrong.stop();

  webhooks.start(settings);

  await until(() => receiver.delivered().length === 1);
  expect(JSON.parse(receiver.delivered()[0]?.text ?? "").chronicle.id).toBe("kept");
});
