// Queries and mutations of one connection: some run, the others wait their turn, bounded in number and bytes, and together
// with everything else that comes in. None begins while the client has earlier answers to read.
import type { Room } from "../http/intake.ts";

export interface Work {
  /** Of what the client sent; what waits is kept in no other form. */
  readonly bytes: number;
  /** Never rejects. */
  readonly run: () => Promise<void>;
}

export interface OperationQueue {
  /** False: there is no room; nothing was taken. */
  add(id: string, work: Work): boolean;
  /** Takes back what waits; what runs goes on. */
  remove(id: string): void;
  /** To be called when the network takes more again. */
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

/** What a waiting operation costs beside its text. */
const OVERHEAD_BYTES = 256;

export function createOperationQueue(options: OperationQueueOptions): OperationQueue {
  const { maxRunning, maxWaiting, maxBytes, room, congested } = options;
  // A Map keeps the order of insertion and lets one be taken out of the middle.
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
