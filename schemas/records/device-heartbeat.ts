import { record, string, time } from "../avro.ts";

/** A sign that the device was alive at that time. */
export interface DeviceHeartbeat {
  readonly deviceId: string;
  readonly timestamp: number;
}

export const deviceHeartbeat = record<DeviceHeartbeat>("DeviceHeartbeat", { deviceId: string, timestamp: time });
