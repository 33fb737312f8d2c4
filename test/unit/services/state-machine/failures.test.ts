import { expect, onTestFinished, test } from "vitest";
import { unavailable } from "../../../../schemas/errors.ts";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import type { OutMessage } from "../../../../services/common/kafka/write/publisher.ts";
import { until } from "../../../support/running/processes.ts";
import { createMachine, partitionOf, ZONE } from "./machine.ts";

const holds = (messages: readonly OutMessage[], partition: number) =>
  messages.some((message) => partitionOf(message) === partition);

test("a partition whose outputs the log refuses stops only itself, and goes on once the log takes them", async () => {
  let refuses = true;
  const { machine, did } = createMachine({
    partitions: 2,
    publish: async (messages) => {
      if (refuses && holds(messages, 0)) throw unavailable("the log did not take the message", 1_000);
    },
  });
  await machine.start();
  onTestFinished(machine.stop);

  await until(() => did.includes("save 1 of 1") && did.filter((what) => what === "take over 0").length >= 2);
  expect(did).not.toContain("save 1");

  refuses = false;
  await until(() => did.includes("save 1"));
});

test("a partition whose outputs hang delays only itself", async () => {
  const answered = Promise.withResolvers<void>();
  const { machine, did } = createMachine({
    partitions: 2,
    publish: async (messages) => {
      if (holds(messages, 0)) await answered.promise;
    },
  });
  await machine.start();

  await until(() => did.includes("save 1 of 1"));
  expect(did).not.toContain("save 1");
  answered.resolve();
  await machine.stop();

  expect(did).toContain("save 1");
});

test("a machine that is stopped while it cannot save gives the reason, and lets go before it leaves the group", async () => {
  const away = new Error("redis is away");
  let attempts = 0;
  const { machine, did } = createMachine({
    save: async () => {
      attempts += 1;
      throw away;
    },
  });
  await machine.start();
  await until(() => attempts > 0);

  await expect(machine.stop()).rejects.toBe(away);

  expect(did.slice(-2)).toEqual(["release", "leave"]);
});

test("an error that no repetition can mend ends the machine, and nothing is saved after it", async () => {
  const broken = new RangeError("Maximum call stack size exceeded");
  const saves: number[] = [];
  const { machine } = createMachine({
    events: [ZONE, ZONE],
    perStep: 1,
    save: async ({ next }) => {
      saves.push(next);
      throw broken;
    },
  });
  await machine.start();

  await expect(machine.failed).rejects.toBe(broken);
  await machine.stop();

  expect(saves).toEqual([1]);
});

test("others of the process have their turn while a partition is folded", async () => {
  let turn = 0;
  const turns = setInterval(() => turn++, 1);
  onTestFinished(() => clearInterval(turns));
  const foldedIn = new Set<number>();
  const { machine, did } = createMachine({
    events: Array.from({ length: 20 }, () => ZONE),
    onFold: () => {
      foldedIn.add(turn);
      // This takes as long as the fold of a large polygon among many zones.
      const until = performance.now() + 20;
      while (performance.now() < until);
    },
  });
  await machine.start();
  await until(() => did.includes("save 20"));
  await machine.stop();

  expect(foldedIn.size).toBeGreaterThan(1);
});

test("others of the process have their turn while one message of many large polygons is folded", async () => {
  let turn = 0;
  const turns = setInterval(() => turn++, 1);
  onTestFinished(() => clearInterval(turns));
  const foldedFrom: number[] = [];
  let writtenAt = 0;
  const { machine, did } = createMachine({
    events: [wideZone(), largeReport(100)],
    onFold: () => foldedFrom.push(turn),
    publish: async (messages) => {
      if (messages.some(({ topic }) => topic.endsWith("zone-intersections"))) writtenAt = turn;
    },
  });
  await machine.start();
  await until(() => did.includes("save 2"));
  await machine.stop();

  expect(writtenAt - (foldedFrom[1] ?? 0)).toBeGreaterThan(3);
});

/** A closed ring with its vertices on a circle. */
function roundRing(vertices: number, radius: number): number[] {
  const ring = Array.from({ length: vertices - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (vertices - 1);
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  }).flat();
  return [...ring, ...ring.slice(0, 2)];
}

function wideZone(): CameraLogEvent {
  if (ZONE.type !== "ZoneCreated") throw new Error("not a zone");
  return {
    type: "ZoneCreated",
    event: { zone: { ...ZONE.event.zone, polygon: { rings: [roundRing(10_000, 1_000)], crs: null } } },
  };
}

function largeReport(detections: number): CameraLogEvent {
  const polygon = { rings: [roundRing(256, 1_000.5)], crs: null };
  return {
    type: "DetectionsRecorded",
    event: {
      dataSourceId: "ds1",
      detections: Array.from({ length: detections }, (_, i) => ({
        ...{ trackId: "t1", timestamp: 1_000 + i, polygon, position: null, direction: null, metadata: null },
      })),
    },
  };
}
