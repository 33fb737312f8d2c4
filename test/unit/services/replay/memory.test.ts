import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

/** The tracks alone would take more, and so would the versions of zones. */
const LITTLE = { maxOldGenerationSizeMb: 128 };

test.each(["topic", "history"])(
  "a replay from the %s does not hold all tracks and zones of a camera",
  async (log) => {
    const worker = new Worker(new URL("./long-replay.ts", import.meta.url), {
      workerData: log,
      resourceLimits: LITTLE,
    });

    expect(await once(worker, "message")).toEqual([1]);
  },
  120_000,
);
