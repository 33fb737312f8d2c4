import { expect, test } from "vitest";
import { detectionId } from "../../../schemas/identity.ts";
import { at, box, created, detection, recorded, updated } from "../../support/scenes/feed-events.ts";
import { createInstallation } from "./installation.ts";
import { follow, type Subscription } from "./subscription.ts";

interface Activity {
  readonly detectionActivity: {
    readonly id: string;
    readonly tag?: string;
    readonly zones?: readonly { readonly id: string }[];
    readonly track?: { readonly id: string; readonly startTime: string };
  };
}

const installation = await createInstallation();
const IDS = `subscription ($filter: FilterDetectionActivityInput) { detectionActivity(filter: $filter) { id } }`;

const ids = (subscription: Subscription<Activity>) =>
  subscription.received().map(({ data: { detectionActivity } }) => detectionActivity.id);

test("each new detection is told once, however it came and however often", async () => {
  const api = await installation.startApi();
  const subscription = await follow<Activity>({
    ...api,
    query: IDS,
    variables: { filter: { deviceId: { eq: "once" } } },
  });
  const source = { dataSourceId: "once" };
  const first = created("t", { ...source, detections: [detection("t", 1), detection("t", 2)] });

  await installation.record(
    first,
    recorded("once", detection("t", 4), detection("t", 4), detection("t", 2)),
    first,
    updated("t", { ...source, detections: [detection("t", 5), detection("t", 3)] }),
    recorded("once", detection("t", 3), detection("t", 6)),
  );

  await subscription.atLeast(6);
  expect(ids(subscription)).toEqual([1, 2, 4, 5, 3, 6].map((second) => detectionId("once", "t", at(second))));
});

test("filters select by tag, position and the zones that a detection is inside of", async () => {
  const api = await installation.startApi();
  const zone = { zoneId: "z", dataSourceId: "zoned", name: "Z", active: true, createdAt: 0, updatedAt: 0 };
  installation.zones.apply({
    ...{ zoneId: "z", dataSourceId: "zoned", movedTo: null, refusal: null, partition: 0, offset: 0 },
    zone: { ...zone, polygon: box(0, 0, 100), anchor: "area", enterDetections: 1, exitDelayMs: 0 },
  });
  const query = `subscription ($filter: FilterDetectionActivityInput) {
    detectionActivity(filter: $filter) { id tag zones { id } track { id startTime } }
  }`;
  const ask = (filter: object) => follow<Activity>({ ...api, query, variables: { filter } });
  const inZone = await ask({ zoneId: { eq: "z" } });
  const outside = await ask({ not: { zoneId: { eq: "z" } }, dataSourceId: { eq: "zoned" } });
  const cars = await ask({ tag: { eq: "CAR" } });
  const near = await ask({ position: { near: { point: { coordinates: [10, 50] }, radius: 200 } } });

  await installation.record(
    created("p", { dataSourceId: "zoned", detections: [detection("p", 1, { polygon: box(90, 90) })] }),
    created("c", { dataSourceId: "zoned", tag: "car", detections: [detection("c", 1, { polygon: box(100, 0) })] }),
    recorded("zoned", detection("p", 2, { position: { longitude: 10.001, latitude: 50, altitude: null, crs: null } })),
    recorded("zoned", detection("p", 3, { position: { longitude: 10.01, latitude: 50, altitude: null, crs: null } })),
    recorded("zoned", detection("c", 2, { polygon: box(10, 10) })),
  );

  const [first] = await inZone.atLeast(2);
  expect(first?.data.detectionActivity).toMatchObject({ tag: "person", zones: [{ id: "z" }], track: { id: "p" } });
  expect(ids(inZone)).toEqual([detectionId("zoned", "p", at(1)), detectionId("zoned", "c", at(2))]);
  await outside.atLeast(3);
  expect(ids(outside)).toEqual([
    detectionId("zoned", "c", at(1)),
    detectionId("zoned", "p", at(2)),
    detectionId("zoned", "p", at(3)),
  ]);
  await cars.atLeast(2);
  expect(ids(cars)).toEqual([detectionId("zoned", "c", at(1)), detectionId("zoned", "c", at(2))]);
  expect(ids(near)).toEqual([detectionId("zoned", "p", at(2))]);
});

test("a track that was created before anybody listened comes with its header", async () => {
  const first = await installation.startApi({ API_FEED_LOOKBACK_MESSAGES: "0" });
  const header = { trackId: "early", dataSourceId: "cam", tag: "bike", startTime: at(0), endTime: null };
  await first.routing.created({ ...header, modelId: null, properties: null, metadata: null }, 0);
  await installation.record(created("early", { tag: "bike" }));
  const query = 'subscription { detectionActivity(filter: { tag: { eq: "bike" } }) { id tag track { id startTime } } }';
  // The instance finds the header in the shared entry, not in its memory.
  const second = await installation.startApi({ API_FEED_LOOKBACK_MESSAGES: "0" });
  const subscription = await follow<Activity>({ ...second, query });

  await installation.record(recorded("cam", detection("early", 9)));

  const [reported] = await subscription.atLeast(1);
  expect(reported?.data.detectionActivity).toMatchObject({
    id: detectionId("cam", "early", at(9)),
    tag: "bike",
    track: { id: "early", startTime: new Date(at(0)).toISOString() },
  });
});

test("detections of cameras that number their tracks alike have ids of their own, also at the same millisecond", async () => {
  const api = await installation.startApi();
  const dataSourceIds = ["alike left", "alike right"];
  const filter = { dataSourceId: { in: dataSourceIds } };
  const subscription = await follow<Activity>({ ...api, query: IDS, variables: { filter } });

  await installation.record(...dataSourceIds.map((id) => recorded(id, detection("1", 1))));

  await subscription.atLeast(2);
  expect(ids(subscription).sort()).toEqual(dataSourceIds.map((id) => detectionId(id, "1", at(1))).sort());
  expect(new Set(ids(subscription)).size).toBe(2);
});

test("what is no event, or no sensible one, is left out and the rest goes on", async () => {
  const api = await installation.startApi();
  const subscription = await follow<Activity>({
    ...api,
    query: IDS,
    variables: { filter: { dataSourceId: { eq: "odd" } } },
  });
  const far = Date.now() + 3_600_000;

  await installation.record(created("odd", { dataSourceId: "odd", detections: [detection("odd", 1)] }));
  await installation.publishRaw([
    { topic: installation.topic("camera-log"), key: "odd", value: Buffer.from("garbage") },
  ]);
  await installation.publishRaw([{ topic: installation.topic("camera-log"), key: "odd", value: null }]);
  await installation.record(
    recorded("odd", { ...detection("odd", 2), timestamp: far }),
    recorded("odd", detection("odd", 3)),
  );

  await subscription.atLeast(2);
  expect(ids(subscription)).toEqual([detectionId("odd", "odd", at(1)), detectionId("odd", "odd", at(3))]);
});
