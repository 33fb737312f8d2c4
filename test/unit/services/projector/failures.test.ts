import { expect, onTestFinished, test } from "vitest";
import { namedKinds } from "../../../../projections/history/kinds.ts";
import { eventBoundsEnv, eventBoundsOf } from "../../../../schemas/bounds.ts";
import type { GroupReader, ReaderStep } from "../../../../services/common/kafka/read/group-reader.ts";
import { createLog } from "../../../../services/common/log.ts";
import { createProjector } from "../../../../services/projector/projector.ts";
import { unreadable } from "../../../support/scenes/unreadable.ts";

const TOPIC = "camera-log";
const id = { topic: TOPIC, partition: 0 };
const message = { key: null, value: Buffer.from("x"), offset: "0", timestamp: "1", attributes: 0, headers: {} };

/** Assigns a partition and returns one message of it; then the log is silent. */
function readerOfOne(): GroupReader {
  const steps: ReaderStep[] = [
    { assigned: [id], batches: [] },
    { assigned: undefined, batches: [{ ...id, messages: [message], next: 1, highWatermark: 1 }] },
  ];
  return {
    name: "reader",
    start: async () => undefined,
    stop: async () => undefined,
    begin: async () => [0],
    next: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return steps.shift() ?? { assigned: undefined, batches: [] };
    },
    wake: () => undefined,
    postpone: () => undefined,
    owns: () => true,
    commit: async () => undefined,
  };
}

test("an error that no repetition can mend ends the projector, also when the log is silent after it", async () => {
  const broken = new TypeError("undefined is not a function");
  const projector = createProjector({
    reader: readerOfOne(),
    store: {
      insert: () => Promise.reject(broken),
      savePositions: async () => undefined,
      loadPositions: async () => new Map(),
    },
    sendDeadLetters: async () => undefined,
    logIds: async (topics) => new Map(topics.map((topic) => [topic, "log"])),
    log: createLog("test", "silent"),
    project: {
      codec: unreadable,
      topics: namedKinds(""),
      bounds: eventBoundsOf(eventBoundsEnv.parse({})),
      maxRows: 100,
    },
    flushMs: 1,
    maxFlushMs: 1,
  });
  await projector.start();
  onTestFinished(projector.stop);

  await expect(projector.failed).rejects.toBe(broken);
});
