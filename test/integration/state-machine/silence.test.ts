import { expect, test } from "vitest";
import { until } from "../../support/running/processes.ts";
import { recordedBy, seen, T0 } from "../../unit/projections/live/camera.ts";
import { createTwoPartitions } from "./two-partitions.ts";

test("the tracks of a silent camera end while another of its partition goes on", async () => {
  const { start, record, events } = await createTwoPartitions({ TRACK_TTL: "1" });
  const endsOfSilent = async () =>
    (await events("camera-log")).flatMap((each) =>
      each.type === "TrackExpired" && each.event.dataSourceId === "silent" ? [each.event] : [],
    );
  await record(0, recordedBy("silent", seen(0, 50, { trackId: "a" }), seen(500, 50, { trackId: "b" })));
  start();

  let at = 0;
  await until(async () => {
    await record(0, recordedBy("busy", seen(at++, 50)));
    return (await endsOfSilent()).length >= 2;
  });

  const ends = (await endsOfSilent()).map(({ trackId, endTime }) => [trackId, endTime - T0]);
  expect(ends).toEqual([
    ["a", 0],
    ["b", 500],
  ]);
});
