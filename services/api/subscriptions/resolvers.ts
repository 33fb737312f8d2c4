// The fields of the Subscription type. What they give is computed once per message and stands in the root value.

import type { MessageState } from "../../../schemas/events.ts";
import type { DetectionSource } from "../types/detection.ts";
import type { TrackSource } from "../types/track.ts";
import type { ZoneIntersectionSource } from "../types/zone-intersection.ts";

/** One message as graphql-js executes it: the member under the name of the subscribed field. */
export interface SubscriptionRoot {
  readonly tracks?: { readonly message: TrackSource; readonly state: MessageState };
  readonly zoneIntersections?: { readonly message: ZoneIntersectionSource; readonly state: MessageState };
  readonly detectionActivity?: DetectionSource;
}

export const subscriptionResolvers = {
  tracks: ({ tracks }: SubscriptionRoot) => tracks,
  zoneIntersections: ({ zoneIntersections }: SubscriptionRoot) => zoneIntersections,
  detectionActivity: ({ detectionActivity }: SubscriptionRoot) => detectionActivity,
};
