// The newest heartbeat of each device, in memory.
import type { DeviceHeartbeat } from "../../schemas/events.ts";

export interface Heartbeats {
  /** Time of the device's newest heartbeat, ms. */
  lastOf(deviceId: string): number | undefined;
  /** A heartbeat that is not newer than the last one changes nothing, so the order does not matter. */
  apply(heartbeat: DeviceHeartbeat): void;
  /** The listener is called at once with each heartbeat that is newer than the last of its device. */
  onNewer(listener: (heartbeat: DeviceHeartbeat) => void): void;
}

export function createHeartbeats(): Heartbeats {
  const newest = new Map<string, number>();
  const listeners: ((heartbeat: DeviceHeartbeat) => void)[] = [];
  return {
    lastOf: (deviceId) => newest.get(deviceId),
    apply(heartbeat) {
      const { deviceId, timestamp } = heartbeat;
      if (timestamp <= (newest.get(deviceId) ?? Number.NEGATIVE_INFINITY)) return;
      newest.set(deviceId, timestamp);
      for (const listener of listeners) listener(heartbeat);
    },
    onNewer: (listener) => {
      listeners.push(listener);
    },
  };
}
