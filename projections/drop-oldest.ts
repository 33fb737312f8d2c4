/** Drops the entries that were set first, beyond a number of entries: a Map keeps the order of insertion. */
export function dropOldest(entries: Map<unknown, unknown>, most: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}
