// Subscriptions and signals as the topics have them.
import { randomUUID } from "node:crypto";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { noFilters } from "./no-filters.ts";

const CREATED_AT = 1_767_225_600_000;

/** All tracks; without a token that could be revoked, and without a secret. */
export const subscriptionSet = (key: string, webhookUrl: string): Omit<SubscriptionSet, "secrets"> => ({
  key,
  version: randomUUID(),
  webhookUrl,
  workflowName: "gates",
  workflowId: "w1",
  mode: "streaming",
  signalType: "track_state",
  filters: noFilters,
  zoneEmitMode: "all",
  heartbeatSeconds: 30,
  batchInterval: 1,
  pixelProximityThreshold: 50,
  geoProximityThresholdM: 5,
  triggerOn: [],
  graphqlUrl: null,
  wsUrl: null,
  tokenId: "nobody",
  tokenValue: "",
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  deleted: false,
});

/** For a subscription as above. `offset`: of its cause. */
export const signalRaised = (subscriptionId: string, offset: number, given: Partial<SignalRaised>): SignalRaised => {
  const subjectId = given.subjectId ?? "t1";
  return {
    id: randomUUID(),
    subscriptionId,
    generation: CREATED_AT,
    dataSourceId: null,
    signal: "track_created",
    subjectId,
    timestamp: CREATED_AT + offset,
    state: JSON.stringify({ track_id: subjectId, datasource_id: "cam", n: offset }),
    emitReason: null,
    expiredBy: null,
    cause: { topic: "camera-log", partition: 0, offset, index: 0 },
    ...given,
  };
};
