// The longest time without an answer, as clients see it that ask again and again.
export interface Gap {
  /** Must be called at each answer. */
  answered(): void;
  /** Returns the longest gap since the last call in ms, including the one that still goes on. */
  take(): number;
}

export function createGap(): Gap {
  let since = performance.now();
  let longest = 0;
  const measure = () => {
    longest = Math.max(longest, performance.now() - since);
  };
  return {
    answered() {
      measure();
      since = performance.now();
    },
    take() {
      measure();
      const found = longest;
      longest = 0;
      return found;
    },
  };
}
