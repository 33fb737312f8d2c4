// A buffer that grows while it is written. Numbers are little-endian.

/** A text of at most so many UTF-16 units has a length of one byte, whatever its characters are. */
const SHORT_UNITS = 42;
const BITS_7 = 0x80;
const FIRST_BYTES = 65_536;

export class Bytes {
  #buffer: Buffer;
  #view: DataView;
  #at = 0;

  /** Overwrites the buffer, if there is one, and replaces it by a larger one when it is full. */
  constructor(buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)) {
    this.#buffer = buffer;
    this.#view = viewOf(buffer);
  }

  /** For numbers at the places that `claim` returns. Valid until the next claim. */
  get view(): DataView {
    return this.#view;
  }

  /** Adds so many bytes, which the caller must write. Returns the place of the first one. */
  claim(length: number): number {
    const at = this.#at;
    this.#at = at + length;
    if (this.#at > this.#buffer.length) this.#grow(at);
    return at;
  }

  /** Adds a number of 0 to 2^53 in groups of 7 bits, the lowest ones first. */
  varint(value: number): void {
    let rest = value;
    while (rest >= BITS_7) {
      this.#byte((rest % BITS_7) + BITS_7);
      rest = Math.floor(rest / BITS_7);
    }
    this.#byte(rest);
  }

  /** Adds the length in bytes, then the text as UTF-8. */
  text(value: string): void {
    if (value.length > SHORT_UNITS) {
      const length = Buffer.byteLength(value);
      this.varint(length);
      const at = this.claim(length);
      this.#buffer.write(value, at);
      return;
    }
    const at = this.claim(1 + 3 * value.length);
    const length = this.#ascii(value, at + 1) ?? this.#buffer.write(value, at + 1);
    this.#buffer[at] = length;
    this.#at = at + 1 + length;
  }

  /** The bytes so far. Nothing may be added afterwards. */
  written(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  /** The whole buffer, for other bytes when these are no longer needed. */
  spare(): Buffer {
    return this.#buffer;
  }

  /**
   * Most texts are ids. For them, this takes half the time of Buffer.write.
   * @returns undefined when the text has other characters.
   */
  #ascii(value: string, at: number): number | undefined {
    const buffer = this.#buffer;
    const { length } = value;
    for (let i = 0; i < length; i++) {
      const unit = value.charCodeAt(i);
      if (unit >= BITS_7) return undefined;
      buffer[at + i] = unit;
    }
    return length;
  }

  #byte(value: number): void {
    const at = this.claim(1);
    this.#buffer[at] = value;
  }

  #grow(used: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#buffer.length, this.#at));
    this.#buffer.copy(larger, 0, 0, used);
    this.#buffer = larger;
    this.#view = viewOf(larger);
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);
