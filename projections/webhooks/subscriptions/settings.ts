// Converts the members of a request into the fields of the record.
import type { SubscriptionFilters, SubscriptionSet } from "../../../schemas/records/subscription.ts";
import type { FiltersBody, SubscriptionShape } from "../../../schemas/rest/subscriptions.ts";

export type SignalSettings = Pick<
  SubscriptionSet,
  | "mode"
  | "signalType"
  | "filters"
  | "zoneEmitMode"
  | "heartbeatSeconds"
  | "batchInterval"
  | "pixelProximityThreshold"
  | "geoProximityThresholdM"
  | "triggerOn"
>;

/** The members must have passed checkShape. */
export const signalSettings = (shape: SubscriptionShape): SignalSettings => ({
  mode: shape.mode,
  signalType: shape.signal_type ?? "track_state",
  filters: filtersOf(shape.filters),
  zoneEmitMode: shape.zone_emit_mode,
  heartbeatSeconds: shape.heartbeat_seconds,
  batchInterval: shape.batch_interval,
  pixelProximityThreshold: shape.pixel_proximity_threshold,
  geoProximityThresholdM: shape.geo_proximity_threshold_m,
  triggerOn: shape.trigger_on,
});

const filtersOf = ({ site_id, ...filters }: FiltersBody): SubscriptionFilters => ({
  dataSourceIds: unique(filters.datasource_ids),
  tags: unique(filters.tags),
  zoneIds: unique(filters.zone_ids),
  siteIds: unique(site_id === undefined ? filters.site_ids : [site_id, ...filters.site_ids]),
  chronicleIds: unique(filters.chronicle_ids),
  producerIds: unique(filters.producer_ids),
  tagIds: unique(filters.tag_ids),
  pointOfInterestIds: unique(filters.point_of_interest_ids),
  labels: unique(filters.labels),
  locations: unique(filters.locations),
  statuses: unique(filters.statuses),
  priorities: unique(filters.priorities),
});

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
