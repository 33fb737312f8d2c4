import { expect, onTestFinished, test } from "vitest";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import { until } from "../../../support/running/processes.ts";
import { zone } from "../../../support/scenes/zone.ts";
import { createMachine } from "./machine.ts";

const VERTICES = 10_000;
const NAMES = 100;
/** The machine counts a vertex as two numbers of 8 bytes. */
const VERTEX_BYTES = 16;

test("new names of a large zone, which repeat its polygon, go out in rounds of few bytes", async () => {
  const around = Array.from({ length: VERTICES - 2 }, (_, i) => [i, i % 2]).flat();
  const polygon = { rings: [[...around, 0, 9, 0, 0]], crs: null };
  const unchanged = { polygon: null, active: null, anchor: null, enterDetections: null, exitDelayMs: null };
  const names = Array.from({ length: NAMES }, (_, i): CameraLogEvent => {
    const set = { ...unchanged, name: `door ${i}` };
    return {
      type: "ZoneUpdated",
      event: { zoneId: "z", dataSourceId: "ds1", updatedAt: 1_000 + i, ifUpdatedAt: null, set, cleared: [] },
    };
  });
  const rounds: number[] = [];
  const { machine, did } = createMachine({
    events: [{ type: "ZoneCreated", event: { zone: zone({ zoneId: "z", dataSourceId: "ds1", polygon }) } }, ...names],
    publish: async (messages) => void rounds.push(messages.length),
  });
  await machine.start();
  onTestFinished(machine.stop);

  await until(() => did.includes(`save ${NAMES + 1}`));

  expect(rounds.reduce((sum, versions) => sum + versions, 0)).toBe(NAMES + 1);
  expect(Math.max(...rounds) * VERTICES * VERTEX_BYTES).toBeLessThan(5 * 1024 * 1024);
});
