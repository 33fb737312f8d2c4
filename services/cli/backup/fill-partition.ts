// Writes the messages of one partition, each exactly once: the end of the partition counts what is there already.
import type { Admin, Kafka } from "kafkajs";
import { AppError } from "../../../schemas/errors.ts";
import { MIB } from "../../../schemas/units.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import { createLogFetcher } from "../../common/kafka/read/fetch-log.ts";
import type { PartitionId } from "../../common/kafka/read/inboxes.ts";
import type { OutMessage, Publisher } from "../../common/kafka/write/publisher.ts";
import { pause } from "../../common/loop.ts";
import { readSavedMessages, type SavedPartition } from "./format.ts";
import { withSchemaIds } from "./schema-ids.ts";

export interface FillDeps {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly publisher: Publisher;
  /** Ids of schemas in this registry by their ids in that of the backup. */
  readonly ids: ReadonlyMap<number, number>;
  readonly target: PartitionId;
}

const GROUP_BYTES = MIB;
const GROUP_MESSAGES = 1_000;
const ATTEMPTS = 20;
const PAUSE_MS = 500;

export async function fillPartition(folder: string, saved: SavedPartition, deps: FillDeps): Promise<void> {
  let end = await endOf(deps);
  const { topic, partition } = deps.target;
  let group: OutMessage[] = [];
  let bytes = 0;
  let index = 0;
  for await (const { at, value, ...message } of readSavedMessages(folder, saved)) {
    const out = { ...message, ...deps.target, value: withSchemaIds(value, deps.ids), timestamp: at };
    index += 1;
    if (index < end) continue;
    if (index === end) {
      await refuseOther(out, deps, end - 1);
      continue;
    }
    const size = bytesOf(out);
    if (bytes + size > GROUP_BYTES || group.length === GROUP_MESSAGES) {
      end = await writeGroup(group, end, deps);
      group = [];
      bytes = 0;
    }
    group.push(out);
    bytes += size;
  }
  end = await writeGroup(group, end, deps);
  if (index === saved.messages && end === index && (await endOf(deps)) === index) return;
  throw new Error(
    `${topic}/${partition} has other messages than the backup: another process writes to it. ` +
      "Stop all services, delete the topics, and begin again.",
  );
}

/** Headers count: a producer may write more in them than in the value. */
function bytesOf({ key, value, headers = {} }: OutMessage): number {
  const texts = Object.entries(headers).flatMap(([name, values]) => [name, values ?? ""].flat());
  const sizes = [key ?? "", value ?? "", ...texts].map((text) => Buffer.byteLength(text));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function endOf({ admin, target: { topic, partition } }: FillDeps): Promise<number> {
  const [range] = await offsetRanges(admin, topic, [partition]);
  return range?.high ?? 0;
}

/** A restore that was begun with another backup must not be continued with this one. */
async function refuseOther(expected: OutMessage, { kafka, target }: FillDeps, offset: number): Promise<void> {
  const fetcher = createLogFetcher(kafka, GROUP_BYTES);
  await fetcher.start();
  try {
    const { messages } = await fetcher.fetch(target, offset);
    const last = messages.find((message) => Number(message.offset) === offset);
    const isSame = last !== undefined && equal(last.value, expected.value) && equal(last.key, expected.key);
    if (isSame && Number(last.timestamp) === expected.timestamp) return;
    throw new Error(`${target.topic}/${target.partition} was begun with another backup: delete the topics first.`);
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
async function writeGroup(group: readonly OutMessage[], end: number, deps: FillDeps): Promise<number> {
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
