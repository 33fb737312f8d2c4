// Writes the messages of one partition, each exactly once: the end of the partition counts what is there already.
import type { Admin, Kafka } from "kafkajs";
import { AppError } from "../../../schemas/errors.ts";
import { MIB } from "../../../schemas/units.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import { createLogFetcher } from "../../common/kafka/read/fetch-log.ts";
import type { PartitionId } from "../../common/kafka/read/inboxes.ts";
import type { OutMessage, Publisher } from "../../common/kafka/write/publisher.ts";
import { pause } from "../../common/loop.ts";

export interface FillerDeps {
  readonly kafka: Kafka;
  readonly admin: Admin;
  /** Must not retry: after a failure the end of the partition shows which messages were written. */
  readonly publisher: Publisher;
  readonly target: PartitionId;
  /** The word for the origin of the messages, for errors. */
  readonly origin: "backup" | "stretch";
}

export interface PartitionFiller {
  /** Offset that the next message has, whether it is in the partition already or not. */
  next(): number;
  /** Must be called with all messages of the partition in their order, from the first one on. */
  add(message: OutMessage): Promise<void>;
  /** Resolves when every message is in the partition, and nothing else. */
  finish(): Promise<void>;
}

const GROUP_BYTES = MIB;
const GROUP_MESSAGES = 1_000;
const ATTEMPTS = 20;
const PAUSE_MS = 500;

/** The partition is empty, or has the first messages of an earlier attempt. */
export async function createPartitionFiller(deps: FillerDeps): Promise<PartitionFiller> {
  let end = await endOf(deps);
  let group: OutMessage[] = [];
  let bytes = 0;
  let index = 0;

  async function write(): Promise<void> {
    end = await writeGroup(group, end, deps);
    group = [];
    bytes = 0;
  }

  return {
    next: () => index,

    async add(message) {
      index += 1;
      if (index < end) return;
      if (index === end) return refuseOther(message, deps, end - 1);
      const size = bytesOf(message);
      if (bytes + size > GROUP_BYTES || group.length === GROUP_MESSAGES) await write();
      group.push(message);
      bytes += size;
    },

    async finish() {
      await write();
      if (end === index && (await endOf(deps)) === index) return;
      const { origin, target } = deps;
      throw new Error(
        `${target.topic}/${target.partition} has other messages than the ${origin}: another process writes to it. ` +
          "Stop all services, delete the topics, and begin again.",
      );
    },
  };
}

/** Headers count: a producer may write more in them than in the value. */
function bytesOf({ key, value, headers = {} }: OutMessage): number {
  const texts = Object.entries(headers).flatMap(([name, values]) => [name, values ?? ""].flat());
  const sizes = [key ?? "", value ?? "", ...texts].map((text) => Buffer.byteLength(text));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function endOf({ admin, target: { topic, partition } }: FillerDeps): Promise<number> {
  const [range] = await offsetRanges(admin, topic, [partition]);
  return range?.high ?? 0;
}

/** An attempt that was begun with other messages must not be continued with these. */
async function refuseOther(expected: OutMessage, { kafka, target, origin }: FillerDeps, offset: number): Promise<void> {
  const fetcher = createLogFetcher(kafka, GROUP_BYTES);
  await fetcher.start();
  try {
    const { messages } = await fetcher.fetch(target, offset);
    const last = messages.find((message) => Number(message.offset) === offset);
    const isSame = last !== undefined && equal(last.value, expected.value) && equal(last.key, expected.key);
    if (isSame && Number(last.timestamp) === expected.timestamp) return;
    throw new Error(`${target.topic}/${target.partition} was begun with another ${origin}: delete the topics first.`);
  } finally {
    await fetcher.stop();
  }
}

const equal = (a: Buffer | null, b: string | Buffer | null): boolean =>
  a === null || b === null ? a === b : a.equals(Buffer.from(b));

/**
 * Resolves with the end of the partition. When a request fails, its messages may have been written, up to one of them;
 * the publisher reports a failure only when no broker writes them any more.
 */
async function writeGroup(group: readonly OutMessage[], end: number, deps: FillerDeps): Promise<number> {
  let written = 0;
  for (let attempt = 1; written < group.length; attempt++) {
    try {
      const positions = await deps.publisher.publish(group.slice(written));
      if (positions.some(({ recordedAt }) => recordedAt !== undefined)) throw new TimesReplaced();
      written = group.length;
    } catch (error) {
      if (!(error instanceof AppError) || attempt === ATTEMPTS) throw error;
      await pause(PAUSE_MS);
      written = (await endOf(deps)) - end;
    }
  }
  return end + written;
}

class TimesReplaced extends Error {
  override readonly name = "TimesReplaced";
  constructor() {
    super("A broker replaced the times of the messages. Delete the topics, and begin again.");
  }
}
