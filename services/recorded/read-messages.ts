// Reads a range of a partition in portions. For a caller that waits between messages, the next portion is fetched when
// it has taken the previous one. For a fast caller it is fetched meanwhile.
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

/** A caller that takes a portion in this time does not wait for the pace of a session. */
const FAST_MS = 500;

/** Returns the reason that callers understand when retention has removed the offset, and any other error as it is. */
export function lostOffset(cause: unknown, partition: number, offset: number): unknown {
  if (!(cause instanceof Error) || cause.name !== "KafkaJSOffsetOutOfRange") return cause;
  return new SessionFailed(`the log no longer has offset ${offset} of partition ${partition}`, { cause });
}

/** Yields the messages one by one. The codec has loaded their schemas. */
export async function* readMessages(stretch: LogStretch, deps: ReadMessagesDeps): AsyncGenerator<KafkaMessage, void> {
  for await (const messages of readPortions(stretch, deps)) yield* messages;
}

/** Yields what each fetch brings, for a caller that need not wait for each message. */
export async function* readPortions(
  { topic, partition, begin, end }: LogStretch,
  { fetcher, codec, log, signal, throttle }: ReadMessagesDeps,
): AsyncGenerator<readonly KafkaMessage[], void> {
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
      throw lostOffset(cause, partition, offset);
    }
  };
  const portionInTurn = async (offset: number) => {
    // A caller may skip all messages and never reach a step, so reading must leave the processor to others, too.
    await throttle();
    return portionAt(offset);
  };
  let ahead: ReturnType<typeof portionAt> | undefined;
  let isFast = false;
  for (let next = begin; next < end; ) {
    const { messages, next: after } = await (ahead ?? portionInTurn(next));
    ahead = isFast && after > next && after < end ? portionInTurn(after) : undefined;
    // The caller may never ask for it. Otherwise a failure is thrown when it does.
    ahead?.catch(() => undefined);
    const takenAt = performance.now();
    yield messages.filter(({ offset }) => Number(offset) < end);
    isFast = performance.now() - takenAt < FAST_MS;
    if (after === next) return;
    next = after;
  }
}
