// Stops the deliveries of a subscription, and lets them go on: a record that every process reads.
import type { Catalog } from "../../projections/catalog/catalog.ts";
import type { Subscription, Subscriptions } from "../../projections/subscriptions/subscriptions.ts";
import type { Codec } from "../../schemas/codec.ts";
import { recordMessage } from "../../schemas/record-message.ts";
import { type StopReason, stoppedKey } from "../../schemas/records/subscription.ts";
import type { Publisher } from "../common/kafka/publisher.ts";
import { SOURCE } from "./source.ts";

export interface StopsDeps {
  readonly publisher: Publisher;
  readonly codec: Codec;
  readonly namespace: string;
  readonly subscriptions: Subscriptions;
  readonly catalog: Catalog;
}

export interface Stops {
  /** Resolves when the log has it and this process knows of it. `reason`: null = the deliveries go on. */
  set(subscription: Subscription, reason: StopReason | null, detail: string): Promise<void>;
  /** Tokens are never forgotten, so one that is unknown was never ours. */
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
