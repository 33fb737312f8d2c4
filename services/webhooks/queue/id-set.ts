// Set of ids that keeps no texts: a Set takes about 100 bytes for each id, and holds at most 16.8 million of them.
import { hash } from "node:crypto";

export interface IdSet {
  add(id: string): void;
  has(id: string): boolean;
  readonly size: number;
}

const CAPACITY = 1_024;

/**
 * Takes 11 to 21 bytes for each id, and twice that while it grows. The set keeps two words (64 bits) of each id's hash:
 * a set of a hundred million ids wrongly reports one in 10^11 other ids as contained.
 */
export function createIdSet(): IdSet {
  /** Pairs of words; the pair 0, 0 is a free slot. */
  let words = new Uint32Array(2 * CAPACITY);
  let size = 0;

  /** Returns the index of the pair, or else of the first free slot from the pair's own place on. */
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
      // In a fuller table a pair would be far from its own place.
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
  // The pair 0, 0 is reserved for free slots.
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4) || 1];
}
