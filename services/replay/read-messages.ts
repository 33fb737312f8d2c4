// Reads a stretch of a partition, portion by portion: the next one is fetched when the caller has taken the one before.
import type { KafkaMessage } from "kafkajs";
import type { Codec } from "../../schemas/codec.ts";
import type { LogFetcher } from "../common/kafka/fetch-log.ts";
import type { Log } from "../common/log.ts";
import { SessionFailed } from "./failed.ts";
import { whileAway } from "./while-away.ts";

export interface Stretch {
  /** Its name on the broker. */
  readonly topic: string;
  readonly partition: number;
  /** Offsets, the end exclusive. */
  readonly begin: number;
  readonly end: number;
}

export interface ReadMessagesDeps {
  readonly fetcher: Pick<LogFetcher, "fetch">;
  readonly codec: Codec;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Resolves when the process may do more. */
  readonly leaveRoom: () => Promise<void>;
}

/** The codec has learned what it needs to decode them. */
export async function* readMessages(
  { topic, partition, begin, end }: Stretch,
  { fetcher, codec, log, signal, leaveRoom }: ReadMessagesDeps,
): AsyncGenerator<KafkaMessage, void> {
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
    // Also for a caller that passes over the messages and comes to no step.
    await leaveRoom();
    const { messages, next: after } = await portionAt(next);
    for (const message of messages) {
      if (Number(message.offset) >= end) return;
      yield message;
    }
    if (after === next) return;
    next = after;
  }
}
