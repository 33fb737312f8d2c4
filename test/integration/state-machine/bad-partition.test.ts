import { expect, test } from "vitest";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { until } from "../../support/running/processes.ts";
import { created, INSIDE, seen, zone } from "../../unit/projections/live/camera.ts";
import { createTwoPartitions } from "./two-partitions.ts";

/** The broker's limit for a batch: it takes a few outputs of a usual size, and none with a long tag. */
const TAKEN_BYTES = 900;
/** The longest tag that is allowed. */
const LONG_TAG = "x".repeat(1_024);

const entering = (partition: number, tag: string): CameraLogEvent[] => {
  const ids = { trackId: `t${partition}`, dataSourceId: String(partition) };
  return [
    { type: "ZoneCreated", event: { zone: zone({ zoneId: `z${partition}`, dataSourceId: String(partition) }) } },
    created({ ...ids, tag, detections: [seen(0, INSIDE, ids)] }),
  ];
};

test("a partition of the outputs that refuses stops only its own, until it takes them", async () => {
  const { start, record, takeOutputsOf, savedUpTo, ownerOf, events } = await createTwoPartitions();
  const takenOverAgain = async (partition: number) => {
    const before = await ownerOf(partition);
    await until(async () => (await ownerOf(partition)) !== before);
  };
  await takeOutputsOf(TAKEN_BYTES);
  await record(0, ...entering(0, LONG_TAG));
  await record(1, ...entering(1, "person"));
  start();

  await until(async () => (await savedUpTo(1)) === 2);
  // The first failure may have been one of both partitions.
  for (let times = 0; times < 2; times++) await takenOverAgain(0);
  const owner = await ownerOf(1);
  await takenOverAgain(0);
  await record(1, created({ trackId: "u", dataSourceId: "1", detections: [seen(1_000, INSIDE, { trackId: "u" })] }));
  await until(async () => (await savedUpTo(1)) === 3);
  expect(await ownerOf(1)).toBe(owner);
  expect(await savedUpTo(0)).toBe(0);
  await takeOutputsOf(1_000_000);

  await until(async () => (await savedUpTo(0)) === 2);
  const intersections = await events("zone-intersections");
  expect(intersections.map(({ partition }) => partition).sort()).toEqual([0, 1, 1]);
});
