import { expect, onTestFinished, test, vi } from "vitest";
import { createSubscriptions } from "../../../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Codec } from "../../../../../schemas/codec.ts";
import type { SignalRaised } from "../../../../../schemas/records/signal-raised.ts";
import { stoppedKey } from "../../../../../schemas/records/subscription.ts";
import type { GroupReader, ReaderStep } from "../../../../../services/common/kafka/read/group-reader.ts";
import { PositionBeyondLog } from "../../../../../services/common/kafka/read/start-offset.ts";
import { createLog } from "../../../../../services/common/log.ts";
import type { DeliveryLanes } from "../../../../../services/webhooks/partition/delivery-lanes.ts";
import { createSignalIntake, type IntakeDeps } from "../../../../../services/webhooks/partition/intake.ts";
import type { Arrival } from "../../../../../services/webhooks/queue/accept.ts";
import type { Queue } from "../../../../../services/webhooks/queue/queue.ts";
import { signalRaised, subscriptionSet } from "../../../../support/scenes/signals.ts";

const AWAY = new Error("away");
const AT_ONCE = async () => {};
const PARTITIONS = [0, 1].map((partition) => ({ topic: "signals", partition }));

/** The broker's time of all signals, ms. */
const RAISED_AT = 1_000_000;

const batchOf = (partition: number, signals: readonly SignalRaised[]) => ({
  ...{ topic: "signals", partition, next: signals.length, highWatermark: signals.length },
  messages: signals.map((signal, offset) => ({
    ...{ key: null, attributes: 0, headers: {}, offset: String(offset), timestamp: String(RAISED_AT) },
    value: Buffer.from(JSON.stringify(signal)),
  })),
});

const codec = {
  loadSchemas: AT_ONCE,
  decode: (value: Buffer) => ({ ok: true, type: "SignalRaised", event: JSON.parse(String(value)) }),
} as unknown as Codec;

type Given = Partial<Omit<IntakeDeps, "reader" | "createQueue">> & {
  readonly batches: ReaderStep["batches"];
  readonly later?: ReaderStep;
  readonly begin?: GroupReader["begin"];
  readonly accept?: (partition: number, arrival: Arrival) => Promise<void>;
  readonly onCheck?: () => void;
  /** The position of each partition in Redis. */
  readonly known?: number;
};

/** Both partitions are assigned, then the batches come. */
async function start({ batches, later, begin, accept, onCheck = () => {}, known, ...given }: Given) {
  const steps: ReaderStep[] = [
    { assigned: PARTITIONS, batches: [] },
    { assigned: undefined, batches },
    ...(later === undefined ? [] : [later]),
  ];
  const taken = new Map<number, Arrival>();
  const nothing = { assigned: undefined, batches: [] };
  const reader = {
    ...{ start: AT_ONCE, stop: AT_ONCE, wake: () => {}, owns: () => true, commit: AT_ONCE },
    begin: begin ?? (async () => [0]),
    next: async () => steps.shift() ?? new Promise((resolve) => setTimeout(resolve, 5, nothing)),
  } as unknown as GroupReader;
  const positions = new Map<number, number>();
  const began: [partition: number, next: number][] = [];
  const intake = createSignalIntake({
    topic: "signals",
    ...{ reader, codec, log: createLog("test", "silent"), subscriptions: createSubscriptions(), caughtUp: AT_ONCE },
    ...{
      logIds: async () => new Map(),
      stopRevoked: AT_ONCE,
      afresh: async () => ({ finished: new Set(), from: new Map() }),
    },
    createLanes: () =>
      ({ resume: AT_ONCE, wake() {}, drain() {}, check: onCheck, finish: AT_ONCE }) as unknown as DeliveryLanes,
    createQueue: (partition) =>
      ({
        ...{ claim: async () => ({ next: known, logId: "" }), isOwned: async () => true },
        begin: async (next: number) => void began.push([partition, next]),
        position: async () => positions.get(partition) ?? known ?? 0,
        async accept(arrival: Arrival) {
          await accept?.(partition, arrival);
          positions.set(partition, arrival.to);
          taken.set(partition, arrival);
        },
      }) as unknown as Queue,
    ...given,
  });
  onTestFinished(() => intake.stop());
  await intake.start();
  return { intake, taken, positions, began, refusals: () => taken.get(0)?.signals.map(({ refusal }) => refusal) };
}

