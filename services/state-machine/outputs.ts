// Turns the outputs of the fold into messages beside the log, and track ends into messages of the log itself.
import type { Outputs } from "../../projections/live/partition.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { Cause, Events, EventType, TrackExpired } from "../../schemas/events.ts";
import { headersOf, LOG_ID, LOST_END } from "../../schemas/headers.ts";
import { derivedId, isoTime } from "../../schemas/identity.ts";
import { type OutputTopic, perOutput } from "../../schemas/outputs.ts";
import { topicName } from "../../schemas/topics.ts";
import type { OutMessage } from "../common/kafka/publisher.ts";
import type { Owned } from "./owned.ts";

const SOURCE = "tracklog/state-machine";

/** Newest outputs that the topics already hold; an output that is not beyond them was written before a restart. */
export interface Written {
  /** The camera-log that these, and all new outputs, belong to. */
  readonly logId: string;
  /** Names the loss, when the partition's log has lost its end. */
  readonly lostEnd?: string | undefined;
  readonly newest: Readonly<Partial<Record<OutputKind["topic"], Cause>>>;
}

interface OutputKind<T extends EventType = EventType> {
  readonly topic: OutputTopic | "zones" | "signals";
  readonly type: T;
  readonly of: (out: Outputs) => readonly Events[T][];
  readonly key: (event: Events[T]) => string;
  readonly cause: (event: Events[T]) => Cause;
  readonly id: (event: Events[T]) => string;
  /** Whether it is in the partition with the number of its cause. */
  readonly inSamePartition: boolean;
}

const idOf = ({ partition, offset, index }: Cause): string => `${partition}-${offset}-${index}`;

const row = <T extends EventType>(kind: OutputKind<T>): OutputKind => kind as unknown as OutputKind;

/** The order of the rows is the order in which a round writes them. */
const kinds: readonly OutputKind[] = [
  row({
    topic: "zone-intersections",
    type: "ZoneIntersectionChanged",
    of: ({ intersections }) => intersections,
    key: ({ dataSourceId }) => dataSourceId,
    cause: ({ cause }) => cause,
    id: ({ cause }) => idOf(cause),
    inSamePartition: true,
  }),
  row({
    topic: "geofence-intersections",
    type: "GeofenceIntersectionChanged",
    of: ({ geofenceIntersections }) => geofenceIntersections,
    key: ({ dataSourceId }) => dataSourceId,
    cause: ({ cause }) => cause,
    id: ({ cause }) => idOf(cause),
    inSamePartition: true,
  }),
  row({
    topic: "zones",
    type: "ZoneVersion",
    of: ({ zoneVersions }) => zoneVersions,
    key: ({ zoneId }) => zoneId,
    // A message has the versions of one zone event.
    cause: ({ partition, offset }) => ({ partition, offset, index: 0 }),
    id: ({ partition, offset }) => `${partition}-${offset}`,
    inSamePartition: false,
  }),
  // Not looked up at a takeover: after a crash some are in their topic twice, with the same id and cause.
  row({
    topic: "signals",
    type: "SignalRaised",
    of: ({ signals }) => signals,
    key: ({ subscriptionId }) => subscriptionId,
    cause: ({ cause }) => cause,
    id: ({ id }) => id,
    inSamePartition: false,
  }),
];

export function createOutputs(codec: Codec, namespace: string, cameraLog = topicName(namespace, "camera-log")) {
  const topics = {
    cameraLog,
    zones: topicName(namespace, "zones"),
    signals: topicName(namespace, "signals"),
    outputs: perOutput((topic) => topicName(namespace, topic)),
  };

  function* messagesOf(kind: OutputKind, out: Outputs, written: Written, nowMs: number): Generator<OutMessage> {
    const { topic, type, of, key, cause, id, inSamePartition } = kind;
    const events = of(out);
    if (events.length === 0) return;
    const name = topicName(namespace, topic);
    // Within a batch all headers but the id are the same.
    const headers = {
      ...headersOf({ id: "", type, source: SOURCE, timeMs: nowMs }),
      [LOG_ID]: written.logId,
      ...lostEndOf(written),
    };
    for (const event of events) {
      const at = cause(event);
      if (!isBeyond(at, written.newest[topic])) continue;
      const place = inSamePartition ? { partition: at.partition } : {};
      yield {
        topic: name,
        key: key(event),
        ...place,
        value: codec.encode(type, event),
        headers: { ...headers, ce_id: id(event) },
      };
    }
  }

  return {
    topics,

    toMessages(out: Outputs, written: Written, nowMs: number): OutMessage[] {
      return kinds.flatMap((kind) => [...messagesOf(kind, out, written, nowMs)]);
    },

    /** `next`: the camera-log offset up to which, exclusive, the owner has read. */
    geofencesMessage({ partition, next }: Pick<Owned, "partition" | "next">, upTo: number, nowMs: number): OutMessage {
      const id = derivedId("geofences-advanced", `${partition}`, `${upTo}`, `${next}`);
      return {
        topic: topics.cameraLog,
        key: "",
        partition,
        value: codec.encode("GeofencesAdvanced", { upTo }),
        headers: headersOf({ id, type: "GeofencesAdvanced", source: SOURCE, timeMs: nowMs }),
      };
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

const lostEndOf = ({ lostEnd }: Written) => (lostEnd === undefined ? {} : { [LOST_END]: lostEnd });

export function isBeyond(cause: Cause, written: Cause | undefined): boolean {
  if (written === undefined) return true;
  return cause.offset > written.offset || (cause.offset === written.offset && cause.index > written.index);
}
