// How much may be under way, in all and to one origin. Of both, receivers that failed, were slow or have not answered yet
// have a part only, so that these never hold up the others.
import type { Standing } from "./receivers.ts";

export interface Slots {
  /** Resolves, in turn, with the function that gives the slot back; undefined = given up because of the signal. */
  take(wish: Wish, signal: AbortSignal): Promise<(() => void) | undefined>;
}

export interface Wish {
  readonly origin: string;
  readonly standing: Standing;
  /** Of the payload, as it is stored. */
  readonly bytes: number;
}

export interface SlotLimits {
  readonly requests: number;
  readonly bytes: number;
  readonly perOrigin: number;
}

interface Waiter {
  readonly wish: Wish;
  /** Those that came later have greater ones. */
  readonly nth: number;
  readonly resolve: (release: (() => void) | undefined) => void;
}

interface Share {
  readonly maxRequests: number;
  readonly maxBytes: number;
  requests: number;
  bytes: number;
}

/** The quick ones always have the fourth that the others leave, also at an origin where others are slow. */
const SHARES: Readonly<Record<Standing, number>> = { quick: 1, troubled: 0.5, new: 0.25 };
const STANDINGS = ["quick", "troubled", "new"] as const;

export function createSlots({ requests, bytes, perOrigin }: SlotLimits): Slots {
  const shareOf = (part: number): Share => ({
    maxRequests: partOf(requests, part),
    maxBytes: bytes * part,
    requests: 0,
    bytes: 0,
  });
  const all = shareOf(1);
  const shares = { quick: shareOf(SHARES.quick), troubled: shareOf(SHARES.troubled), new: shareOf(SHARES.new) };
  /** Requests to each origin, and to its receivers of each standing. */
  const toOrigin = new Map<string, number>();
  /** Who waits, by standing and origin. Only the first of each is looked at: thousands may wait for one origin. */
  const lines: Readonly<Record<Standing, Map<string, Set<Waiter>>>> = {
    quick: new Map(),
    troubled: new Map(),
    new: new Map(),
  };
  let waited = 0;

  const isFree = ({ origin, standing, bytes }: Wish): boolean =>
    hasRoom(all, bytes) &&
    hasRoom(shares[standing], bytes) &&
    (toOrigin.get(origin) ?? 0) < perOrigin &&
    (toOrigin.get(`${standing} ${origin}`) ?? 0) < partOf(perOrigin, SHARES[standing]);

  function count({ origin, standing, bytes }: Wish, by: 1 | -1): void {
    for (const share of [all, shares[standing]]) {
      share.requests += by;
      share.bytes += by * bytes;
    }
    for (const key of [origin, `${standing} ${origin}`]) {
      const left = (toOrigin.get(key) ?? 0) + by;
      if (left === 0) toOrigin.delete(key);
      else toOrigin.set(key, left);
    }
  }

  function give(wish: Wish): () => void {
    count(wish, 1);
    return () => {
      count(wish, -1);
      serve();
    };
  }

  function join(waiter: Waiter): void {
    const { standing, origin } = waiter.wish;
    const line = lines[standing].get(origin) ?? new Set();
    lines[standing].set(origin, line.add(waiter));
  }

  function leave(waiter: Waiter): void {
    const { standing, origin } = waiter.wish;
    const line = lines[standing].get(origin);
    line?.delete(waiter);
    if (line?.size === 0) lines[standing].delete(origin);
  }

  function serve(): void {
    for (let next = nextToServe(); next !== undefined; next = nextToServe()) {
      const { standing, origin } = next.wish;
      leave(next);
      // The origin goes behind the others, however many wait for it.
      const line = lines[standing].get(origin);
      if (line !== undefined && lines[standing].delete(origin)) lines[standing].set(origin, line);
      next.resolve(give(next.wish));
    }
  }

  const nextToServe = (): Waiter | undefined =>
    STANDINGS.flatMap((standing) => nextOf(standing) ?? []).sort((a, b) => a.nth - b.nth)[0];

  function nextOf(standing: Standing): Waiter | undefined {
    if (!hasRoom(all, 0) || !hasRoom(shares[standing], 0)) return undefined;
    for (const [first] of lines[standing].values()) {
      if (first !== undefined && isFree(first.wish)) return first;
    }
    return undefined;
  }

  return {
    take(given, signal) {
      // A payload larger than all that its like may have goes alone.
      const wish = { ...given, bytes: Math.min(given.bytes, shares[given.standing].maxBytes) };
      if (signal.aborted) return Promise.resolve(undefined);
      if (isFree(wish)) return Promise.resolve(give(wish));
      const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
      const waiter = { wish, nth: waited++, resolve };
      join(waiter);
      const giveUp = () => {
        leave(waiter);
        resolve(undefined);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      return promise.finally(() => signal.removeEventListener("abort", giveUp));
    },
  };
}

const hasRoom = (share: Share, bytes: number): boolean =>
  share.requests < share.maxRequests && share.bytes + bytes <= share.maxBytes;

const partOf = (requests: number, part: number): number => Math.max(1, Math.floor(requests * part));
