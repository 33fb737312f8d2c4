import { expect, test } from "vitest";
import { createPartition } from "../../../projections/live/partition.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { unavailable } from "../../../services/common/errors.ts";
import type { GroupReader, Step } from "../../../services/common/kafka/group-reader.ts";
import type { OutMessage, Publisher } from "../../../services/common/kafka/publisher.ts";
import { createLog } from "../../../services/common/log.ts";
import type { LiveStore } from "../../../services/state-machine/live-store.ts";
import { createOutputs } from "../../../services/state-machine/outputs.ts";
import { createStateMachine } from "../../../services/state-machine/state-machine.ts";
import type { TakenOver } from "../../../services/state-machine/take-over.ts";
import { until } from "../../support/processes.ts";

const ZONE: CameraLogEvent = {
  type: "ZoneCreated",
  event: {
    zone: {
      zoneId: "z1",
      dataSourceId: "ds1",
      name: "door",
      polygon: { rings: [[0, 0, 10, 0, 10, 10, 0, 10, 0, 0]], crs: null },
      active: true,
      createdAt: 1_000,
      updatedAt: 1_000,
      anchor: "area",
      enterDetections: 1,
      exitDelayMs: 0,
    },
  },
};

test("a machine that is stopped writes its last round and lets go before it leaves the group", async () => {
  const written = Promise.withResolvers<void>();
  const { machine, did } = createMachine([ZONE], () => written.promise);
  await machine.start();
  await until(() => did.includes("publish"));

  const stopped = machine.stop();
  written.resolve();
  await stopped;

  expect(did.slice(did.indexOf("publish"))).toEqual(["publish", "written", "save 1", "release", "leave"]);
});

test("outputs that could not be written are not repeated blindly: what stands in the topics is looked up first", async () => {
  let attempts = 0;
  const { machine, did } = createMachine([ZONE], async () => {
    if (++attempts === 1) throw unavailable("the log did not answer in time", 1_000);
  });
  await machine.start();
  await until(() => did.includes("save 1"));
  await machine.stop();

  expect(did.slice(0, did.indexOf("save 1"))).toEqual([
    "take over",
    "publish",
    "release",
    "take over",
    "publish",
    "written",
  ]);
});

test("nothing is written while others may own the partition, and it is taken over anew when the group says whose it is", async () => {
  let looks = 0;
  const owns = () => ++looks > 3;
  const { machine, did } = createMachine([ZONE], async () => undefined, owns);
  await machine.start();
  await until(() => did.includes("save 1"));
  await machine.stop();

  const begin = ["take over", "release", "take over", "publish", "written", "save 1"];
  expect(did.slice(0, begin.length)).toEqual(begin);
});

test("offsets without a message move the position: behind a transaction's mark nothing is unread", async () => {
  const { machine, did } = createMachine([ZONE], async () => undefined, undefined, 2);
  await machine.start();
  await until(() => did.includes("save 3"));
  await machine.stop();

  expect(did.filter((step) => step.startsWith("save"))).toEqual(["save 3"]);
});

/**
 * A machine over one partition with these events, followed by some offsets without a message; `publish` decides when, and
 * whether, outputs are written, `owns` what the group says.
 */
function createMachine(
  events: readonly CameraLogEvent[],
  publish: () => Promise<void>,
  owns = () => true,
  withoutMessage = 0,
) {
  const did: string[] = [];
  const codec = codecOf(events);
  const machine = createStateMachine({
    reader: { ...readerOf(events, did, withoutMessage), owns },
    publisher: publisherOf(publish, did),
    store: storeOf(did),
    codec,
    outputs: createOutputs(codec, "test"),
    log: createLog("test", "silent"),
    settings: { trackTtlMs: 15_000, reorderMs: 0, updateIntervalMs: 1_000, forgetAfterMs: 3_600_000 },
    maxFutureMs: 300_000,
    now: () => 2_000,
    takeOver: async () => {
      did.push("take over");
      return [freshPartition()];
    },
  });
  return { machine, did };
}

const freshPartition = (): TakenOver => ({
  partition: 0,
  owner: "machine",
  state: createPartition(0),
  begin: 0,
  stored: undefined,
  rebuilding: false,
  intersectionsEnd: 0,
  tail: 0,
  written: { intersection: undefined, zoneVersion: undefined },
});

/** A message's value is the number of its event. */
function codecOf(events: readonly CameraLogEvent[]): Codec {
  return {
    encode: () => Buffer.alloc(1),
    learn: async () => undefined,
    decode: (value) => {
      const event = events[value?.[0] ?? -1];
      return event === undefined ? { ok: false, reason: "no event" } : { ok: true, ...event };
    },
  };
}

/** Assigns the partition once, and gives all messages whenever reading begins. */
function readerOf(events: readonly CameraLogEvent[], did: string[], withoutMessage: number): GroupReader {
  const next = events.length + withoutMessage;
  const steps: Step[] = [{ assigned: [{ topic: "test.camera-log", partition: 0 }], batches: [] }];
  const messages = events.map((_, i) => ({
    key: null,
    value: Buffer.from([i]),
    offset: String(i),
    timestamp: "1000",
    attributes: 0,
    headers: {},
  }));
  const all: Step = {
    assigned: undefined,
    batches: [{ topic: "test.camera-log", partition: 0, messages, next, highWatermark: next }],
  };
  return {
    name: "reader",
    start: async () => undefined,
    stop: async () => void did.push("leave"),
    begin: async () => {
      steps.push(all);
      return [0];
    },
    next: () => new Promise((resolve) => setTimeout(() => resolve(steps.shift() ?? idle), 1)),
    owns: () => true,
    commit: async () => undefined,
  };
}

const idle: Step = { assigned: undefined, batches: [] };

function publisherOf(publish: () => Promise<void>, did: string[]): Publisher {
  return {
    name: "publisher",
    start: async () => undefined,
    stop: async () => undefined,
    partitionOf: () => 0,
    publish: async (messages: readonly OutMessage[], isValid = () => true) => {
      if (messages.length === 0) return [];
      if (!isValid()) throw new Error("no longer valid");
      did.push("publish");
      await publish();
      did.push("written");
      return messages.map(({ topic }, offset) => ({ topic, partition: 0, offset }));
    },
  };
}

function storeOf(did: string[]): LiveStore {
  return {
    isFree: async () => true,
    claim: async () => undefined,
    release: async () => void did.push("release"),
    load: async () => undefined,
    save: async ({ next }) => {
      // What is saved before the first message only says who is at work.
      if (next > 0) did.push(`save ${next}`);
      return "saved";
    },
  };
}
