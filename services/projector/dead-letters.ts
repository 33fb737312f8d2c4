import type { Codec } from "../../schemas/codec.ts";
import type { DeadLetter } from "../../schemas/events.ts";
import { headersOf } from "../../schemas/headers.ts";
import { MIB } from "../../schemas/units.ts";
import type { OutMessage, Publisher } from "../common/kafka/write/publisher.ts";

const SOURCE = "tracklog/projector";
/**
 * The broker accepts messages of at most 8 MiB. A longer value is left out of its letter, and only its topic has it.
 */
const MAX_VALUE_BYTES = 7 * MIB;
/** Message keys are ids, which are far shorter. A longer key is left out of its letter, too. */
const MAX_KEY_BYTES = 64 * 1024;
/** A reason may quote long texts of its message, so it is cut to this length. */
const MAX_REASON_LENGTH = 4 * 1024;

/** Letters are published in portions of this size, far below the capacity of the publisher's queue. */
const PORTION_BYTES = 4 * MIB;

/** Resolves when all in-sync replicas have the letters. A letter may come twice, with the same id. */
export type SendDeadLetters = (letters: readonly DeadLetter[]) => Promise<void>;

export function createDeadLetters(publisher: Publisher, codec: Codec, topic: string): SendDeadLetters {
  const toMessage = (letter: DeadLetter): OutMessage => ({
    topic,
    key: letter.topic,
    value: codec.encode("DeadLetter", fitting(letter)),
    headers: headersOf({ id: letter.id, type: "DeadLetter", source: SOURCE, timeMs: letter.recordedAt }),
  });
  return async (letters) => {
    await publisher.publish(letters.map(toMessage));
  };
}

/**
 * Yields portions in the same order, each small enough for one call of the publisher. A letter larger than a portion is
 * sent alone.
 */
export function* inPortions(letters: readonly DeadLetter[]): Generator<readonly DeadLetter[], void> {
  let portion: DeadLetter[] = [];
  let bytes = 0;
  for (const letter of letters) {
    const size = (letter.value?.length ?? 0) + (letter.key?.length ?? 0);
    if (portion.length > 0 && bytes + size > PORTION_BYTES) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(letter);
    bytes += size;
  }
  if (portion.length > 0) yield portion;
}

/** Returns the letter in a form that the dead-letter topic accepts, whatever the message is. */
function fitting(letter: DeadLetter): DeadLetter {
  const value = within(MAX_VALUE_BYTES, letter.value, "value");
  const key = within(MAX_KEY_BYTES, letter.key, "key");
  const reason = letter.reason.slice(0, MAX_REASON_LENGTH) + value.note + key.note;
  return { ...letter, key: key.kept, value: value.kept, reason };
}

function within(maxBytes: number, bytes: Buffer | null, name: string) {
  if (bytes === null || bytes.length <= maxBytes) return { kept: bytes, note: "" };
  return { kept: null, note: ` (${name} of ${bytes.length} bytes left in its topic)` };
}
