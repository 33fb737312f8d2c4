// The offsets that an import gave to the newest messages, because an expiry names the offset that its writer had read.

export interface WrittenOffset {
  readonly original: number;
  readonly written: number;
}

export interface WrittenOffsets {
  /** Must be called with the messages of each partition in their order. */
  note(from: number, to: number, offset: WrittenOffset): void;
  /** @returns the offset behind all messages before the original one, in partition `to` of the new log. */
  behind(from: number, to: number, original: number): number;
}

/** Messages of a partition that are kept. An expiry was written soon after the messages that it had read. */
const KEPT = 20_000;

export function createWrittenOffsets(): WrittenOffsets {
  const kept = new Map<string, WrittenOffset[]>();
  return {
    note(from, to, offset) {
      const key = `${from}/${to}`;
      const offsets = kept.get(key) ?? [];
      kept.set(key, offsets);
      offsets.push(offset);
      if (offsets.length >= 2 * KEPT) offsets.splice(0, KEPT);
    },
    behind(from, to, original) {
      const found = kept.get(`${from}/${to}`)?.findLast((offset) => offset.original < original);
      return found === undefined ? 0 : found.written + 1;
    },
  };
}
