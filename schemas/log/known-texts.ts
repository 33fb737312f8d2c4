// Texts that come again and again, as the ids of tracks do: a known one is not decoded again. It is the same string, so
// it is no garbage, and maps find its hash computed.

const SLOTS = 8_192;
const WORD_BYTES = 4;
const MAX_WORDS = 10;
const MIX = 0x5bd1e995;

export class KnownTexts {
  /** A slot has the last text of its hash, so memory is bounded whatever the producers send. */
  readonly #texts: (string | undefined)[] = new Array(SLOTS).fill(undefined);
  readonly #lengths = new Uint8Array(SLOTS);
  readonly #words = new Int32Array(SLOTS * MAX_WORDS);
  readonly #sought = new Int32Array(MAX_WORDS);

  /** Returns the text of so many bytes at an index of the view, which is of all the memory in which the buffer lies. */
  read(buffer: Buffer, view: DataView, at: number, length: number): string {
    if (length < WORD_BYTES || length > MAX_WORDS * WORD_BYTES) return textOf(buffer, at, length);
    const sought = this.#sought;
    const last = length - WORD_BYTES;
    let hash = length;
    let count = 0;
    for (let i = 0; i < length; i += WORD_BYTES) {
      // The last word overlaps the one before, unless the length is a multiple of a word.
      const word = view.getInt32(at + Math.min(i, last), true);
      sought[count] = word;
      count += 1;
      hash = Math.imul(hash ^ word, MIX);
      hash ^= hash >>> 15;
    }
    const slot = hash & (SLOTS - 1);
    const known = this.#texts[slot];
    if (known !== undefined && this.#lengths[slot] === length && this.#has(slot, count)) return known;
    const text = textOf(buffer, at, length);
    this.#texts[slot] = text;
    this.#lengths[slot] = length;
    for (let i = 0; i < count; i++) this.#words[slot * MAX_WORDS + i] = sought[i] ?? 0;
    return text;
  }

  #has(slot: number, count: number): boolean {
    const first = slot * MAX_WORDS;
    for (let i = 0; i < count; i++) if (this.#words[first + i] !== this.#sought[i]) return false;
    return true;
  }
}

const textOf = (buffer: Buffer, at: number, length: number): string =>
  buffer.toString("utf8", at - buffer.byteOffset, at - buffer.byteOffset + length);
