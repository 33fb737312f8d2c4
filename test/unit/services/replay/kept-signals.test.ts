import { expect, test } from "vitest";
import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import { KEPT_SIGNALS } from "../../../../projections/replay/kept-signals.ts";
import { noProgress } from "../../../../projections/replay/session.ts";
import type { SignalRaised } from "../../../../schemas/records/signal-raised.ts";
import { createLog } from "../../../../services/common/log.ts";
import type { NumberedText } from "../../../../services/replay/keep-signals.ts";
import { KeptSignals } from "../../../../services/replay/kept-signals.ts";
import type { Claimed } from "../../../../services/replay/store.ts";
import { noFilters } from "../../../support/scenes/no-filters.ts";
import { replayOfTracks } from "../../../support/scenes/segment-tracks.ts";
import { signalRaised, subscriptionSet } from "../../../support/scenes/signals.ts";

/** The filters of a session may be almost as large as a body that is kept. */
const tags = Array.from({ length: 300 }, (_, i) => `${i}`.padStart(200, "0"));

const claimed: Claimed = {
  ...{ id: "s", owner: "o", tokenId: "t", isIdle: false },
  session: {
    spec: {
      ...{ id: "s", ...replayOfTracks("a"), mode: "auto", speed: null },
      subscription: { ...subscriptionSet("v", ""), secrets: [], filters: { ...noFilters, tags } },
    },
    ...{ steering: { isHeld: false, granted: 0, speed: null }, plan: undefined, progress: noProgress, createdAt: 0 },
  },
};

function createKept(keep: (signals: readonly NumberedText[]) => Promise<boolean> = async () => true) {
  const writes: (readonly NumberedText[])[] = [];
  const store = {
    keep: (_: Claimed, signals: readonly NumberedText[]) => {
      writes.push(signals);
      return keep(signals);
    },
  };
  const kept = new KeptSignals(claimed, { store, catalog: createCatalog(), log: createLog("test", "silent") });
  const add = (number: number, more: Partial<SignalRaised> = {}) =>
    kept.add({ number, raised: signalRaised("v", number, more), at: 1, result: null, error: null });
  return { kept, add, writes };
}

test("however many signals come, the newest are written together", async () => {
  const { kept, add, writes } = createKept();

  for (let number = 1; number <= 10_000; number++) add(number);
  await kept.write();

  expect(writes).toHaveLength(1);
  expect(writes[0]?.map(({ number }) => number)).toEqual(
    Array.from({ length: KEPT_SIGNALS.maxSignals }, (_, i) => 10_001 - KEPT_SIGNALS.maxSignals + i),
  );
});

test("signals that nobody writes are written by themselves", async () => {
  const written = Promise.withResolvers<readonly NumberedText[]>();
  const { add } = createKept(async (signals) => {
    written.resolve(signals);
    return true;
  });

  add(1);

  expect((await written.promise).map(({ number }) => number)).toEqual([1]);
});

test("large signals wait only up to their bytes, and one that is too large has no body", async () => {
  const { kept, add, writes } = createKept();
  const state = (characters: number) => JSON.stringify({ text: "x".repeat(characters) });

  for (let number = 1; number <= 50; number++) add(number, { state: state(60_000) });
  add(51, { state: state(1_000_000) });
  add(52, { state: state(66_000) });
  await kept.write();

  const [signals = []] = writes;
  expect(signals.reduce((bytes, { text }) => bytes + text.length, 0)).toBeLessThanOrEqual(KEPT_SIGNALS.maxBytes);
  expect(signals.map(({ number }) => number)).toEqual([47, 48, 49, 50, 51, 52]);
  const bodies = signals.map(({ text }) => JSON.parse(text).signal);
  expect(bodies.map((body) => body === null)).toEqual([false, false, false, false, true, true]);
});

const bytesOf = (signals: readonly NumberedText[] = []) =>
  signals.reduce((bytes, { text }) => bytes + Buffer.byteLength(text), 0);

test("the filters of the session are not repeated in its signals", async () => {
  const { kept, add, writes } = createKept();

  for (let number = 1; number <= KEPT_SIGNALS.maxSignals; number++) add(number, { state: `{"n":${number}}` });
  await kept.write();

  const bodies = writes[0]?.map(({ text }) => JSON.parse(text).signal) ?? [];
  expect(bodies[0]).toEqual({ signal: "track_created", track_state: { n: 1 } });
  expect(bodies).toHaveLength(KEPT_SIGNALS.maxSignals);
  expect(bytesOf(writes[0])).toBeLessThan(KEPT_SIGNALS.maxBytes);
});

test("signals are written up to the bytes of their texts, the newest ones", async () => {
  const { kept, add, writes } = createKept();

  for (let number = 1; number <= 8; number++) add(number, { state: JSON.stringify({ text: "ä".repeat(30_000) }) });
  await kept.write();

  expect(writes[0]?.map(({ number }) => number)).toEqual([5, 6, 7, 8]);
  expect(bytesOf(writes[0])).toBeLessThanOrEqual(KEPT_SIGNALS.maxBytes);
});

test("a signal whose text cannot be made ends nothing, and later ones are kept", async () => {
  const { kept, add, writes } = createKept();
  add(1, { state: "no JSON" });
  await kept.write();

  add(2);
  await kept.write();

  expect(writes.map((signals) => signals.map(({ number }) => number))).toEqual([[2]]);
});

test("signals that Redis does not take are passed over, and later ones are kept", async () => {
  let isAway = true;
  const { kept, add, writes } = createKept(async () => {
    if (isAway) throw new Error("Redis is away");
    return true;
  });
  add(1);
  await kept.write();

  isAway = false;
  add(2);
  await kept.write();

  expect(writes.map((signals) => signals.map(({ number }) => number))).toEqual([[1], [2]]);
});
