import type { Codec } from "../../schemas/codec.ts";
import type { DeadLetter } from "../../schemas/events.ts";
import { headersOf } from "../../schemas/headers.ts";
import type { OutMessage, Publisher } from "../common/kafka/publisher.ts";

const SOURCE = "tracklog/projector";
/** The broker takes messages of 8 MiB: a value that leaves no room for the letter around it stays in its topic. */
const MAX_VALUE_BYTES = 7 * 1024 * 1024;

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

function fitting(letter: DeadLetter): DeadLetter {
  const bytes = letter.value?.length ?? 0;
  if (bytes <= MAX_VALUE_BYTES) return letter;
  return { ...letter, value: null, reason: `${letter.reason} (value of ${bytes} bytes left in its topic)` };
}