test("a partition whose outbox is full waits alone, and goes on when there is room", async () => {
  let isFull = true;
  const { taken } = await start({
    batches: PARTITIONS.map(({ partition }) => batchOf(partition, [signalRaised("a", 1, {})])),
    async accept(partition) {
      if (partition === 0 && isFull) throw new Error("full");
      // Room comes only when the other one has gone on.
    },
    onCheck() {
      if (taken.has(1)) isFull = false;
    },
  });

  await vi.waitFor(() => expect([...taken.keys()]).toEqual([1, 0]), 5_000);
});

test("a broker or a registry that is away for a moment ends nothing", async () => {
  const left = { begin: 1, loadSchemas: 1 };
  const failsOnce = (what: keyof typeof left) => {
    left[what] -= 1;
    if (left[what] >= 0) throw AWAY;
  };
  const { intake, taken } = await start({
    batches: [batchOf(0, [signalRaised("a", 1, {})])],
    async begin() {
      failsOnce("begin");
      return [0];
    },
    codec: {
      ...codec,
      loadSchemas: async () => {
        await failsOnce("loadSchemas");
        return undefined;
      },
    },
  });

  const taking = vi.waitFor(() => expect(taken.has(0)).toBe(true), 5_000);
  await Promise.race([taking, intake.failed]);
});

test("a Redis that came back with an older position is noticed without another signal, and taken over again", async () => {
  const begin = vi.fn(async () => [0]);
  const { taken, positions } = await start({ batches: [batchOf(0, [signalRaised("a", 1, {})])], begin });
  await vi.waitFor(() => expect(taken.has(0)).toBe(true), 5_000);
  const before = begin.mock.calls.length;

  positions.set(0, 0);

  await vi.waitFor(() => expect(begin.mock.calls.length).toBe(before + 1), 5_000);
});

test("a partition without a leader and without a position waits for its leader, and is then taken over", async () => {
  let isLed = false;
  const { began, intake } = await start({
    batches: [],
    later: { assigned: PARTITIONS, batches: [] },
    async begin([given]) {
      if (given?.partition === 0 && !isLed) {
        isLed = true;
        return [undefined];
      }
      return [7];
    },
  });

  await vi.waitFor(() => expect(intake.lanesOf(0)).toBeDefined(), 5_000);
  expect(began.filter(([partition]) => partition === 0)).toEqual([[0, 7]]);
});

test("a partition without a leader keeps its position, and what waits in it is delivered meanwhile", async () => {
  const { began, intake } = await start({
    ...{ batches: [], later: { assigned: PARTITIONS, batches: [] }, known: 5 },
    begin: async ([given]) => [given?.partition === 0 ? undefined : 5],
  });

  await vi.waitFor(() => expect(intake.lanesOf(1)).toBeDefined(), 5_000);
  expect(intake.lanesOf(0)).toBeDefined();
  expect(began).toEqual([
    [0, 5],
    [1, 5],
  ]);
});

test("a partition that comes again when the log has lost its end is taken over as of another log", async () => {
  const logIds = vi.fn(async () => new Map());
  const [id] = PARTITIONS;
  const subscriptions = createSubscriptions();
  const event = { ...subscriptionSet("a", "http://a"), secrets: [] };
  subscriptions.apply({ type: "SubscriptionSet", event }, 0);
  await start({
    subscriptions,
    ...{ batches: [batchOf(0, [signalRaised("a", 1, {})])], logIds },
    later: { assigned: PARTITIONS.slice(0, 1), batches: [] },
    async begin([given]) {
      if (id !== undefined && given?.offset === 1)
        throw new PositionBeyondLog(id, 1, { partition: 0, low: 0, high: 0 });
      return [0];
    },
  });

  await vi.waitFor(() => expect(logIds).toHaveBeenCalledTimes(2), 5_000);
});

