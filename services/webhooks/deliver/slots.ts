// Limits the requests under way, in all and to one origin. Receivers that failed, were slow or have not answered yet
// get only a part of both limits, so that they never hold up the others.
import type { Standing } from "../queue/receivers.ts";

export interface DeliverySlots {
  /**
   * Resolves, when it is the caller's turn, with the function that releases the slot.
   * @returns undefined when `signal` aborts first.
   */
  take(wish: Wish, signal: AbortSignal): Promise<(() => void) | undefined>;
}

export interface Wish {
  readonly origin: string;
  readonly standing: Standing;
  /** Bytes of the payload, as it is stored. */
  readonly bytes: number;
}

export interface SlotLimits {
  readonly requests: number;
  readonly bytes: number;
  readonly perOrigin: number;
}

interface Waiter {
  readonly wish: Wish;
  /** Greater for waiters that came later. */
  readonly nth: number;
  readonly resolve: (release: (() => void) | undefined) => void;
}

interface Share {
  readonly maxRequests: number;
  readonly maxBytes: number;
  requests: number;
  bytes: number;
}

/**
 * Troubled and new receivers together get at most three quarters of all requests, of their bytes, and of the requests
 * to an origin. The last quarter is always free for quick receivers.
 */
const SHARES: Readonly<Record<Standing, number>> = { quick: 1, troubled: 0.5, new: 0.25 };
const STANDINGS = ["quick", "troubled", "new"] as const;

export function createDeliverySlots(limits: SlotLimits): DeliverySlots {
  const usage = new SlotUsage(limits);
  const lines = new SlotLines();
  let waited = 0;

  function give(wish: Wish): () => void {
    usage.count(wish, 1);
    return () => {
      usage.count(wish, -1);
      serve();
    };
  }

  function serve(): void {
    for (let next = nextToServe(); next !== undefined; next = nextToServe()) {
      lines.serve(next);
      next.resolve(give(next.wish));
    }
  }

  const nextToServe = (): Waiter | undefined =>
    STANDINGS.flatMap((standing) => nextOf(standing) ?? []).sort((a, b) => a.nth - b.nth)[0];

  const nextOf = (standing: Standing): Waiter | undefined =>
    usage.isFull(standing) ? undefined : lines.first(standing, (wish) => usage.isFree(wish));

  return {
    take(given, signal) {
      // A payload larger than the whole share of its standing is sent alone.
      const wish = { ...given, bytes: Math.min(given.bytes, usage.maxBytes(given.standing)) };
      if (signal.aborted) return Promise.resolve(undefined);
      if (usage.isFree(wish)) return Promise.resolve(give(wish));
      const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
      const waiter = { wish, nth: waited++, resolve };
      lines.join(waiter);
      const giveUp = () => {
        lines.leave(waiter);
        resolve(undefined);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      return promise.finally(() => signal.removeEventListener("abort", giveUp));
    },
  };
}

/** Requests under way and their bytes: in all, for each standing, and to each origin. */
class SlotUsage {
  readonly #all: Share;
  readonly #shares: Readonly<Record<Standing, Share>>;
  readonly #perOrigin: number;
  /** Requests under way to each origin, and to its receivers of each standing. */
  readonly #toOrigin = new Map<string, number>();

  constructor({ requests, bytes, perOrigin }: SlotLimits) {
    const shareOf = (part: number): Share => ({
      maxRequests: partOf(requests, part),
      maxBytes: bytes * part,
      requests: 0,
      bytes: 0,
    });
    this.#all = shareOf(1);
    this.#shares = { quick: shareOf(SHARES.quick), troubled: shareOf(SHARES.troubled), new: shareOf(SHARES.new) };
    this.#perOrigin = perOrigin;
  }

  maxBytes(standing: Standing): number {
    return this.#shares[standing].maxBytes;
  }

  isFull(standing: Standing): boolean {
    return !hasCapacity(this.#all, 0) || !hasCapacity(this.#shares[standing], 0);
  }

  isFree({ origin, standing, bytes }: Wish): boolean {
    return (
      hasCapacity(this.#all, bytes) &&
      hasCapacity(this.#shares[standing], bytes) &&
      this.#requestsTo(origin) < this.#perOrigin &&
      this.#requestsTo(`${standing} ${origin}`) < partOf(this.#perOrigin, SHARES[standing])
    );
  }

  count({ origin, standing, bytes }: Wish, by: 1 | -1): void {
    for (const share of [this.#all, this.#shares[standing]]) {
      share.requests += by;
      share.bytes += by * bytes;
    }
    for (const key of [origin, `${standing} ${origin}`]) {
      const left = this.#requestsTo(key) + by;
      if (left === 0) this.#toOrigin.delete(key);
      else this.#toOrigin.set(key, left);
    }
  }

  #requestsTo(key: string): number {
    return this.#toOrigin.get(key) ?? 0;
  }
}

/** Waiters by standing and origin. Only the first of each is checked: thousands may wait for one origin. */
class SlotLines {
  readonly #lines: Readonly<Record<Standing, Map<string, Set<Waiter>>>> = {
    quick: new Map(),
    troubled: new Map(),
    new: new Map(),
  };

  join(waiter: Waiter): void {
    const { standing, origin } = waiter.wish;
    const line = this.#lines[standing].get(origin) ?? new Set();
    this.#lines[standing].set(origin, line.add(waiter));
  }

  leave(waiter: Waiter): void {
    const { standing, origin } = waiter.wish;
    const line = this.#lines[standing].get(origin);
    line?.delete(waiter);
    if (line?.size === 0) this.#lines[standing].delete(origin);
  }

  /**
   * Removes the waiter, and moves its origin to the end of the line. Origins take turns, no matter how many requests of
   * each wait.
   */
  serve(waiter: Waiter): void {
    this.leave(waiter);
    const { standing, origin } = waiter.wish;
    const line = this.#lines[standing].get(origin);
    if (line !== undefined && this.#lines[standing].delete(origin)) this.#lines[standing].set(origin, line);
  }

  first(standing: Standing, isFree: (wish: Wish) => boolean): Waiter | undefined {
    for (const [first] of this.#lines[standing].values()) {
      if (first !== undefined && isFree(first.wish)) return first;
    }
    return undefined;
  }
}

const hasCapacity = (share: Share, bytes: number): boolean =>
  share.requests < share.maxRequests && share.bytes + bytes <= share.maxBytes;

const partOf = (requests: number, part: number): number => Math.max(1, Math.floor(requests * part));
