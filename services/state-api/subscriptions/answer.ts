// A subscription in the form that callers see: no secret, and no value of a token.
import type { Subscription } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { SubscriptionAnswer } from "../../../schemas/rest/subscription-answers.ts";

/**
 * `tokenRevokedAt` is the time at which the token of its credentials was revoked; it is known before the deliveries are
 * stopped for it.
 */
export function subscriptionAnswer(subscription: Subscription, tokenRevokedAt: number | null): SubscriptionAnswer {
  const { filters, createdAt, updatedAt } = subscription;
  const [siteId = null, ...moreSites] = filters.siteIds;
  return {
    id: subscription.key,
    webhook_url: subscription.webhookUrl,
    workflow_name: subscription.workflowName,
    workflow_id: subscription.workflowId,
    mode: subscription.mode,
    signal_type: subscription.signalType,
    filters: {
      datasource_ids: [...filters.dataSourceIds],
      tags: [...filters.tags],
      zone_ids: [...filters.zoneIds],
      site_id: moreSites.length === 0 ? siteId : null,
      site_ids: [...filters.siteIds],
      chronicle_ids: [...filters.chronicleIds],
      producer_ids: [...filters.producerIds],
      tag_ids: [...filters.tagIds],
      point_of_interest_ids: [...filters.pointOfInterestIds],
      labels: [...filters.labels],
      locations: [...filters.locations],
      statuses: [...filters.statuses],
      priorities: [...filters.priorities],
    },
    zone_emit_mode: subscription.zoneEmitMode,
    heartbeat_seconds: subscription.heartbeatSeconds,
    batch_interval: subscription.batchInterval,
    pixel_proximity_threshold: subscription.pixelProximityThreshold,
    geo_proximity_threshold_m: subscription.geoProximityThresholdM,
    trigger_on: [...subscription.triggerOn],
    credentials: {
      graphql_url: subscription.graphqlUrl,
      ws_url: subscription.wsUrl,
      x_token_id: subscription.tokenId,
      x_token_value: "********",
    },
    ...stateOf(subscription, tokenRevokedAt),
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  };
}

const REVOKED = "the token of the credentials was revoked";

function stateOf({ stopped }: Subscription, tokenRevokedAt: number | null) {
  const at = { reason: "token_revoked", detail: REVOKED, at: tokenRevokedAt } as const;
  const stop = stopped ?? (at.at === null ? undefined : { ...at, at: at.at });
  if (stop === undefined) {
    return { status: "active", stopped_reason: null, stopped_detail: null, stopped_at: null } as const;
  }
  return {
    status: "stopped",
    stopped_reason: stop.reason,
    stopped_detail: stop.detail,
    stopped_at: isoTime(stop.at),
  } as const;
}
