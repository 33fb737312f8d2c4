// Memory for what is read from the history. A session has as many portions as it has open segments, and one that waits for
// its pace or a step keeps them, so the room is shared among segments, not sessions.

export interface Place {
  /** Bytes of the next portion; those of the portion before are free again. */
  next(): number;
  close(): void;
}

export interface HistoryRoom {
  /** A segment begins to read. */
  open(): Place;
}

const MOST_BYTES = 2 * 1024 * 1024;
/** Smaller portions would cost the store more than they spare here. */
const LEAST_BYTES = 16 * 1024;
/** So many find enough after those that hold a fair part of the time before them. */
const LEFT_FOR_OTHERS = 16;

/** `bytes`: for all, unless so many segments are open that the least portions exceed it. */
export function createHistoryRoom(bytes: number): HistoryRoom {
  let places = 0;
  let given = 0;
  return {
    open() {
      let own = 0;
      places += 1;
      const giveBack = () => {
        given -= own;
        own = 0;
      };
      return {
        next() {
          giveBack();
          own = Math.max(LEAST_BYTES, Math.min(MOST_BYTES, bytes / places, (bytes - given) / LEFT_FOR_OTHERS));
          own = Math.floor(own);
          given += own;
          return own;
        },
        close() {
          giveBack();
          places -= 1;
        },
      };
    },
  };
}
