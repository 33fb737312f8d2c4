// Events of a camera and its zones for the log, and the outputs of the state machine.
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { readAll } from "../../../services/common/kafka/read/read-some.ts";
import { detection } from "../../support/scenes/detection.ts";
import { zone } from "../../support/scenes/zone.ts";
import type { Installation } from "./installation.ts";

/** Long enough that a track in a zone does not end while a test looks. */
export const PATIENT = { TRACK_TTL: "3600", REBUILD_LOOKBACK_MS: "1" };

export const drawn = (zoneId: string): CameraLogEvent => ({
  type: "ZoneCreated",
  event: { zone: zone({ zoneId, dataSourceId: "cam", name: "door" }) },
});

/** Inside every zone of this file. */
export const seen = (...trackIds: readonly string[]): CameraLogEvent => ({
  type: "DetectionsRecorded",
  event: {
    dataSourceId: "cam",
    detections: trackIds.map((trackId) => detection({ trackId, timestamp: Date.now() })),
  },
});

/** The tracks that entered a zone, in the order of the messages. */
export async function startsOf({ kafka, codec, log, topic, namespace }: Installation): Promise<string[]> {
  const groupPrefix = `${namespace}.read`;
  const messages = await readAll({ kafka, groupPrefix, topic: topic("zone-intersections"), log });
  return messages.flatMap(({ message }) => {
    const decoded = codec.decode(message.value);
    if (!decoded.ok || decoded.type !== "ZoneIntersectionChanged") return [];
    return decoded.event.state === "START" ? [decoded.event.trackId] : [];
  });
}
