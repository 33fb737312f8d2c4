// A bound on what all requests together hold of the answers of GraphQL servers.
export interface AnswerRoom {
  hold(): Holding;
}

export interface Holding {
  /** Bytes that it holds from now on. False: there is no room for so many, and it holds what it held. Less always fits. */
  resize(bytes: number): boolean;
}

export function createAnswerRoom(maxBytes: number): AnswerRoom {
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
