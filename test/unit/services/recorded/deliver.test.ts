import { expect, test } from "vitest";
import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import { deliverParcel } from "../../../../services/recorded/deliver.ts";
import { SessionLost } from "../../../../services/recorded/failed.ts";
import { signalRaised, subscriptionSet } from "../../../support/scenes/signals.ts";

const deps = {
  catalog: createCatalog(),
  subscription: { ...subscriptionSet("s", "https://hooks.example.com/a"), secrets: [] },
  retries: { firstDelayMs: 1, longestDelayMs: 1, keepMs: 60_000 },
  signal: new AbortController().signal,
  onAttempt: () => {},
  onError: () => {},
};

test("the id of a batch is that of exactly its signals", async () => {
  const [first, second] = [signalRaised("s", 1, {}), signalRaised("s", 2, {})];
  const ids: string[] = [];
  for (const signals of [[first], [first, second], [first, second]]) {
    await deliverParcel(
      { signals, isBatch: true, at: first.timestamp },
      {
        ...deps,
        stillOurs: async () => {},
        send: async ({ id }) => {
          ids.push(id);
          return { outcome: { kind: "delivered" }, error: "" };
        },
      },
    );
  }

  expect(ids[1]).not.toBe(ids[0]);
  expect(ids[2]).toBe(ids[1]);
});

test.each([0, 1, 2])("nothing is sent once the session was deleted: after %s attempts", async (attempts) => {
  const signal = signalRaised("s", 1, {});
  let sent = 0;

  const delivered = deliverParcel(
    { signals: [signal], isBatch: false, at: signal.timestamp },
    {
      send: async () => {
        sent += 1;
        return { outcome: { kind: "failed", error: "away", retryAfterMs: undefined }, error: "away" };
      },
      stillOurs: async () => {
        if (sent === attempts) throw new SessionLost("deleted");
      },
      ...deps,
    },
  );

  await expect(delivered).rejects.toThrow(SessionLost);
  expect(sent).toBe(attempts);
});
