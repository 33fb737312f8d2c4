// Builds records of subscriptions.
import {
  type SubscriptionSet,
  type SubscriptionStopped,
  stoppedKey,
} from "../../../../../schemas/records/subscription.ts";
import { noFilters } from "../../../../support/scenes/no-filters.ts";

interface SetWith extends Partial<Omit<SubscriptionSet, "filters">> {
  readonly filters?: Partial<SubscriptionSet["filters"]>;
}

export function subscriptionSet({ filters = {}, ...given }: SetWith = {}) {
  const event: SubscriptionSet = {
    key: "a",
    version: "v1",
    webhookUrl: "https://hooks.example.com/a",
    workflowName: "A",
    workflowId: null,
    mode: "streaming",
    signalType: "track_state",
    zoneEmitMode: "all",
    heartbeatSeconds: 30,
    batchInterval: 30,
    pixelProximityThreshold: 50,
    geoProximityThresholdM: 5,
    triggerOn: ["chronicle_created", "chronicle_updated", "chronicle_closed"],
    graphqlUrl: null,
    wsUrl: null,
    tokenId: "token-1",
    tokenValue: "sealed",
    secrets: [],
    createdAt: 1_000,
    updatedAt: 1_000,
    deleted: false,
    ...given,
    filters: { ...noFilters, ...filters },
  };
  return { type: "SubscriptionSet", event } as const;
}

export function subscriptionStopped({ id = "a", ...given }: Partial<Omit<SubscriptionStopped, "key">> = {}) {
  const event: SubscriptionStopped = {
    key: stoppedKey(id),
    id,
    version: "v1",
    reason: "failing",
    detail: "500",
    at: 2_000,
    ...given,
  };
  return { type: "SubscriptionStopped", event } as const;
}
