import { array, boolean, double, optional, record, string, time, word } from "../avro.ts";

export type SubscriptionMode = "streaming" | "batch";
export type SignalType = "track_state" | "zone_state" | "activity_chronicle";
export type ZoneEmitMode = "all" | "composition";
export type ChronicleSignal = "chronicle_created" | "chronicle_updated" | "chronicle_closed";

/** The distance within which tracks interact, unless a batch sets another one. */
export const defaultThresholds = { pixels: 50, metres: 5 } as const;

/** Filters of signals. An empty list lets every signal through. A signal must pass all filters. */
export interface SubscriptionFilters {
  readonly dataSourceIds: readonly string[];
  /** Tags are compared without case. */
  readonly tags: readonly string[];
  readonly zoneIds: readonly string[];
  readonly siteIds: readonly string[];
  /**
   * Filters from here on apply to chronicles only. Labels, locations, statuses and priorities are compared without
   * case.
   */
  readonly chronicleIds: readonly string[];
  readonly producerIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly pointOfInterestIds: readonly string[];
  readonly labels: readonly string[];
  readonly locations: readonly string[];
  readonly statuses: readonly string[];
  readonly priorities: readonly string[];
}

/**
 * A webhook that a caller has set. The record contains the whole subscription, so only the newest message of a
 * subscription matters.
 */
export interface SubscriptionSet {
  readonly key: string;
  /** Differs for each POST, so that a stop names the subscription that it stops. */
  readonly version: string;
  readonly webhookUrl: string;
  readonly workflowName: string;
  readonly workflowId: string | null;
  readonly mode: SubscriptionMode;
  readonly signalType: SignalType;
  readonly filters: SubscriptionFilters;
  readonly zoneEmitMode: ZoneEmitMode;
  readonly heartbeatSeconds: number;
  readonly batchInterval: number;
  readonly pixelProximityThreshold: number;
  readonly geoProximityThresholdM: number;
  readonly triggerOn: readonly ChronicleSignal[];
  readonly graphqlUrl: string | null;
  readonly wsUrl: string | null;
  readonly tokenId: string;
  /** The token, sealed by services/common/sealed.ts. */
  readonly tokenValue: string;
  /** The signing secrets, sealed, the newest first. A replaced one is valid until its `validUntil`. */
  readonly secrets: readonly SubscriptionSecret[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Deliveries of a deleted subscription never begin again; a later POST makes a new subscription. */
  readonly deleted: boolean;
}

interface SubscriptionSecret {
  readonly sealed: string;
  /** Null when the secret is valid for ever. */
  readonly validUntil: number | null;
}

export const subscriptionSet = record<SubscriptionSet>("SubscriptionSet", {
  key: string,
  version: string,
  webhookUrl: string,
  workflowName: string,
  workflowId: optional(string),
  mode: word<SubscriptionMode>(),
  signalType: word<SignalType>(),
  filters: record<SubscriptionFilters>("SubscriptionFilters", {
    dataSourceIds: array(string),
    tags: array(string),
    zoneIds: array(string),
    siteIds: array(string),
    chronicleIds: array(string),
    producerIds: array(string),
    tagIds: array(string),
    pointOfInterestIds: array(string),
    labels: array(string),
    locations: array(string),
    statuses: array(string),
    priorities: array(string),
  }),
  zoneEmitMode: word<ZoneEmitMode>(),
  heartbeatSeconds: double,
  batchInterval: double,
  pixelProximityThreshold: double,
  geoProximityThresholdM: double,
  triggerOn: array(word<ChronicleSignal>()),
  graphqlUrl: optional(string),
  wsUrl: optional(string),
  tokenId: string,
  tokenValue: string,
  secrets: array(record<SubscriptionSecret>("SubscriptionSecret", { sealed: string, validUntil: optional(time) })),
  createdAt: time,
  updatedAt: time,
  deleted: boolean,
});

/** The reason why deliveries stopped. */
export type StopReason = "gone" | "failing" | "token_revoked";

/**
 * Stops the deliveries of one version of a subscription, or resumes them. Its key differs from the subscription's, so
 * that Kafka's compaction of one message does not delete the other.
 */
export interface SubscriptionStopped {
  /** The key that stoppedKey(id) returns. */
  readonly key: string;
  readonly id: string;
  readonly version: string;
  /** Null when the deliveries resume. */
  readonly reason: StopReason | null;
  /** The receiver's last answer, for people to read. */
  readonly detail: string;
  readonly at: number;
}

export const subscriptionStopped = record<SubscriptionStopped>("SubscriptionStopped", {
  key: string,
  id: string,
  version: string,
  reason: optional(word<StopReason>()),
  detail: string,
  at: time,
});

/**
 * The key of the message that stops a subscription. The NUL prevents a collision with the id of any subscription,
 * because ids contain no control characters.
 */
export const stoppedKey = (id: string): string => `${id}\u0000stopped`;
