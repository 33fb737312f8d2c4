// Stops and resumes the deliveries of a subscription with a record that every process reads.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { Subscription, Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { type StopReason, stoppedKey } from "../../../schemas/records/subscription.ts";
import type { Publisher } from "../../common/kafka/write/publisher.ts";
import { SOURCE } from "../queue/source.ts";

export interface StopsDeps {
  readonly publisher: Publisher;
  readonly codec: Codec;
  readonly namespace: string;
  readonly subscriptions: Subscriptions;
  readonly catalog: Catalog;
}

export interface Stops {
  /** Resolves when the log has the record and this process has read it. A `reason` of null resumes the deliveries. */
  set(subscription: Subscription, reason: StopReason | null, detail: string): Promise<void>;
  /**
   * Returns true when the token was revoked or deleted. The catalog remembers deleted tokens, so one that it has never
   * contained is not one of ours, and does not count as revoked.
   */
  isRevoked(subscription: Subscription): boolean;
}

export function createStops({ publisher, codec, namespace, subscriptions, catalog }: StopsDeps): Stops {
  return {
    async set({ key: id, version }, reason, detail) {
      const at = Date.now();
      const event = { key: stoppedKey(id), id, version, reason, detail, at };
      const record = { type: "SubscriptionStopped", event } as const;
      const [written] = await publisher.publish([
        recordMessage(codec, namespace, record, { source: SOURCE, timeMs: at }),
      ]);
      if (written !== undefined) subscriptions.applyOwn(record, written.offset);
    },
    isRevoked({ tokenId }) {
      const token = catalog.get("token", tokenId);
      if (token === undefined) return catalog.lastKnown("token", tokenId) !== undefined;
      return token.revokedAt !== null;
    },
  };
}
