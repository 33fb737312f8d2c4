// How many requests may be under way: in all, to one origin, and to receivers that failed or were slow, so that these
// never hold up the others.

export interface Slots {
  /** Resolves, in turn, with the function that gives the slot back; undefined = given up because of the signal. */
  take(wish: Wish, signal: AbortSignal): Promise<(() => void) | undefined>;
}

export interface Wish {
  readonly origin: string;
  /** Whether the receiver's last attempt failed or was slow. */
  readonly isTroubled: boolean;
}

export interface SlotLimits {
  readonly all: number;
  readonly perOrigin: number;
}

interface Waiter extends Wish {
  readonly resolve: (release: (() => void) | undefined) => void;
}

/** Of all slots. */
const TROUBLED_SHARE = 0.5;

export function createSlots({ all, perOrigin }: SlotLimits): Slots {
  const maxTroubled = Math.max(1, Math.floor(all * TROUBLED_SHARE));
  const ofOrigin = new Map<string, number>();
  const waiting = new Set<Waiter>();
  let busy = 0;
  let troubled = 0;

  const isFree = ({ origin, isTroubled }: Wish): boolean =>
    busy < all && (ofOrigin.get(origin) ?? 0) < perOrigin && !(isTroubled && troubled >= maxTroubled);

  function count({ origin, isTroubled }: Wish, by: 1 | -1): void {
    busy += by;
    if (isTroubled) troubled += by;
    const left = (ofOrigin.get(origin) ?? 0) + by;
    if (left === 0) ofOrigin.delete(origin);
    else ofOrigin.set(origin, left);
  }

  function give(wish: Wish): () => void {
    count(wish, 1);
    return () => {
      count(wish, -1);
      serve();
    };
  }

  function serve(): void {
    for (const waiter of waiting) {
      if (busy >= all) return;
      if (!isFree(waiter)) continue;
      waiting.delete(waiter);
      waiter.resolve(give(waiter));
    }
  }

  return {
    take(wish, signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (isFree(wish)) return Promise.resolve(give(wish));
      const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>();
      const waiter = { ...wish, resolve };
      waiting.add(waiter);
      const giveUp = () => {
        waiting.delete(waiter);
        resolve(undefined);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      return promise.finally(() => signal.removeEventListener("abort", giveUp));
    },
  };
}
