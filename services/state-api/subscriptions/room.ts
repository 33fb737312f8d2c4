// How many subscriptions there may be. Writes at the same moment on several instances may exceed it by as many.
import type { Subscriptions } from "../../../projections/subscriptions/subscriptions.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { Problem } from "../http/problem.ts";

export interface Room {
  /** Throws a refusal; else keeps the place until the returned function is called: the view has the subscription then. */
  enter(before: SubscriptionSet | undefined, after: SubscriptionSet): () => void;
}

export interface RoomOptions {
  readonly view: Pick<Subscriptions, "count" | "countOfToken">;
  readonly max: number;
  readonly maxPerToken: number;
}

export function createRoom({ view, max, maxPerToken }: RoomOptions): Room {
  let entering = 0;
  const enteringOf = new Map<string, number>();

  return {
    enter(before, { tokenId }) {
      const ofToken = enteringOf.get(tokenId) ?? 0;
      if (before === undefined && view.count() + entering >= max) throw full(`${max} in this installation`);
      if (before?.tokenId !== tokenId && view.countOfToken(tokenId) + ofToken >= maxPerToken) {
        throw full(`${maxPerToken} with the credentials of one token`);
      }
      if (before?.tokenId === tokenId) return () => undefined;
      const isNew = before === undefined ? 1 : 0;
      entering += isNew;
      enteringOf.set(tokenId, ofToken + 1);
      return () => {
        entering -= isNew;
        const left = (enteringOf.get(tokenId) ?? 0) - 1;
        if (left === 0) enteringOf.delete(tokenId);
        else enteringOf.set(tokenId, left);
      };
    },
  };
}

const full = (bound: string) =>
  new Problem("too-many-subscriptions", `there may be ${bound}: delete those that are not needed`);
