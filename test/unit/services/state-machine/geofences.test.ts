import { expect, onTestFinished, test } from "vitest";
import { createGeofences } from "../../../../projections/live/partition.ts";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import type { HasRead } from "../../../../services/state-machine/follow/follow-geofences.ts";
import { until } from "../../../support/running/processes.ts";
import { detection } from "../../../support/scenes/detection.ts";
import { createMachine, ZONE } from "./machine.ts";

const advanced = (upTo: number): CameraLogEvent => ({ type: "GeofencesAdvanced", event: { upTo } });

test("a partition waits until the catalog has been read as far as its log names it", async () => {
  let known: HasRead = "not yet";
  const asked: number[] = [];
  const { machine, did } = createMachine({
    events: [ZONE, advanced(7), ZONE],
    hasReadCatalog: (offset) => {
      asked.push(offset);
      return known;
    },
  });
  await machine.start();
  onTestFinished(machine.stop);

  await until(() => asked.length > 2);
  expect(did).not.toContain("save 3");
  known = "yes";
  await until(() => did.includes("save 3"));

  expect(new Set(asked)).toEqual(new Set([7]));
});

test("a change that the catalog does not have is skipped", async () => {
  const known: number[] = [];
  const { machine, did } = createMachine({
    events: [advanced(7), ZONE],
    hasReadCatalog: () => "never",
    save: async ({ geofencesUpTo }) => {
      known.push(geofencesUpTo);
      return "saved";
    },
  });
  await machine.start();
  onTestFinished(machine.stop);

  await until(() => did.includes("save 2"));

  expect(new Set(known)).toEqual(new Set([-1]));
});

test("the owner names a change that the log has not named for two seconds", async () => {
  let now = 10_000;
  const geofences = createGeofences();
  const bounds = { rings: [[0, 0, 1, 0, 1, 1, 0, 0]], crs: null };
  const set = { name: "Yard", labels: [], siteId: "s", pointOfInterestId: null, bounds, active: true };
  const written: unknown[] = [];
  const { machine, did } = createMachine({
    geofences,
    elapsed: () => now,
    publish: async (messages) => {
      for (const { topic, partition, value } of messages) {
        if (topic.endsWith("camera-log")) written.push([partition, JSON.parse(String(value))]);
      }
    },
  });
  await machine.start();
  onTestFinished(machine.stop);
  await until(() => did.includes("save 1"));

  geofences.apply({ id: "yard", change: "created", at: 0, set, cleared: [] }, 5, 0);
  now += 1_900;
  expect(written).toEqual([]);
  await until(() => {
    now += 500;
    return written.length > 0;
  });

  expect(written[0]).toEqual([0, { upTo: 5 }]);
});

test("the many outputs of one message go out in rounds of thousands, and its position is saved after the last", async () => {
  const geofences = createGeofences();
  const bounds = { rings: [[0, 0, 9, 0, 9, 9, 0, 9, 0, 0]], crs: null };
  const set = { name: "Yard", labels: [], siteId: "s", pointOfInterestId: null, bounds, active: true };
  for (let i = 0; i < 100; i++) geofences.apply({ id: `g${i}`, change: "created", at: 0, set, cleared: [] }, i, 0);
  const detections = Array.from({ length: 120 }, (_, i) => {
    const position = { longitude: i % 2 === 0 ? 5 : 20, latitude: 5, altitude: null, crs: null };
    return detection({ trackId: "t", timestamp: i * 100, polygon: null, position });
  });
  const rounds: number[][] = [];
  const { machine, did } = createMachine({
    geofences,
    events: [advanced(99), { type: "DetectionsRecorded", event: { dataSourceId: "ds1", detections } }],
    publish: async (messages) => {
      const outputs = messages.filter(({ topic }) => topic.endsWith("geofence-intersections"));
      rounds.push(outputs.map(({ value }) => JSON.parse(String(value)).cause.index));
    },
  });
  await machine.start();
  onTestFinished(machine.stop);

  await until(() => did.includes("save 2"));

  expect(rounds.length).toBeGreaterThan(2);
  expect(Math.max(...rounds.map(({ length }) => length))).toBeLessThan(6_000);
  expect(rounds.flat()).toEqual(Array.from({ length: 12_000 }, (_, i) => i));
  expect(did.slice(0, did.indexOf("save 2")).filter((each) => each === "written")).toHaveLength(rounds.length);
});
