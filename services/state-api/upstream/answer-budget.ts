// Bounds the memory that the answers of GraphQL servers take in all requests together.
export interface AnswerBudget {
  hold(): Holding;
}

export interface Holding {
  /**
   * Sets the bytes held from now on. A smaller number is always accepted.
   * @returns false when the budget would be exceeded; the bytes held stay the same.
   */
  resize(bytes: number): boolean;
}

export function createAnswerBudget(maxBytes: number): AnswerBudget {
  let used = 0;
  return {
    hold() {
      let own = 0;
      return {
        resize(bytes) {
          if (bytes > own && used - own + bytes > maxBytes) return false;
          used += bytes - own;
          own = bytes;
          return true;
        },
      };
    },
  };
}
