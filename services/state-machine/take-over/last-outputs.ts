// Reads the newest outputs in a topic, and finds the newest cause that belongs to the current camera-log.
import type { Kafka } from "kafkajs";
import type { Codec } from "../../../schemas/codec.ts";
import type { Cause } from "../../../schemas/events.ts";
import { LOG_ID } from "../../../schemas/headers.ts";
import type { AlignedTopic } from "../../../schemas/outputs.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { readLast } from "../../common/kafka/read/read-some.ts";
import type { Log } from "../../common/log.ts";
import { isBeyond } from "./published-outputs.ts";

export interface LastOutput {
  readonly partition: number;
  readonly offset: number;
  readonly cause: Cause;
  /** Undefined in outputs written before the header existed. */
  readonly logId: string | undefined;
}

interface Options {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly groupPrefix: string;
  readonly topic: AlignedTopic;
  /** Name of the topic on the broker. */
  readonly name: string;
  readonly partitions: readonly number[];
  readonly log: Log;
}

/** Number of outputs read per partition. One is not enough: the last message may be unreadable or redriven. */
const LAST_OUTPUTS = 20;

export async function readLastOutputs({ codec, topic, name, ...options }: Options): Promise<LastOutput[]> {
  const found = await readLast({ ...options, topic: name }, LAST_OUTPUTS);
  await codec.loadSchemas(
    found.map(({ message }) => message.value),
    { topic: name },
  );
  return found.flatMap(({ partition, message }) => {
    const output = readMessage(codec, topic, message.value);
    if (!output.ok) return [];
    const { cause } = output.event;
    return [{ partition, offset: Number(message.offset), cause, logId: message.headers?.[LOG_ID]?.toString() }];
  });
}

/** Returns the newest cause, in the log with this id, of the outputs of one partition. */
export function newestCause(
  outputs: readonly LastOutput[],
  logId: string,
  lostEnd: { readonly logEnd: number; readonly outputsEnd: number } | undefined,
): Cause | undefined {
  let newest: Cause | undefined;
  for (const output of outputs) {
    const { offset, cause } = output;
    if ((output.logId ?? logId) !== logId) continue;
    if (lostEnd !== undefined && offset < lostEnd.outputsEnd && cause.offset >= lostEnd.logEnd) continue;
    if (isBeyond(cause, newest)) newest = cause;
  }
  return newest;
}
