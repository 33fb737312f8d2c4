// The traffic of a data source is a sign of life of its device.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { Heartbeats } from "../../../projections/catalog/heartbeats.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import type { EventWriter } from "./publish.ts";

/** Must be called when the data source has just sent something. Returns at once: no caller waits for a heartbeat. */
export type NoteTraffic = (dataSourceId: string) => void;

interface TrafficDeps {
  readonly catalog: Catalog;
  readonly heartbeats: Heartbeats;
  readonly writer: Pick<EventWriter, "records">;
  readonly log: Log;
  /** Milliseconds in which a device gets at most one heartbeat. */
  readonly heartbeatMs: number;
  readonly now: () => number;
}

/** @returns true when a heartbeat at that time is due: there is at most one in `heartbeatMs`. */
export const isDue = (heartbeats: Pick<Heartbeats, "lastOf">, deviceId: string, at: number, heartbeatMs: number) =>
  at - (heartbeats.lastOf(deviceId) ?? Number.NEGATIVE_INFINITY) >= heartbeatMs;

export function createNoteTraffic({ catalog, heartbeats, writer, log, heartbeatMs, now }: TrafficDeps): NoteTraffic {
  /**
   * Times, by data source, until which its traffic needs no heartbeat. The map has known data sources only, so it does
   * not grow without end.
   */
  const quietUntil = new Map<string, number>();

  async function write(deviceId: string, timestamp: number): Promise<void> {
    const event = { deviceId, timestamp };
    try {
      await writer.records([{ type: "DeviceHeartbeat", event }]);
      heartbeats.apply(event);
    } catch (error) {
      // A failed heartbeat is not repeated, because the next one is due soon.
      log.debug({ deviceId, err: messageOf(error) }, "heartbeat not written");
    }
  }

  return (dataSourceId) => {
    const at = now();
    if (at < (quietUntil.get(dataSourceId) ?? 0)) return;
    quietUntil.set(dataSourceId, at + heartbeatMs);
    for (const { id } of catalog.referring("device", "dataSourceId", dataSourceId)) {
      // Another instance may have written a heartbeat for the same traffic.
      if (isDue(heartbeats, id, at, heartbeatMs)) void write(id, at);
    }
  };
}
