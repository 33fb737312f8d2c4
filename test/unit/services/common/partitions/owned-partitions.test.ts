import { expect, test, vi } from "vitest";
import { createLog } from "../../../../../services/common/log.ts";
import { NotOwner } from "../../../../../services/common/partitions/not-owner.ts";
import { type Assignment, OwnedPartitions } from "../../../../../services/common/partitions/owned-partitions.ts";
import { Tenure } from "../../../../../services/common/partitions/tenure.ts";

interface Owned {
  readonly partition: number;
  readonly tenure: Tenure;
}

interface Given {
  readonly takeOver?: (partitions: readonly number[], assignment: Assignment<Owned>) => Promise<void>;
  readonly goesOn?: (owned: Owned) => Promise<boolean>;
  readonly owns?: () => boolean;
}

/** `did` lists takeovers and releases in order. */
function createOwned({ takeOver, goesOn, owns = () => true }: Given = {}) {
  const did: string[] = [];
  const failures: unknown[] = [];
  const stopping = new AbortController();
  const owned = new OwnedPartitions<Owned>({
    topic: "signals",
    reader: { owns, wake: () => undefined },
    async takeOver(partitions, assignment) {
      did.push(`take ${partitions.join()}`);
      await takeOver?.(partitions, assignment);
      for (const partition of partitions) {
        assignment.own(partition, { partition, tenure: assignment.beginTenure(partition) });
      }
    },
    ...(goesOn === undefined ? {} : { goesOn }),
    async release({ partition }, ended) {
      await ended;
      did.push(`release ${partition}`);
    },
    patience: { log: createLog("test", "silent"), signal: stopping.signal },
    onFailure: (error) => failures.push(error),
  });
  return { owned, did, failures };
}

test("an assignment lets go of every partition, and takes over those that it has", async () => {
  const { owned, did } = createOwned();

  await owned.assign([0, 1]);
  await owned.assign([1, 2]);

  expect(did.slice(1).toSorted()).toEqual(["release 0", "release 1", "take 1,2"]);
  expect(did.indexOf("release 1")).toBeLessThan(did.indexOf("take 1,2"));
  expect(owned.all().map(({ partition }) => partition)).toEqual([1, 2]);
});

test("a partition that this process still owns goes on in the same tenure", async () => {
  const { owned, did } = createOwned({ goesOn: async ({ partition }) => partition === 1 });

  await owned.assign([0, 1]);
  const tenure = owned.get(1)?.tenure;
  await owned.assign([0, 1]);

  expect(did).toEqual(["take 0,1", "release 0", "take 0"]);
  expect(owned.get(1)?.tenure).toBe(tenure);
});

test("a lost partition is taken over again once its work has ended, and the others go on", async () => {
  const { owned, did } = createOwned();
  await owned.assign([0, 1]);
  const other = owned.get(1)?.tenure;
  const working = Promise.withResolvers<void>();
  owned.get(0)?.tenure.run(working.promise);

  owned.get(0)?.tenure.markLost("refused");
  owned.reclaimLost();
  expect(did).toEqual(["take 0,1"]);
  working.resolve();

  await vi.waitFor(() => expect(owned.get(0)?.tenure.isOver).toBe(false));
  expect(did).toEqual(["take 0,1", "release 0", "take 0"]);
  expect(owned.get(1)?.tenure).toBe(other);
});

test("a lost partition that the group may have given to others is left to the next assignment", async () => {
  const { owned, did } = createOwned({ owns: () => false });
  await owned.assign([0]);

  owned.get(0)?.tenure.markLost("refused");
  owned.reclaimLost();
  await owned.assign([0]);

  expect(did).toEqual(["take 0", "release 0", "take 0"]);
});

test("an assignment ends a takeover under way, whose failure then ends nothing", async () => {
  let takeovers = 0;
  const { owned, failures } = createOwned({
    takeOver: (_, { patience: { signal } }) => {
      takeovers += 1;
      if (takeovers !== 2) return Promise.resolve();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("given up"))));
    },
  });
  await owned.assign([0]);
  owned.get(0)?.tenure.markLost("refused");
  owned.reclaimLost();
  await vi.waitFor(() => expect(takeovers).toBe(2));

  await owned.assign([0]);

  expect(takeovers).toBe(3);
  expect(owned.get(0)?.tenure.isOver).toBe(false);
  expect(failures).toEqual([]);
});

test("partitions that are let go are released when their work has ended", async () => {
  const { owned, did } = createOwned();
  await owned.assign([0]);
  const working = Promise.withResolvers<void>();
  owned.get(0)?.tenure.run(working.promise);

  const ended = owned.end();
  expect(owned.all()).toEqual([]);
  expect(did).toEqual(["take 0"]);
  working.resolve();
  await ended;

  expect(did).toEqual(["take 0", "release 0"]);
});

test("a write that the store refuses ends the tenure, another failure the process, and none counts after the end", async () => {
  const lost: string[] = [];
  const failures: unknown[] = [];
  const begin = () =>
    new Tenure({ losses: 0, onLost: (reason) => lost.push(reason), onFailure: (error) => failures.push(error) });
  const broken = new Error("broken");

  const [refused, failed, over] = [begin(), begin(), begin()];
  refused.run(Promise.reject(new NotOwner("not owner")));
  failed.run(Promise.reject(broken));
  over.run(Promise.reject(new NotOwner("too late")));
  over.run(Promise.reject(broken));
  await over.end();

  expect(refused.isOver).toBe(true);
  expect(failed.isOver).toBe(false);
  expect(lost).toEqual(["not owner"]);
  expect(failures).toEqual([broken]);
});

test("the pause before a takeover grows with the losses in a row, and a success ends the row", () => {
  const begin = (losses: number) => new Tenure({ losses, onLost: () => undefined, onFailure: () => undefined });
  const [first, fourth, again] = [begin(0), begin(3), begin(3)];

  again.succeeded();
  for (const tenure of [first, fourth, again]) tenure.markLost("refused");
  const nowMs = performance.now();

  expect([first, fourth, again].map((tenure) => tenure.isDue(nowMs))).toEqual([true, false, true]);
  expect(fourth.isDue(nowMs + 800)).toBe(true);
});