test("queues are looked at while the log does not take that a subscription is stopped", async () => {
  const onCheck = vi.fn();
  await start({ batches: [], onCheck, stopRevoked: () => new Promise(() => {}) });

  await vi.waitFor(() => expect(onCheck.mock.calls.length).toBeGreaterThan(PARTITIONS.length), 5_000);
});

/** A view that has the subscription as stopped, and what came after that once it has caught up. */
function stoppedView() {
  const subscriptions = createSubscriptions();
  const event = { ...subscriptionSet("a", "http://a"), secrets: [] };
  subscriptions.apply({ type: "SubscriptionSet", event }, 0);
  const stop = {
    key: stoppedKey("a"),
    id: "a",
    version: event.version,
    reason: "gone",
    detail: "",
    at: RAISED_AT,
  } as const;
  subscriptions.apply({ type: "SubscriptionStopped", event: stop }, 1);
  return {
    subscriptions,
    setAgain: () => subscriptions.apply({ type: "SubscriptionSet", event: { ...event, version: "2" } }, 2),
  };
}

test("a signal is refused for a stop only if the log has nothing newer of the subscription", async () => {
  const { subscriptions, setAgain } = stoppedView();
  const batches = [batchOf(0, [signalRaised("a", 1, {})])];

  const stopped = await start({ batches, subscriptions });
  await vi.waitFor(() => expect(stopped.refusals()).toEqual(["deliveries are stopped: gone"]), 5_000);
  const goesOn = await start({ batches, subscriptions, caughtUp: async () => void setAgain() });
  await vi.waitFor(() => expect(goesOn.refusals()).toEqual([undefined]), 5_000);
});

test("a partition that waits for the subscriptions to be read waits alone", async () => {
  const subscriptions = createSubscriptions();
  const event = { ...subscriptionSet("known", "http://a"), secrets: [] };
  subscriptions.apply({ type: "SubscriptionSet", event }, 0);
  const read = Promise.withResolvers<void>();
  onTestFinished(() => read.resolve());
  const known = [signalRaised("known", 1, {}), signalRaised("known", 2, {})];

  const { taken } = await start({
    batches: [batchOf(0, [signalRaised("a", 1, {})])],
    later: { assigned: undefined, batches: [batchOf(1, known)] },
    ...{ subscriptions, caughtUp: () => read.promise },
  });

  await vi.waitFor(() => expect([...taken.keys()]).toEqual([1]), 5_000);
  read.resolve();
  await vi.waitFor(() => expect([...taken.keys()]).toEqual([1, 0]), 5_000);
});

test("a partition is taken in once the subscriptions can be read again", async () => {
  const caughtUp = vi.fn(AT_ONCE).mockRejectedValueOnce(AWAY);

  const { taken } = await start({ batches: [batchOf(0, [signalRaised("a", 1, {})])], caughtUp });

  await vi.waitFor(() => expect(taken.has(0)).toBe(true), 5_000);
  expect(caughtUp).toHaveBeenCalledTimes(2);
});

test("a signal of the time before the stop waits like those that were in the queue then", async () => {
  const { subscriptions } = stoppedView();
  const [batch] = [batchOf(0, [signalRaised("a", 1, {})])];
  const older = { ...batch, messages: batch.messages.map((each) => ({ ...each, timestamp: String(RAISED_AT - 1) })) };

  const { refusals } = await start({ batches: [older], subscriptions });

  await vi.waitFor(() => expect(refusals()).toEqual([undefined]), 5_000);
});

test("signals that are read before their new subscription gather in its batch", async () => {
  const subscriptions = createSubscriptions();
  const event = { ...subscriptionSet("a", "http://a"), mode: "batch" as const, secrets: [] };
  const caughtUp = async () => void subscriptions.apply({ type: "SubscriptionSet", event }, 0);

  const { taken } = await start({ batches: [batchOf(0, [signalRaised("a", 1, {})])], subscriptions, caughtUp });

  await vi.waitFor(() => expect(taken.get(0)?.signals.map(({ mode }) => mode)).toEqual(["batch"]), 5_000);
});
