// How many subscriptions there may be, in the installation and at each data source, and how large. Writes at the same moment on several
// instances may exceed the bounds by as many; the fold then leaves the youngest of a data source out.
import type { Subscription, Subscriptions } from "../../../projections/subscriptions/subscriptions.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { Problem } from "../http/problem.ts";
import { createCrowds } from "./crowds.ts";
import { createWeights } from "./weights.ts";

export interface Room {
  /** Throws a refusal; else keeps the place until the returned function is called: the view has the subscription then. */
  enter(before: SubscriptionSet | undefined, after: SubscriptionSet): () => void;
}

export interface RoomOptions {
  /** Still empty. */
  readonly view: Pick<Subscriptions, "get" | "count" | "countOfToken" | "onChange">;
  readonly max: number;
  readonly maxPerToken: number;
  /** At one data source, with the credentials of one token. */
  readonly maxPerSource: number;
  /** In the memory of a process, all together. */
  readonly maxBytes: number;
}

export function createRoom({ view, max, maxPerToken, maxPerSource, maxBytes }: RoomOptions): Room {
  /** What is being written. The view may have it before its writer hears of that. */
  const entering = new Map<string, SubscriptionSet>();
  /** Of those that are being written as they will be, of all others as the view has them. */
  const crowds = createCrowds(maxPerSource);
  const weights = createWeights(maxBytes);

  function put(id: string, subscription: Subscription | undefined): void {
    crowds.put(id, counted(subscription));
    weights.put(id, subscription);
  }

  view.onChange((id, _, after) => {
    if (!entering.has(id)) put(id, after);
  });

  /** Those that the view will count, but does not yet. */
  function countAhead(counts: (set: SubscriptionSet) => boolean): number {
    return [...entering.values()].filter(counts).length;
  }

  function refuseInAll(before: SubscriptionSet | undefined, { tokenId }: SubscriptionSet): void {
    const isNew = ({ key }: SubscriptionSet) => view.get(key) === undefined;
    const ofToken = (set: SubscriptionSet) => set.tokenId === tokenId && view.get(set.key)?.tokenId !== tokenId;
    if (before === undefined && view.count() + countAhead(isNew) >= max) throw full(`${max} in this installation`);
    if (before?.tokenId !== tokenId && view.countOfToken(tokenId) + countAhead(ofToken) >= maxPerToken) {
      throw full(`${maxPerToken} with the credentials of one token`);
    }
  }

  function refuseBytes(after: SubscriptionSet): void {
    const refusal = weights.refusal(after);
    if (refusal !== undefined) throw new Problem("too-many-subscriptions", refusal);
  }

  /** A subscription that claims no more than it did before stays, also beyond the bounds. */
  function refuseAtSource(before: SubscriptionSet | undefined, after: SubscriptionSet): void {
    if (before !== undefined && claimOf(before) === claimOf(after)) return;
    const refusal = crowds.refusal(after);
    if (refusal !== undefined) throw new Problem("too-many-subscriptions", refusal);
  }

  return {
    enter(before, after) {
      refuseInAll(before, after);
      refuseAtSource(before, after);
      refuseBytes(after);
      entering.set(after.key, after);
      crowds.put(after.key, after);
      weights.put(after.key, after);
      return () => {
        entering.delete(after.key);
        put(after.key, view.get(after.key));
      };
    },
  };
}

/** Nothing is delivered with a revoked token, and no POST lets it go on: it takes no room of others. */
const counted = (subscription: Subscription | undefined): Subscription | undefined =>
  subscription?.stopped?.reason === "token_revoked" ? undefined : subscription;

const full = (bound: string) =>
  new Problem("too-many-subscriptions", `there may be ${bound}: delete those that are not needed`);

const claimOf = ({ tokenId, mode, signalType, filters, ...set }: SubscriptionSet): string =>
  JSON.stringify([tokenId, mode, signalType, filters, set.pixelProximityThreshold, set.geoProximityThresholdM]);
