// Queries and mutations of one connection: some run, the others wait, bounded in number and bytes. All connections and
// requests share the room of the intake. No operation begins while the client has earlier answers to read.
import type { Room } from "../http/intake.ts";

export interface Work {
  /** Size of the client's message; a waiting operation is kept only as text. */
  readonly bytes: number;
  /** Never rejects. */
  readonly run: () => Promise<void>;
}

export interface OperationQueue {
  /** False = there is no room, and the operation was not taken. */
  add(id: string, work: Work): boolean;
  /** Removes a waiting operation; a running one goes on. */
  remove(id: string): void;
  /** The connection calls it when the network takes more again. */
  flush(): void;
  clear(): void;
}

export interface OperationQueueOptions {
  readonly maxRunning: number;
  readonly maxWaiting: number;
  readonly maxBytes: number;
  readonly room: Room;
  readonly congested: () => boolean;
}

/** Memory of a waiting operation besides its text. */
const OVERHEAD_BYTES = 256;

export function createOperationQueue(options: OperationQueueOptions): OperationQueue {
  const { maxRunning, maxWaiting, maxBytes, room, congested } = options;
  // A Map keeps the order of insertion, and an operation in the middle can be removed.
  const waiting = new Map<string, Work>();
  let bytes = 0;
  let running = 0;

  function remove(id: string): Work | undefined {
    const work = waiting.get(id);
    if (work === undefined) return undefined;
    waiting.delete(id);
    bytes -= work.bytes;
    room.giveBack(work.bytes + OVERHEAD_BYTES);
    return work;
  }

  function ended(): void {
    running -= 1;
    flush();
  }

  function flush(): void {
    while (running < maxRunning && !congested()) {
      const [first] = waiting.keys();
      const work = first === undefined ? undefined : remove(first);
      if (work === undefined) return;
      running += 1;
      room.turn(work.bytes, () => void work.run().then(ended));
    }
  }

  return {
    add(id, work) {
      if (waiting.size >= maxWaiting || (waiting.size > 0 && bytes + work.bytes > maxBytes)) return false;
      if (!room.take(work.bytes + OVERHEAD_BYTES)) return false;
      waiting.set(id, work);
      bytes += work.bytes;
      flush();
      return true;
    },
    remove: (id) => {
      remove(id);
    },
    flush,
    clear() {
      for (const id of [...waiting.keys()]) remove(id);
    },
  };
}
