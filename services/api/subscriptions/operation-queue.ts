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
  /** The first of those that wait: they have asked the intake for a turn, and keep their room until they have it. */
  const inLine = new Map<string, Work>();
  let bytes = 0;
  let running = 0;

  function leave(id: string, work: Work): void {
    waiting.delete(id);
    inLine.delete(id);
    bytes -= work.bytes;
    room.giveBack(work.bytes + OVERHEAD_BYTES);
  }

  function remove(id: string): void {
    const work = inLine.get(id) ?? waiting.get(id);
    if (work !== undefined) leave(id, work);
  }

  function ended(): void {
    running -= 1;
    flush();
  }

  /** A turn is for the first in line: the one that asked for it may have been taken back. */
  function letIn(): void {
    const [first] = inLine;
    if (first === undefined) return;
    const [id, work] = first;
    leave(id, work);
    running += 1;
    void work.run().then(ended);
  }

  function flush(): void {
    while (running + inLine.size < maxRunning && !congested()) {
      const [first] = waiting;
      if (first === undefined) return;
      const [id, work] = first;
      waiting.delete(id);
      inLine.set(id, work);
      room.turn(work.bytes, letIn);
    }
  }

  return {
    add(id, work) {
      const count = waiting.size + inLine.size;
      if (count >= maxWaiting || (count > 0 && bytes + work.bytes > maxBytes)) return false;
      if (!room.take(work.bytes + OVERHEAD_BYTES)) return false;
      waiting.set(id, work);
      bytes += work.bytes;
      flush();
      return true;
    },
    remove,
    flush,
    clear() {
      for (const id of [...inLine.keys(), ...waiting.keys()]) remove(id);
    },
  };
}
