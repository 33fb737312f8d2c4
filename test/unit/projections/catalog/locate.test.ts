import { expect, test } from "vitest";
import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import { createLocate } from "../../../../projections/catalog/locate.ts";

const nothing = { siteId: null, pointOfInterestId: null, transcoderId: null, externalId: null, address: null };
const polygon = { rings: [[20, 10, 40, 10, 40, 70, 20, 70, 20, 10]], crs: null };

/** Cameras, and how often the markers of a calibration were read to compute its map. */
function createCameras() {
  const catalog = createCatalog();
  const computed: string[] = [];
  let offset = 0;
  return {
    ...{ catalog, computed, locate: createLocate(catalog) },
    addCamera(id: string) {
      const set = { ...nothing, name: id, enabled: true, dataSourceId: id, position: null };
      const event = { id, change: "created", at: 0, set, cleared: [] } as const;
      catalog.applyOwn({ type: "DeviceChanged", event }, offset++);
    },
    calibrate(deviceId: string, timestamp: number) {
      const id = `${deviceId}-${timestamp}`;
      const corners = [
        [0, 0],
        [100, 0],
        [100, 100],
        [0, 100],
      ] as const;
      const markers = corners.map(([x, y], i) => ({
        name: "m",
        position: { longitude: 13 + x * 1e-6, latitude: 52 + y * 1e-6, altitude: null, crs: null },
        get pixel() {
          if (i === 3) computed.push(id);
          return { x, y };
        },
      }));
      const event = { id, change: "created", at: 0, set: { deviceId, timestamp, markers }, cleared: [] } as const;
      catalog.applyOwn({ type: "DeviceCalibrationChanged", event }, offset++);
    },
  };
}

test("a calibration is computed once, with the first detection that it applies to", () => {
  const { locate, computed, addCamera, calibrate } = createCameras();
  addCamera("door");
  for (let timestamp = 0; timestamp < 100; timestamp++) calibrate("door", timestamp);

  expect(computed).toEqual([]);
  expect(locate("door", 50, polygon)?.longitude).toBeCloseTo(13.00003, 9);
  addCamera("gate");
  calibrate("gate", 0);
  calibrate("door", 100);
  locate("door", 50, polygon);
  expect(computed).toEqual(["door-50"]);
  locate("door", 100, polygon);
  expect(computed).toEqual(["door-50", "door-100"]);
});
