// Marks the value of a message that replaces unreadable data. Only this process can set the mark: a producer cannot
// write such a message.
const reasons = new WeakMap<Buffer, string>();

export function unreadableValue(reason: string): Buffer {
  const value = Buffer.from(reason);
  reasons.set(value, reason);
  return value;
}

/** @returns undefined for the value of a message that was read. */
export const whyUnreadable = (value: Buffer | null): string | undefined =>
  value === null ? undefined : reasons.get(value);
