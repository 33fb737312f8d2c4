import { expect, test } from "vitest";
import { detectionResolvers } from "../../../../../services/api/fields/types/detection.ts";
import { trackResolvers } from "../../../../../services/api/fields/types/track.ts";
import { zoneResolvers } from "../../../../../services/api/fields/types/zone.ts";
import { zone } from "../../../../support/scenes/zone.ts";
import { createEntityApi } from "../entity-api.ts";

const header = { trackId: "t", tag: "car", startTime: 0, endTime: null, modelId: null, properties: null };
const track = { ...header, metadata: null };
const detection = { trackId: "t", timestamp: 0, polygon: null, position: null, direction: null, metadata: null };

async function createYard() {
  const api = await createEntityApi();
  const made = await api.data('mutation { createDataSource(dataSource: { name: "Yard", type: VIDEO_DEVICE }) { id } }');
  const dataSourceId: string = made.createDataSource.id;
  const deviceIds = () => [
    zoneResolvers.deviceId(zone({ dataSourceId }), {}, api),
    ...trackResolvers.deviceIds({ ...track, dataSourceId }, {}, api),
    detectionResolvers.deviceId({ ...detection, dataSourceId }, {}, api),
  ];
  return { ...api, dataSourceId, deviceIds };
}

test("zones, tracks and detections give the id of their data source's device", async () => {
  const { data, dataSourceId, deviceIds } = await createYard();
  const device = { id: "door", name: "Door", enabled: true, dataSourceId };
  await data("mutation ($device: CreateDeviceInput!) { createDevice(device: $device) { id } }", { device });

  expect(deviceIds()).toEqual(["door", "door", "door"]);
});

test("without a device they give the data source's own id", async () => {
  const { dataSourceId, deviceIds } = await createYard();

  expect(deviceIds()).toEqual([dataSourceId, dataSourceId, dataSourceId]);
});
