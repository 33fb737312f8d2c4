// The shortest way through the whole system: a track crosses a zone, and the history returns the intersection.
import { expect, test } from "vitest";
import { startSystem } from "../support/running/system.ts";
import { square } from "../support/scenes/zone.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();

const box = (left: number) => ({ coordinates: [square(10, left)] });

test("a track that crosses a zone is answered as one intersection with its times", async () => {
  const { client } = await startSystem();
  const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
    `mutation { createDataSource(dataSource: { name: "gate", type: VIDEO_DEVICE }) { id } }`,
  );
  const dataSourceId = createDataSource.id;
  const zone = {
    dataSourceId,
    name: "door",
    polygon: {
      coordinates: [
        [
          [100, -50],
          [200, -50],
          [200, 50],
          [100, 50],
          [100, -50],
        ],
      ],
    },
  };
  const { createZone } = await client.ask<{ createZone: { id: string } }>(
    `mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }`,
    { zone },
  );
  const detections = Array.from({ length: 30 }, (_, i) => ({ timestamp: at(i), polygon: box(i * 10) }));

  const written = await client.send<{ createTrack: { id: string } }>(
    `mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }`,
    { track: { dataSourceId, tag: "person", startTime: at(0), endTime: at(29), detections } },
  );

  const { zoneIntersections } = await client.ask<Record<"zoneIntersections", unknown>>(
    `query ($zoneId: ID!, $time: FilterDateTimeOffsetInput!) {
      zoneIntersections(filter: { zoneId: { eq: $zoneId }, time: $time }) {
        totalCount
        edges { node { startTime endTime zone { name } track { id tag endTime } } }
      }
    }`,
    { zoneId: createZone.id, time: { between: [at(0), at(60)] } },
    { "x-min-position": written.extensions?.position ?? "" },
  );
  expect(zoneIntersections).toEqual({
    totalCount: 1,
    edges: [
      {
        node: {
          startTime: at(10),
          endTime: at(20),
          zone: { name: "door" },
          track: { id: written.data?.createTrack.id, tag: "person", endTime: at(29) },
        },
      },
    ],
  });
});
