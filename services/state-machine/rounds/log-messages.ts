// The messages that a round writes to the camera-log itself.
import type { Codec } from "../../../schemas/codec.ts";
import type { TrackExpired } from "../../../schemas/events.ts";
import { headersOf } from "../../../schemas/headers.ts";
import { derivedId, isoTime } from "../../../schemas/identity.ts";
import type { OutMessage } from "../../common/kafka/write/publisher.ts";

export const STATE_MACHINE = "tracklog/state-machine";

/** A partition, and the camera-log offset up to which, exclusive, its owner has read. */
interface Reached {
  readonly partition: number;
  readonly next: number;
}

export function createLogMessages(codec: Pick<Codec, "encode">, cameraLog: string) {
  return {
    geofencesMessage({ partition, next }: Reached, upTo: number, nowMs: number): OutMessage {
      const id = derivedId("geofences-advanced", `${partition}`, `${upTo}`, `${next}`);
      return {
        topic: cameraLog,
        key: "",
        partition,
        value: codec.encode("GeofencesAdvanced", { upTo }),
        headers: headersOf({ id, type: "GeofencesAdvanced", source: STATE_MACHINE, timeMs: nowMs }),
      };
    },

    endMessages(partition: number, ended: readonly TrackExpired[], nowMs: number): OutMessage[] {
      return ended.map((event) => ({
        topic: cameraLog,
        key: event.dataSourceId,
        partition,
        value: codec.encode("TrackExpired", event),
        headers: headersOf({
          id: derivedId("track-ended", event.dataSourceId, event.trackId, isoTime(event.endTime)),
          type: "TrackExpired",
          source: STATE_MACHINE,
          timeMs: nowMs,
        }),
      }));
    },
  };
}
