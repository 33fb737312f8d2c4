// Reads a range of a partition in portions. The next portion is fetched when the caller has taken the previous one.
import type { KafkaMessage } from "kafkajs";
import type { Codec } from "../../schemas/codec.ts";
import type { LogFetcher } from "../common/kafka/read/fetch-log.ts";
import type { Log } from "../common/log.ts";
import { SessionFailed } from "./failed.ts";
import { whileAway } from "./while-away.ts";

export interface LogStretch {
  /** Name of the topic on the broker. */
  readonly topic: string;
  readonly partition: number;
  /** First offset, and the offset after the last one. */
  readonly begin: number;
  readonly end: number;
}

export interface ReadMessagesDeps {
  readonly fetcher: Pick<LogFetcher, "fetch">;
  readonly codec: Codec;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Resolves when the process may continue its work. */
  readonly throttle: () => Promise<void>;
}

/** The codec has loaded the schemas of the yielded messages. */
export async function* readMessages(
  { topic, partition, begin, end }: LogStretch,
  { fetcher, codec, log, signal, throttle }: ReadMessagesDeps,
): AsyncGenerator<KafkaMessage, void> {
  const portionAt = async (offset: number) => {
    try {
      const fetched = await whileAway(() => fetcher.fetch({ topic, partition }, offset), { log, signal });
      const loaded = await codec.loadSchemas(
        fetched.messages.map(({ value }) => value),
        { topic },
      );
      const rest = loaded === undefined ? undefined : fetched.messages[loaded];
      // The next portion begins with the rest, whose schemas would be too many at once.
      return rest === undefined ? fetched : { messages: fetched.messages.slice(0, loaded), next: Number(rest.offset) };
    } catch (cause) {
      if (!(cause instanceof Error) || cause.name !== "KafkaJSOffsetOutOfRange") throw cause;
      throw new SessionFailed(`the log no longer has offset ${offset} of partition ${partition}`, { cause });
    }
  };
  let next = begin;
  while (next < end) {
    // A caller may skip all messages and never reach a step, so reading must leave the processor to others, too.
    await throttle();
    const { messages, next: after } = await portionAt(next);
    for (const message of messages) {
      if (Number(message.offset) >= end) return;
      yield message;
    }
    if (after === next) return;
    next = after;
  }
}
