import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { tokenValuePlace } from "../../../../../projections/webhooks/subscriptions/places.ts";
import { createSubscriptions } from "../../../../../projections/webhooks/subscriptions/subscriptions.ts";
import { createSealer } from "../../../../../services/common/sealed.ts";
import type { AskChronicles } from "../../../../../services/webhooks/chronicles/ask-chronicles.ts";
import {
  createRaiseChronicles,
  type RaiseChroniclesDeps,
} from "../../../../../services/webhooks/chronicles/raise-chronicles.ts";
import { subscriptionSet } from "../../../projections/webhooks/subscriptions/subscription.ts";

const sealerWith = (key: Buffer) => createSealer({ SECRETS_KEY: key, SECRETS_OLD_KEYS: [] });

function open() {
  const view = createSubscriptions();
  const ask = vi.fn<AskChronicles>(async () => new Map());
  const [ours, others] = [sealerWith(randomBytes(32)), sealerWith(randomBytes(32))];
  let offset = 0;
  function subscribe(key: string, sealer = others): void {
    const tokenValue = sealer.seal("value", tokenValuePlace(key));
    view.apply(subscriptionSet({ key, signalType: "activity_chronicle", tokenValue, tokenId: key }), offset++);
  }
  const raise = createRaiseChronicles({
    ...{ ask, subscriptions: view, isRevoked: () => false, sealer: ours, namespace: "n", memorySeconds: 1 },
    redis: { mget: async () => [null] },
  } as unknown as RaiseChroniclesDeps);
  return { ask, ours, subscribe, raise: () => raise([{ id: "c", offset: 1, isCreation: true }], 0) };
}

test("while no token opens nothing is raised, which rejects; the first one that opens is asked with", async () => {
  const { ask, ours, subscribe, raise } = open();

  await expect(raise()).resolves.toBeUndefined();
  subscribe("a");
  subscribe("b");
  await expect(raise()).rejects.toThrow("no token of 2 subscriptions to chronicles opens: SECRETS_KEY");
  expect(ask).not.toHaveBeenCalled();

  subscribe("c", ours);
  await raise();

  expect(ask.mock.calls.map(([ids, , credentials]) => [ids, credentials])).toEqual([
    [["c"], { tokenId: "c", tokenValue: "value" }],
  ]);
});
