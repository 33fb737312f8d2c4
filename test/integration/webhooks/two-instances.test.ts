import { expect, onTestFinished, test } from "vitest";
import { groupName } from "../../../schemas/topics.ts";
import { startReceiver } from "../../support/clients/receivers.ts";
import { until } from "../../support/running/processes.ts";
import { createWebhooks } from "./installation.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"];

test("a second instance takes its share over, and all of it when the first stops: nothing is lost or out of order", async () => {
  const webhooks = await createWebhooks({ WEBHOOKS_MERGE_AFTER_MS: "86400000" });
  const hook = await startReceiver((response) => {
    setTimeout(() => response.writeHead(200).end(), 3);
    return 200;
  });
  onTestFinished(async () => {
    await webhooks.remove();
    await hook.close();
  });
  const raised = new Map<string, string[]>(NAMES.map((name) => [name, []]));
  const raise = async () => {
    for (const name of NAMES) {
      const signals = Array.from({ length: 20 }, (_, n) => ({ subjectId: `t${n}` }));
      for (const { id } of await webhooks.raise(name, signals)) raised.get(name)?.push(id);
    }
  };
  const isAllHere = () => [...raised.values()].flat().every((id) => hook.received.some((each) => each.id === id));
  for (const name of NAMES) await webhooks.subscribe(name, hook.url);

  const first = webhooks.start();
  await raise();
  await until(() => hook.received.length > 10);
  webhooks.start();
  await until(async () => {
    const { groups } = await webhooks.admin.describeGroups([groupName(webhooks.namespace, "webhooks")]);
    return groups[0]?.state === "Stable" && groups[0].members.length === 2;
  });
  await raise();
  await until(isAllHere);
  await raise();
  await first.stop();
  await raise();
  await until(isAllHere);

  for (const ids of raised.values()) {
    const wanted = new Set(ids);
    expect([...new Set(hook.received.map(({ id }) => id))].filter((id) => wanted.has(id))).toEqual(ids);
  }
});
