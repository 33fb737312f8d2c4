import { expect, test } from "vitest";
import type { GroupReader } from "../../../../../services/common/kafka/read/group-reader.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { Tenure } from "../../../../../services/common/partitions/tenure.ts";
import type { DeliveryLanes } from "../../../../../services/webhooks/partition/delivery-lanes.ts";
import { takeOverSignals } from "../../../../../services/webhooks/partition/take-over.ts";
import type { Queue } from "../../../../../services/webhooks/queue/queue.ts";

test("a takeover that the next assignment ends claims no further partition", async () => {
  const next = new AbortController();
  const claimed: number[] = [];
  const createQueue = (partition: number) =>
    ({
      begin: async () => undefined,
      async claim() {
        claimed.push(partition);
        next.abort();
        return { next: 5, logId: "log" };
      },
    }) as unknown as Queue;
  const log = createLog("test", "silent");

  await takeOverSignals(
    [0, 1, 2],
    {
      patience: { log, signal: next.signal },
      beginTenure: () => new Tenure({ losses: 0, onLost: () => undefined, onFailure: () => undefined }),
      own: () => undefined,
    },
    {
      topic: "signals",
      reader: { begin: async () => [5] } as unknown as GroupReader,
      log,
      createQueue,
      createLanes: () => ({ resume: async () => undefined }) as unknown as DeliveryLanes,
      logIds: async () => new Map([["signals", "log"]]),
      afresh: async () => ({ finished: new Set<string>(), from: new Map() }),
    },
  );

  expect(claimed).toEqual([0]);
});
