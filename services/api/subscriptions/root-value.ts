// Messages of the feed as the type resolvers expect their parents. Made once per message, for all selections.
import type { DetectionMessage, FeedMessage, IntersectionMessage } from "../../../projections/feed/messages.ts";
import type { DetectionRecord } from "../../../projections/history/queries/records.ts";
import type { ShownTrack } from "../../../projections/track/header.ts";
import type { MessageState } from "../../../schemas/events.ts";
import type { DetectionSource } from "../fields/types/detection.ts";
import type { ZoneIntersectionSource } from "../fields/types/zone-intersection.ts";

/** One message as graphql-js executes it: the member under the name of the subscribed field. */
export interface SubscriptionRoot {
  readonly tracks?: { readonly message: ShownTrack; readonly state: MessageState };
  readonly zoneIntersections?: { readonly message: ZoneIntersectionSource; readonly state: MessageState };
  readonly detectionActivity?: DetectionSource;
}

export interface RootDeps {
  /** What is known of a track without a wait. */
  readonly track: (id: string) => ShownTrack | undefined;
  readonly zonesOf: (detection: DetectionRecord) => readonly string[];
}

export function createRootValues(deps: RootDeps): (message: FeedMessage) => SubscriptionRoot {
  const roots = new WeakMap<FeedMessage, SubscriptionRoot>();
  return (message) => {
    let root = roots.get(message);
    if (root === undefined) {
      root = toRoot(message, deps);
      roots.set(message, root);
    }
    return root;
  };
}

function toRoot(message: FeedMessage, deps: RootDeps): SubscriptionRoot {
  switch (message.kind) {
    case "tracks":
      return { tracks: { message: message.track, state: message.state } };
    case "zoneIntersections":
      return { zoneIntersections: { message: toIntersection(message, deps), state: message.state } };
    case "detectionActivity":
      return { detectionActivity: toDetection(message, deps) };
    default:
      return message satisfies never;
  }
}

/** With the track at hand, because the history may lag behind the feed. */
function toIntersection({ intersection }: IntersectionMessage, { track }: RootDeps): ZoneIntersectionSource {
  const known = track(intersection.trackId);
  return known === undefined ? intersection : { ...intersection, track: known };
}

function toDetection({ detection, track }: DetectionMessage, { zonesOf }: RootDeps): DetectionSource {
  return {
    ...detection,
    track,
    /** Only selections that ask for zones pay for it. */
    get zoneIds() {
      return zonesOf(detection);
    },
  };
}
