import { defineEntity, type EntityOf } from "./define-entity.ts";

export type DeviceCalibration = EntityOf<"deviceCalibration">;

export const deviceCalibration = defineEntity({
  kind: "deviceCalibration",
  name: "calibration",
  fields: {
    deviceId: { type: "text", nullable: false, refersTo: "device" },
    timestamp: { type: "time", nullable: false },
    markers: { type: "markers", nullable: false },
  },
});
