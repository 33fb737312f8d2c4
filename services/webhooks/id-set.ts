// Ids without their texts: a Set takes about 100 bytes for each, and no more than 16.8 million of them.
import { hash } from "node:crypto";

export interface IdSet {
  add(id: string): void;
  has(id: string): boolean;
  readonly size: number;
}

const CAPACITY = 1_024;

/**
 * Takes 11 to 21 bytes for each id, and twice that while it grows. It keeps 64 bits of a hash, two words for each id, so that of
 * a hundred million ids one in 10^11 others seems to be among them.
 */
export function createIdSet(): IdSet {
  /** Pairs of words; 0, 0 = free. */
  let words = new Uint32Array(2 * CAPACITY);
  let size = 0;

  /** Where the pair is, or would be: at its place or the next free one behind that. */
  function find(high: number, low: number): number {
    const last = words.length - 2;
    let at = (high * 2) & last;
    while ((words[at] !== 0 || words[at + 1] !== 0) && (words[at] !== high || words[at + 1] !== low)) {
      at = (at + 2) & last;
    }
    return at;
  }

  function put(high: number, low: number): void {
    const at = find(high, low);
    if (words[at] !== 0 || words[at + 1] !== 0) return;
    words[at] = high;
    words[at + 1] = low;
    size += 1;
  }

  function grow(): void {
    const before = words;
    words = new Uint32Array(2 * before.length);
    size = 0;
    for (let at = 0; at < before.length; at += 2) {
      const [high = 0, low = 0] = [before[at], before[at + 1]];
      if (high !== 0 || low !== 0) put(high, low);
    }
  }

  return {
    add(id) {
      // Fuller than this, a pair would be far from its place.
      if (size * 2 > words.length * 0.75) grow();
      const [high, low] = wordsOf(id);
      put(high, low);
    },
    has(id) {
      const [high, low] = wordsOf(id);
      const at = find(high, low);
      return words[at] === high && words[at + 1] === low;
    },
    get size() {
      return size;
    },
  };
}

function wordsOf(id: string): [high: number, low: number] {
  const bytes = hash("sha1", id, "buffer");
  // 0, 0 means a free pair.
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4) || 1];
}
