// Bounds the texts of states in signals.

/** Far below the size that the log accepts in one message. */
export const MOST_CHARACTERS = 512 * 1024;

/** Shortens a state that is too long, and marks it with the member `truncated`. */
export function fitting<T extends object>(state: T, most: number, shorter: (state: T) => T): string {
  let fits = state;
  let text = JSON.stringify(fits);
  for (let isShorter = true; isShorter && text.length > most; ) {
    const { length } = text;
    fits = shorter(fits);
    text = JSON.stringify({ ...fits, truncated: true });
    isShorter = text.length < length;
  }
  return text;
}
