/** Drops the oldest entries until `most` are left. A Map keeps its entries in the order of insertion. */
export function dropOldest(entries: Map<unknown, unknown>, most: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}
