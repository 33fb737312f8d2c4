// Limits the number and size of subscriptions, in the installation and at each data source. Simultaneous writes on
// several instances may exceed a limit by their number. The fold then leaves out the youngest subscriptions of a data
// source.
import type { Subscription, Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { Problem } from "../http/problem.ts";
import { createSubscriptionQuotas } from "./subscription-quotas.ts";
import { createWeights } from "./weights.ts";

export interface SubscriptionPlaces {
  /**
   * Throws a refusal, or reserves the place. The caller must call the returned function when the view has the
   * subscription.
   */
  enter(before: SubscriptionSet | undefined, after: SubscriptionSet): () => void;
}

export interface SubscriptionPlacesOptions {
  /** The view, which must still be empty. */
  readonly view: Pick<Subscriptions, "get" | "count" | "countOfToken" | "onChange">;
  readonly max: number;
  readonly maxPerToken: number;
  /** Subscriptions to one data source with the credentials of one token. */
  readonly maxPerSource: number;
  /** Bytes that all subscriptions together take in the memory of a process. */
  readonly maxBytes: number;
}

export function createSubscriptionPlaces(options: SubscriptionPlacesOptions): SubscriptionPlaces {
  const { view, maxPerSource, maxBytes } = options;
  /** Subscriptions that are being written. The view may have one before its writer gets the acknowledgement. */
  const entering = new Map<string, SubscriptionSet>();
  /** Counts subscriptions that are being written in their new version, and all others in the version of the view. */
  const quotas = createSubscriptionQuotas(maxPerSource);
  const weights = createWeights(maxBytes);

  function put(id: string, subscription: Subscription | undefined): void {
    quotas.put(id, counted(subscription));
    weights.put(id, subscription);
  }

  view.onChange((id, _, after) => {
    if (!entering.has(id)) put(id, after);
  });

  function refuseBytes(after: SubscriptionSet): void {
    const refusal = weights.refusal(after);
    if (refusal !== undefined) throw new Problem("too-many-subscriptions", refusal);
  }

  /** A changed subscription that claims no more than before is allowed, even when a quota is exceeded. */
  function refuseAtSource(before: SubscriptionSet | undefined, after: SubscriptionSet): void {
    if (before !== undefined && claimOf(before) === claimOf(after)) return;
    const refusal = quotas.refusal(after);
    if (refusal !== undefined) throw new Problem("too-many-subscriptions", refusal);
  }

  return {
    enter(before, after) {
      refuseInAll({ ...options, entering: [...entering.values()] }, before, after);
      refuseAtSource(before, after);
      refuseBytes(after);
      entering.set(after.key, after);
      quotas.put(after.key, after);
      weights.put(after.key, after);
      return () => {
        entering.delete(after.key);
        put(after.key, view.get(after.key));
      };
    },
  };
}

interface InstallationBounds extends Pick<SubscriptionPlacesOptions, "view" | "max" | "maxPerToken"> {
  /** Subscriptions whose writes are under way: the view lacks some of them, but will have them. */
  readonly entering: readonly SubscriptionSet[];
}

function refuseInAll(
  bounds: InstallationBounds,
  before: SubscriptionSet | undefined,
  { tokenId }: SubscriptionSet,
): void {
  const { view, max, maxPerToken, entering } = bounds;
  const isNew = ({ key }: SubscriptionSet) => view.get(key) === undefined;
  const isOfToken = (set: SubscriptionSet) => set.tokenId === tokenId && view.get(set.key)?.tokenId !== tokenId;
  if (before === undefined && view.count() + entering.filter(isNew).length >= max) {
    throw full(`${max} in this installation`);
  }
  if (before?.tokenId !== tokenId && view.countOfToken(tokenId) + entering.filter(isOfToken).length >= maxPerToken) {
    throw full(`${maxPerToken} with the credentials of one token`);
  }
}

/**
 * A subscription with a revoked token delivers nothing, and no POST resumes it with that token. So it takes no place
 * from others.
 */
const counted = (subscription: Subscription | undefined): Subscription | undefined =>
  subscription?.stopped?.reason === "token_revoked" ? undefined : subscription;

const full = (bound: string) =>
  new Problem("too-many-subscriptions", `there may be ${bound}: delete those that are not needed`);

const claimOf = ({ tokenId, mode, signalType, filters, ...set }: SubscriptionSet): string =>
  JSON.stringify([tokenId, mode, signalType, filters, set.pixelProximityThreshold, set.geoProximityThresholdM]);
