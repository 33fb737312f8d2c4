// The events of a segment that the log still has.
import type { RecordedEvent } from "../../projections/live/types.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { EventBounds } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import { readCameraLog } from "../../schemas/read-message.ts";
import type { LogFetcher } from "../common/kafka/fetch-log.ts";
import type { Log } from "../common/log.ts";
import { SessionFailed } from "./failed.ts";
import { whileAway } from "./while-away.ts";

export interface ReadTopicDeps {
  readonly fetcher: Pick<LogFetcher, "fetch">;
  readonly codec: Codec;
  readonly topic: string;
  readonly bounds: EventBounds;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Fetches a portion when the caller has taken the one before. */
export async function* readTopic(
  { partition, begin, end }: Segment,
  { fetcher, codec, topic, bounds, log, signal }: ReadTopicDeps,
): AsyncGenerator<RecordedEvent, void> {
  const portionAt = async (offset: number) => {
    try {
      const fetched = await whileAway(() => fetcher.fetch({ topic, partition }, offset), { log, signal });
      await codec.learn(fetched.messages.map(({ value }) => value));
      return fetched;
    } catch (cause) {
      if (!(cause instanceof Error) || cause.name !== "KafkaJSOffsetOutOfRange") throw cause;
      throw new SessionFailed(`the log no longer has offset ${offset} of partition ${partition}`, { cause });
    }
  };
  let next = begin;
  while (next < end) {
    const { messages, next: after } = await portionAt(next);
    for (const { offset: text, value, timestamp } of messages) {
      const offset = Number(text);
      if (offset >= end) return;
      const recordedAt = Number(timestamp);
      const read = readCameraLog(codec, value, recordedAt, bounds);
      // Geofences shape no signal, so they are not followed here.
      if (read.ok && read.message.type !== "GeofencesAdvanced") yield { offset, recordedAt, message: read.message };
    }
    if (after === next) return;
    next = after;
  }
}
