// Both sides in memory: a fold is not needed, because the comparison gets its signals and outputs only.
import { expect, test } from "vitest";
import type { Fold } from "../../../../../projections/live/state.ts";
import type { Segment } from "../../../../../projections/replay/session.ts";
import type { SignalRaised } from "../../../../../schemas/records/signal-raised.ts";
import { compareRecorded } from "../../../../../services/cli/replay/compare-recorded.ts";
import { signalRaised, subscriptionSet } from "../../../../support/scenes/signals.ts";

const T0 = Date.UTC(2026, 0, 1);

/** Event times are those of the offsets. */
const segment: Segment = {
  partition: 0,
  asked: { kind: "window", from: T0 + 10, to: T0 + 20 },
  dataSourceIds: ["cam"],
  log: "topic",
  begin: 0,
  end: 30,
  beginAt: T0,
  lastAt: T0 + 20,
  recorded: [{ from: T0 + 10, to: T0 + 20 }],
  eventFrom: T0 + 10,
  eventTo: T0 + 20,
};

const subscription = { ...subscriptionSet("s", "https://hooks.example.com/a"), secrets: [], stopped: undefined };

const raisedAt = (offset: number, given: Partial<SignalRaised> = {}) =>
  signalRaised("s", offset, { dataSourceId: "cam", ...given });

interface Run {
  readonly sent: readonly SignalRaised[];
  /** Everything that the fold raises. Those of the window are asked for. */
  readonly raised: readonly SignalRaised[];
  readonly keptSince?: number;
  readonly createdAt?: number;
  /** Number of messages that pass. */
  readonly passed?: number;
}

async function compared({ sent, raised, keptSince = 0, createdAt = 0, passed = segment.end }: Run) {
  const comparison = compareRecorded([segment], {
    subscriptions: [{ ...subscription, createdAt }],
    keptSince: () => keptSince,
    async *sentOf() {
      yield* sent;
    },
  });
  const nobody = { of: () => undefined, restoreTrack: () => undefined, restoreZone: () => undefined };
  const watched = comparison.watch(nobody);
  for (let offset = 0; offset < passed; offset++) {
    const message = { type: "GeofencesAdvanced", event: { upTo: 0 } } as const;
    await comparison.passing(segment, { offset, recordedAt: T0 + offset, message });
    const signals = raised.filter(({ cause }) => cause.offset === offset);
    watched.of({ state: { partition: 0 }, out: { lists: { signals } } } as unknown as Fold, "cam");
    const asked = signals.filter(({ timestamp }) => timestamp >= T0 + 10 && timestamp < T0 + 20);
    const reached = { partition: 0, offset, recordedAt: T0 + offset, share: 0, begins: false, detectedAt: null };
    await comparison.take({ ...reached, signals: asked });
  }
  await comparison.finish();
  const { differences, notKept, before } = comparison;
  return { ...differences.counts, notKept: notKept(), before: before(), first: differences.first };
}

const all = Array.from({ length: 30 }, (_, offset) => raisedAt(offset));
const none = { changed: 0, missing: 0, new: 0, notKept: 0, before: 0 };

test("the same signals are the same, and those outside of what is asked do not count", async () => {
  expect(await compared({ sent: all, raised: all })).toMatchObject({ same: 10, ...none });
  expect(await compared({ sent: all.slice(10, 20), raised: all })).toMatchObject({ same: 10, ...none });
});

test.each([10, 15, 19])("one signal that is missing, new or changed is found: at %s", async (at) => {
  const without = all.toSpliced(at, 1);
  const changed = all.with(at, raisedAt(at, { signal: "track_updated" }));

  expect(await compared({ sent: all, raised: without })).toMatchObject({ ...none, same: 9, missing: 1 });
  expect(await compared({ sent: without, raised: all })).toMatchObject({ ...none, same: 9, new: 1 });
  expect(await compared({ sent: all, raised: changed })).toMatchObject({ ...none, same: 9, changed: 1 });
});

test("several signals of a message are compared by their subjects, in whatever order they are", async () => {
  const then = ["a", "b", "c"].map((subjectId, index) =>
    raisedAt(12, { subjectId, cause: { topic: "camera-log", partition: 0, offset: 12, index } }),
  );
  const now = then.toReversed().filter(({ subjectId }) => subjectId !== "b");

  expect(await compared({ sent: then, raised: now })).toMatchObject({ ...none, same: 2, missing: 1 });
});

test("an end that was raised outside of the window is no difference, though its time lies inside", async () => {
  const end = raisedAt(25, { signal: "zone_empty", timestamp: T0 + 19, state: '{"datasource_id":"cam"}' });
  const isAsked = await compared({ sent: [end], raised: [] });
  const isKnown = await compared({ sent: [end], raised: [{ ...end, timestamp: T0 + 21 }] });

  expect(isAsked).toMatchObject({ missing: 1 });
  expect(isKnown).toMatchObject({ same: 0, ...none });
});

test("signals that the topic no longer has, and those before the subscription, are counted by themselves", async () => {
  const late = all.slice(15);

  expect(await compared({ sent: late, raised: all, keptSince: T0 + 15 })).toMatchObject({
    ...none,
    same: 5,
    notKept: 5,
  });
  expect(await compared({ sent: late, raised: all, createdAt: T0 + 14 })).toMatchObject({
    ...none,
    same: 5,
    before: 5,
  });
});

test("when no message passes, all signals of then that are asked for are missing", async () => {
  expect(await compared({ sent: all, raised: [], passed: 0 })).toMatchObject({ ...none, same: 0, missing: 10 });
});
