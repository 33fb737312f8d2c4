import type { EventBounds } from "../../../schemas/bounds.ts";
import type { DeadLetter, DeadLetterRedriven, EventType } from "../../../schemas/events.ts";
import { headersOf } from "../../../schemas/headers.ts";
import { topicName } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import { createPublisher, type OutMessage, type Publisher } from "../../common/kafka/write/publisher.ts";
import { type LetterHead, type ReadLettersDeps, readWhole } from "../../recorded/letters.ts";
import { type Destinations, decideRedrive } from "./decide-redrive.ts";

export type RewriteOutcome =
  | { readonly ok: true; readonly id: string; readonly record: DeadLetterRedriven }
  | { readonly ok: false; readonly id: string; readonly reason: string };

export interface RewriteDeps extends ReadLettersDeps {
  readonly destinations: Destinations;
  readonly bounds: EventBounds;
  readonly now: () => number;
}

interface Sound {
  readonly letter: DeadLetter;
  readonly type: EventType;
}

const SOURCE = "tracklog/dead-letters";
const PUBLISH_TIMEOUT_MS = 30_000;
const MAX_BATCH_BYTES = 4 * MIB;
const MAX_QUEUE_BYTES = 64 * MIB;
/** Letters are written in groups, each with two round trips; a letter of up to 7 MiB may be the last of a group. */
const GROUP_BYTES = MIB;
const GROUP_LETTERS = 200;

/**
 * Yields the outcome of a letter when its message and the record of it are durable, or the reason why nothing was
 * written.
 */
export async function* rewriteLetters(
  heads: readonly LetterHead[],
  deps: RewriteDeps,
): AsyncGenerator<RewriteOutcome, void> {
  if (heads.length === 0) return;
  const publisher = publisherOf(deps);
  const missing = new Set(heads.map(({ id }) => id));
  let group: Sound[] = [];
  let bytes = 0;
  try {
    await publisher.start();
    for await (const letter of readWhole(deps, heads)) {
      missing.delete(letter.id);
      const verdict = await decideRedrive(letter, deps, deps.now());
      if (!verdict.ok) {
        yield { ok: false, id: letter.id, reason: `it would come straight back (${verdict.reason})` };
        continue;
      }
      group.push({ letter, type: verdict.type });
      bytes += letter.value?.length ?? 0;
      if (bytes < GROUP_BYTES && group.length < GROUP_LETTERS) continue;
      yield* await writeGroup(publisher, group, deps);
      group = [];
      bytes = 0;
    }
    yield* await writeGroup(publisher, group, deps);
  } finally {
    await publisher.stop();
  }
  for (const id of missing) yield { ok: false, id, reason: "it has left dead-letters meanwhile" };
}

/**
 * Writes the messages first, then the records of them: after a crash in between, letters stay open although their
 * messages are in their topics. Redriving these again writes the messages twice, which is harmless, because events are
 * idempotent.
 */
async function writeGroup(publisher: Publisher, group: readonly Sound[], deps: RewriteDeps): Promise<RewriteOutcome[]> {
  const redrivenAt = deps.now();
  const positions = await publisher.publish(group.map((sound) => toMessage(sound, redrivenAt)));
  const records = positions.map((position, i) => ({ id: group[i]?.letter.id ?? "", redrivenAt, ...position }));
  const topic = topicName(deps.namespace, "dead-letters");
  await publisher.publish(
    records.map((record) => ({
      topic,
      // The letter's key is used, so that the record follows the letter in the same partition.
      key: record.topic,
      value: deps.codec.encode("DeadLetterRedriven", record),
      headers: headersOf({ id: record.id, type: "DeadLetterRedriven", source: SOURCE, timeMs: redrivenAt }),
    })),
  );
  return records.map((record) => ({ ok: true, id: record.id, record }));
}

function toMessage({ letter: { id, topic, partition, key, value }, type }: Sound, timeMs: number): OutMessage {
  return { topic, partition, key, value, headers: headersOf({ id, type, source: SOURCE, timeMs }) };
}

function publisherOf({ kafka, namespace, log, destinations }: RewriteDeps): Publisher {
  return createPublisher({
    kafka,
    topics: [...destinations.topics.keys(), topicName(namespace, "dead-letters")],
    log,
    lingerMs: 0,
    maxBatchBytes: MAX_BATCH_BYTES,
    maxQueueBytes: MAX_QUEUE_BYTES,
    timeoutMs: PUBLISH_TIMEOUT_MS,
  });
}
