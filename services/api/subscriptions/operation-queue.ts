// Queries and mutations of one connection: some run, the others wait, limited in number and bytes. All connections and
// requests share the intake's budget. No operation begins while the client has earlier answers to read.
import type { BodyBudget } from "../http/intake.ts";

export interface Work {
  /** Bytes of the client's message; a waiting operation is kept only as text. */
  readonly bytes: number;
  /** Never rejects. */
  readonly run: () => Promise<void>;
}

export interface OperationQueue {
  /** @returns false when the queue or the budget is full; the operation was then not added. */
  add(id: string, work: Work): boolean;
  /** Removes a waiting operation; a running one continues. */
  remove(id: string): void;
  /** Must be called when the network takes more again. */
  flush(): void;
  clear(): void;
  /** True while no operation runs or waits. */
  readonly isIdle: boolean;
}

export interface OperationQueueOptions {
  readonly maxRunning: number;
  readonly maxWaiting: number;
  readonly maxBytes: number;
  readonly bodyBudget: BodyBudget;
  readonly congested: () => boolean;
  /** Called when the last operation has ended. */
  readonly onIdle: () => void;
}

/** Memory of a waiting operation besides its text. */
const OVERHEAD_BYTES = 256;

export const createOperationQueue = (options: OperationQueueOptions): OperationQueue => new BoundedQueue(options);

class BoundedQueue implements OperationQueue {
  readonly #options: OperationQueueOptions;
  // A Map keeps the order of insertion, and an operation in the middle can be removed.
  readonly #waiting = new Map<string, Work>();
  /**
   * First of the waiting operations. They have requested a turn from the intake, and count as waiting until they have
   * it.
   */
  readonly #inLine = new Map<string, Work>();
  #bytes = 0;
  #running = 0;

  constructor(options: OperationQueueOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#running + this.#inLine.size + this.#waiting.size === 0;
  }

  add(id: string, work: Work): boolean {
    const { maxWaiting, maxBytes, bodyBudget } = this.#options;
    const count = this.#waiting.size + this.#inLine.size;
    if (count >= maxWaiting || (count > 0 && this.#bytes + work.bytes > maxBytes)) return false;
    if (!bodyBudget.take(work.bytes + OVERHEAD_BYTES)) return false;
    this.#waiting.set(id, work);
    this.#bytes += work.bytes;
    this.flush();
    return true;
  }

  remove(id: string): void {
    const work = this.#inLine.get(id) ?? this.#waiting.get(id);
    if (work !== undefined) this.#leave(id, work);
  }

  flush(): void {
    const { maxRunning, bodyBudget, congested } = this.#options;
    while (this.#running + this.#inLine.size < maxRunning && !congested()) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [id, work] = first;
      this.#waiting.delete(id);
      this.#inLine.set(id, work);
      bodyBudget.turn(work.bytes, () => this.#letIn());
    }
  }

  clear(): void {
    for (const id of [...this.#inLine.keys(), ...this.#waiting.keys()]) this.remove(id);
  }

  #leave(id: string, work: Work): void {
    this.#waiting.delete(id);
    this.#inLine.delete(id);
    this.#bytes -= work.bytes;
    this.#options.bodyBudget.giveBack(work.bytes + OVERHEAD_BYTES);
  }

  /** A turn is for the first in line: the operation that requested it may have been removed. */
  #letIn(): void {
    const [first] = this.#inLine;
    if (first === undefined) return;
    const [id, work] = first;
    this.#leave(id, work);
    this.#running += 1;
    void work.run().then(() => this.#end());
  }

  #end(): void {
    this.#running -= 1;
    this.flush();
    if (this.isIdle) this.#options.onIdle();
  }
}
