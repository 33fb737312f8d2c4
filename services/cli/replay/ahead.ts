/** A sequence whose next item can be read without being taken. */
export interface Ahead<T> {
  peek(): Promise<T | undefined>;
  take(): void;
  close(): Promise<void>;
}

export function aheadOf<T>(items: AsyncGenerator<T, void>): Ahead<T> {
  let head: { readonly item: T | undefined } | undefined;
  return {
    async peek() {
      if (head === undefined) {
        const { value, done } = await items.next();
        head = { item: done ? undefined : (value as T) };
      }
      return head.item;
    },
    take() {
      head = undefined;
    },
    close: async () => void (await items.return()),
  };
}
