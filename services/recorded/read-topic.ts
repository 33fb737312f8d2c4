// Events of a segment that the log still has.
import type { KafkaMessage } from "kafkajs";
import type { RecordedEvent } from "../../projections/live/types.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { EventBounds } from "../../schemas/bounds.ts";
import { readCameraLog } from "../../schemas/read-message.ts";
import { type ReadMessagesDeps, readPortions } from "./read-messages.ts";
import { type EarlierTracksDeps, findTracksFromBefore } from "./tracks-from-before.ts";

export interface ReadTopicDeps extends ReadMessagesDeps, EarlierTracksDeps {
  readonly topic: string;
  readonly bounds: EventBounds;
  /** True for a reader that copies the log: it gets the advances of geofences, too. They shape no signal. */
  readonly keepsGeofences?: boolean;
}

export interface ReadEvent extends RecordedEvent {
  /**
   * The message that has the event, or "before" for the creation of a track that is older than the segment. Undefined
   * when the event was derived from the history.
   */
  readonly source?: Pick<KafkaMessage, "key" | "headers"> | "before";
}

export async function* readTopic(segment: Segment, deps: ReadTopicDeps): AsyncGenerator<ReadEvent, void> {
  const { codec, topic, bounds, keepsGeofences = false } = deps;
  const { partition, begin, end } = segment;
  let introduce: Awaited<ReturnType<typeof findTracksFromBefore>> | undefined;
  for await (const messages of readPortions({ topic, partition, begin, end }, deps)) {
    for (const source of messages) {
      const { value, timestamp } = source;
      const [offset, recordedAt] = [Number(source.offset), Number(timestamp)];
      // The log may no longer have the segment's very beginning, so the time of the first message counts.
      introduce ??= await findTracksFromBefore(segment, recordedAt, deps);
      const read = readCameraLog(codec, { value, recordedAt, partition, bounds });
      if (!read.ok || (read.message.type === "GeofencesAdvanced" && !keepsGeofences)) continue;
      for (const message of introduce(read.message)) yield { offset, recordedAt, message, source: "before" };
      yield { offset, recordedAt, message: read.message, source };
    }
  }
}
