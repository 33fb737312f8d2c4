// How many subscriptions there may be. Writes at the same moment on several instances may exceed it by as many.
import type { Subscriptions } from "../../../projections/subscriptions/subscriptions.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { Problem } from "../http/problem.ts";

export interface Room {
  /** Throws a refusal; else keeps the place until the returned function is called: the view has the subscription then. */
  enter(before: SubscriptionSet | undefined, after: SubscriptionSet): () => void;
}

export interface RoomOptions {
  readonly view: Pick<Subscriptions, "get" | "count" | "countOfToken">;
  readonly max: number;
  readonly maxPerToken: number;
}

export function createRoom({ view, max, maxPerToken }: RoomOptions): Room {
  /** The token of each subscription that is being written. The view may have it before its writer hears of that. */
  const entering = new Map<string, string>();

  /** Those that the view will count, but does not yet. */
  function countAhead(counts: (id: string, tokenId: string) => boolean): number {
    return [...entering].filter(([id, tokenId]) => counts(id, tokenId)).length;
  }

  return {
    enter(before, { key, tokenId }) {
      const isNew = (id: string) => view.get(id) === undefined;
      const ofToken = (id: string, token: string) => token === tokenId && view.get(id)?.tokenId !== tokenId;
      if (before === undefined && view.count() + countAhead(isNew) >= max) throw full(`${max} in this installation`);
      if (before?.tokenId !== tokenId && view.countOfToken(tokenId) + countAhead(ofToken) >= maxPerToken) {
        throw full(`${maxPerToken} with the credentials of one token`);
      }
      entering.set(key, tokenId);
      return () => void entering.delete(key);
    },
  };
}

const full = (bound: string) =>
  new Problem("too-many-subscriptions", `there may be ${bound}: delete those that are not needed`);
