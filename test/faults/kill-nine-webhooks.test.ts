// kill -9 of the service that delivers webhooks, at seeded moments of a load.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../../services/cli/demo/scene/random.ts";
import { createWebhooks, type Webhooks } from "../integration/webhooks/installation.ts";
import { type Receiver, startReceiver } from "../support/clients/receivers.ts";
import { quickSettings } from "../support/running/final-state-settings.ts";
import { startService, until } from "../support/running/processes.ts";
import { useStack } from "../support/running/stack.ts";
import { extent } from "./extent.ts";

const PER_ROUND = 30;
const NAMES = ["a", "b", "c", "d"];

let webhooks: Webhooks;
const receivers = new Map<string, Receiver>();

beforeAll(async () => {
  const settings = await quickSettings(useStack().env);
  webhooks = await createWebhooks({ ...settings, WEBHOOKS_MERGE_AFTER_MS: "86400000" });
  for (const name of NAMES) {
    const receiver = await startReceiver((response) => {
      setTimeout(() => response.writeHead(200).end(), 5);
      return 200;
    });
    receivers.set(name, receiver);
    const batch = name === "d" ? ({ mode: "batch", batchInterval: 1 } as const) : {};
    await webhooks.subscribe(name, receiver.url, batch);
  }
});

afterAll(async () => {
  await webhooks.remove();
  await Promise.all([...receivers.values()].map(({ close }) => close()));
});

test("every signal is delivered, in order, and repeated only with its id", async () => {
  const random = createRandom(31);
  /** The ids of the raised signals by receiver, in the form in which the receiver gets them. */
  const raised = new Map<string, string[]>(NAMES.map((name) => [name, []]));
  const ids = new Set<string>();
  let service = await startService("webhooks", webhooks.variables);
  const countOf = (name: string) => idsOf(receivers.get(name)).length;
  const count = () => NAMES.reduce((sum, name) => sum + countOf(name), 0);

  for (let kill = 0; kill < extent.kills; kill++) {
    for (const name of NAMES) {
      const signals = Array.from({ length: PER_ROUND }, (_, n) => ({
        subjectId: `t${n}`,
        signal: "track_expired" as const,
      }));
      for (const { id, cause } of await webhooks.raise(name, signals)) {
        ids.add(id);
        raised.get(name)?.push(name === "d" ? `n${cause.offset}` : id);
      }
    }
    const begun = count();
    // Some kills hit it at work, others while it starts.
    if (random.chance(0.7)) await until(() => count() > begun + random.between(0, PER_ROUND));
    await service.kill();
    service = await startService("webhooks", webhooks.variables);
  }

  await until(() => NAMES.every((name) => new Set(idsOf(receivers.get(name))).size === raised.get(name)?.length));
  for (const name of NAMES) expect([...new Set(idsOf(receivers.get(name)))]).toEqual(raised.get(name));
  await until(async () => {
    const log = await webhooks.deliveries();
    const reported = new Set(log.flatMap(({ signalIds }) => signalIds));
    return [...ids].every((id) => reported.has(id));
  });
  await service.stop();
}, 600_000);

/** An item of a batch has no id: it is known by its state. */
function idsOf(receiver: Receiver | undefined): string[] {
  return (receiver?.received ?? []).flatMap(({ id, text }) => {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.map((item) => `n${item.track_state.n}`) : [id];
  });
}
