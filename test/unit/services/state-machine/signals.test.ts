import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../support/running/processes.ts";
import { detection } from "../../../support/scenes/detection.ts";
import { INSIDE, polygon, rectangle, zone } from "../../projections/live/camera.ts";
import { listenFor, ofZones } from "../../projections/webhooks/signals/subscribed.ts";
import { createMachine } from "./machine.ts";

const ZONES = 60;
const SUBSCRIPTIONS = 100;

test("the signals of one detection go out in rounds, and its position is saved after the last", async () => {
  const subscriptions = Array.from({ length: SUBSCRIPTIONS }, (_, i) => ofZones({ key: `s${i}`, createdAt: 0 }));
  const zones = Array.from({ length: ZONES }, (_, i) => zone({ zoneId: `z${i}`, dataSourceId: "ds1" }));
  const box = polygon(rectangle(INSIDE, 45, INSIDE + 10, 55));
  const rounds: string[][] = [];
  const { machine, did } = createMachine({
    listener: listenFor(...subscriptions),
    events: [
      ...zones.map((each) => ({ type: "ZoneCreated", event: { zone: each } }) as const),
      {
        type: "DetectionsRecorded",
        event: { dataSourceId: "ds1", detections: [detection({ timestamp: 1_000, polygon: box })] },
      },
    ],
    publish: async (messages) => {
      const signals = messages.filter(({ topic }) => topic.endsWith("signals"));
      rounds.push(signals.map(({ headers }) => String(headers?.["ce_id"])));
    },
  });
  await machine.start();
  onTestFinished(machine.stop);

  const saved = `save ${ZONES + 1}`;
  await until(() => did.includes(saved));

  expect(new Set(rounds.flat()).size).toBe(ZONES * SUBSCRIPTIONS);
  expect(rounds.flat()).toHaveLength(ZONES * SUBSCRIPTIONS);
  expect(Math.max(...rounds.map(({ length }) => length))).toBeLessThan(5_100);
  expect(did.slice(0, did.indexOf(saved)).filter((each) => each === "written")).toHaveLength(rounds.length);
});
