import { expect, onTestFinished, test } from "vitest";
import { createGeofences } from "../../../projections/live/partition.ts";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import type { HasRead } from "../../../services/state-machine/follow-geofences.ts";
import { until } from "../../support/processes.ts";
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
    now: () => now,
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
