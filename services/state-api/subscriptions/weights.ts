// Measures the memory of all subscriptions: every process that handles signals holds them.
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";

export interface Weights {
  /** Replaces the counted version of the subscription; with undefined it is no longer counted. */
  put(id: string, subscription: SubscriptionSet | undefined): void;
  /**
   * Checks the memory of all subscriptions, and of those of the token.
   * @returns the reason for the refusal, in words for the caller; undefined when there is enough memory.
   */
  refusal(wanted: SubscriptionSet): string | undefined;
}

interface Counted {
  readonly tokenId: string;
  readonly bytes: number;
}

/** Largest share of `maxBytes` that the subscriptions of one token may take. */
const PART_OF_TOKEN = 0.25;

export function createWeights(maxBytes: number): Weights {
  const counted = new Map<string, Counted>();
  const perToken = new Map<string, number>();
  let all = 0;

  function add({ tokenId, bytes }: Counted, by: 1 | -1): void {
    all += by * bytes;
    const ofToken = (perToken.get(tokenId) ?? 0) + by * bytes;
    if (ofToken === 0) perToken.delete(tokenId);
    else perToken.set(tokenId, ofToken);
  }

  return {
    put(id, subscription) {
      const before = counted.get(id);
      if (before !== undefined) add(before, -1);
      counted.delete(id);
      if (subscription === undefined) return;
      const after = { tokenId: subscription.tokenId, bytes: weightOf(subscription) };
      counted.set(id, after);
      add(after, 1);
    },
    refusal(wanted) {
      const { key, tokenId } = wanted;
      const bytes = weightOf(wanted);
      const before = counted.get(key);
      const ownBefore = before?.tokenId === tokenId ? before.bytes : 0;
      // A changed subscription that takes no more memory than before is allowed, even when the limit is exceeded.
      if (bytes <= ownBefore) return undefined;
      const mostOfToken = maxBytes * PART_OF_TOKEN;
      if (all - (before?.bytes ?? 0) + bytes > maxBytes) return textOf(maxBytes, "");
      if ((perToken.get(tokenId) ?? 0) - ownBefore + bytes <= mostOfToken) return undefined;
      return textOf(mostOfToken, " with the credentials of one token");
    },
  };
}

const textOf = (bytes: number, whose: string): string =>
  `all subscriptions${whose} may take ${Math.floor(bytes)} bytes of memory: name fewer or shorter values in filters, or delete subscriptions that are not needed`;

/**
 * Measured in the process that needs most: its maps have an entry for each data source and site, and a set for other
 * values.
 */
const BASE_BYTES = 2_048;
const PLACE_BYTES = 512;
const VALUE_BYTES = 64;

/** Excludes secrets, so that they can be rotated even when the memory is used up. */
function weightOf(subscription: SubscriptionSet): number {
  const { dataSourceIds, siteIds, ...others } = subscription.filters;
  const places = dataSourceIds.length + siteIds.length;
  const values = Object.values(others).reduce((sum, list) => sum + list.length, 0);
  const texts = Buffer.byteLength(JSON.stringify({ ...subscription, secrets: [], stopped: undefined }));
  return BASE_BYTES + places * PLACE_BYTES + values * VALUE_BYTES + texts;
}
