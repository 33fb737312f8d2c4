// Events of a segment that the log still has.
import type { RecordedEvent } from "../../projections/live/types.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { EventBounds } from "../../schemas/bounds.ts";
import { readCameraLog } from "../../schemas/read-message.ts";
import { type ReadMessagesDeps, readMessages } from "./read-messages.ts";
import { type EarlierTracksDeps, findTracksFromBefore } from "./tracks-from-before.ts";

export interface ReadTopicDeps extends ReadMessagesDeps, EarlierTracksDeps {
  readonly topic: string;
  readonly bounds: EventBounds;
}

export async function* readTopic(segment: Segment, deps: ReadTopicDeps): AsyncGenerator<RecordedEvent, void> {
  const { codec, topic, bounds } = deps;
  const { partition, begin, end } = segment;
  let introduce: Awaited<ReturnType<typeof findTracksFromBefore>> | undefined;
  for await (const { offset, value, timestamp } of readMessages({ topic, partition, begin, end }, deps)) {
    const recordedAt = Number(timestamp);
    // The log may no longer have the segment's very beginning, so the time of the first message counts.
    introduce ??= await findTracksFromBefore(segment, recordedAt, deps);
    const read = readCameraLog(codec, { value, recordedAt, partition, bounds });
    // Geofences shape no signal, so they are not followed here.
    if (!read.ok || read.message.type === "GeofencesAdvanced") continue;
    for (const message of [...introduce(read.message), read.message]) {
      yield { offset: Number(offset), recordedAt, message };
    }
  }
}
