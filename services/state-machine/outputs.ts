// Turns the outputs of the fold into messages: intersections and zone versions beside the log, track ends into it.
import type { Outputs } from "../../projections/live/partition.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { Cause, TrackExpired } from "../../schemas/events.ts";
import { headersOf, LOG_ID } from "../../schemas/headers.ts";
import { derivedId, isoTime } from "../../schemas/identity.ts";
import { topicName } from "../../schemas/topics.ts";
import type { OutMessage } from "../common/kafka/publisher.ts";

const SOURCE = "tracklog/state-machine";

/** Newest outputs that the topics already hold; an output that is not beyond them was written before a restart. */
export interface Written {
  /** The camera-log that these, and all new outputs, belong to. */
  readonly logId: string;
  readonly intersection: Cause | undefined;
  /** Camera-log offset of the newest zone version. */
  readonly zoneVersion: number | undefined;
}

export function createOutputs(codec: Codec, namespace: string, cameraLog = topicName(namespace, "camera-log")) {
  const topics = {
    cameraLog,
    intersections: topicName(namespace, "zone-intersections"),
    zones: topicName(namespace, "zones"),
  };

  return {
    topics,

    toMessages(partition: number, out: Outputs, written: Written, nowMs: number): OutMessage[] {
      const messages: OutMessage[] = [];
      // Within a batch all headers but the id are the same.
      const logId = { [LOG_ID]: written.logId };
      const changed = {
        ...headersOf({ id: "", type: "ZoneIntersectionChanged", source: SOURCE, timeMs: nowMs }),
        ...logId,
      };
      for (const change of out.intersections) {
        if (!isBeyond(change.cause, written.intersection)) continue;
        const { offset, index } = change.cause;
        const id = `${partition}-${offset}-${index}`;
        messages.push({
          topic: topics.intersections,
          key: change.dataSourceId,
          partition,
          value: codec.encode("ZoneIntersectionChanged", change),
          headers: { ...changed, ce_id: id },
        });
      }
      for (const version of out.zoneVersions) {
        if (version.offset <= (written.zoneVersion ?? -1)) continue;
        const id = `${partition}-${version.offset}`;
        messages.push({
          topic: topics.zones,
          key: version.zoneId,
          value: codec.encode("ZoneVersion", version),
          headers: { ...headersOf({ id, type: "ZoneVersion", source: SOURCE, timeMs: nowMs }), ...logId },
        });
      }
      return messages;
    },

    endMessages(partition: number, ended: readonly TrackExpired[], nowMs: number): OutMessage[] {
      return ended.map((event) => ({
        topic: topics.cameraLog,
        key: event.dataSourceId,
        partition,
        value: codec.encode("TrackExpired", event),
        headers: headersOf({
          id: derivedId("track-ended", event.trackId, isoTime(event.endTime)),
          type: "TrackExpired",
          source: SOURCE,
          timeMs: nowMs,
        }),
      }));
    },
  };
}

export function isBeyond(cause: Cause, written: Cause | undefined): boolean {
  if (written === undefined) return true;
  return cause.offset > written.offset || (cause.offset === written.offset && cause.index > written.index);
}
