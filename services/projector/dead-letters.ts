import type { Codec } from "../../schemas/codec.ts";
import type { DeadLetter } from "../../schemas/events.ts";
import { headersOf } from "../../schemas/headers.ts";
import type { OutMessage, Publisher } from "../common/kafka/publisher.ts";

const SOURCE = "tracklog/projector";
/** The broker takes messages of 8 MiB: a value that leaves no room for the letter around it stays in its topic. */
const MAX_VALUE_BYTES = 7 * 1024 * 1024;
/** Far above every id; what is longer stays in its topic, too. */
const MAX_KEY_BYTES = 64 * 1024;
/** A reason may repeat texts of the message that it is about. */
const MAX_REASON_LENGTH = 4 * 1024;

/** Far less than the publisher takes at once. */
const PORTION_BYTES = 4 * 1024 * 1024;

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

/** In the same order, each small enough to be sent at once; one large letter is a portion of its own. */
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

/** A letter that its topic takes, whatever the message of the letter is. */
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
