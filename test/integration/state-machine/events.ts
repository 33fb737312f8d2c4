// What a camera and the person who draws its zones send to the log, and what the state machine makes of it.
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { readAll } from "../../../services/common/kafka/read-some.ts";
import { detection } from "../../support/detection.ts";
import { zone } from "../../support/zone.ts";
import type { Installation } from "./installation.ts";

/** A track that stays does not end while a test looks. */
export const PATIENT = { TRACK_TTL: "3600", REBUILD_LOOKBACK_MS: "1" };

export const drawn = (zoneId: string): CameraLogEvent => ({
  type: "ZoneCreated",
  event: { zone: zone({ zoneId, dataSourceId: "cam", name: "door" }) },
});

/** Inside every zone that is drawn here. */
export const seen = (...trackIds: readonly string[]): CameraLogEvent => ({
  type: "DetectionsRecorded",
  event: {
    dataSourceId: "cam",
    detections: trackIds.map((trackId) => detection({ trackId, timestamp: Date.now() })),
  },
});

/** The tracks that entered a zone, in the order in which that was written. */
export async function startsOf({ kafka, codec, log, topic, namespace }: Installation): Promise<string[]> {
  const groupPrefix = `${namespace}.read`;
  const messages = await readAll({ kafka, groupPrefix, topic: topic("zone-intersections"), log });
  return messages.flatMap(({ message }) => {
    const decoded = codec.decode(message.value);
    if (!decoded.ok || decoded.type !== "ZoneIntersectionChanged") return [];
    return decoded.event.state === "START" ? [decoded.event.trackId] : [];
  });
}
