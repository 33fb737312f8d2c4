// Asks the filter of a subscription about a message.

import type { CatalogView } from "../../../projections/catalog/catalog-view.ts";
import type { FeedKind, FeedMessage } from "../../../projections/feed/messages.ts";
import { detectionActivityFields } from "../../../projections/filters/detections.ts";
import { intersectionMessageFields } from "../../../projections/filters/intersections.ts";
import { matches } from "../../../projections/filters/match.ts";
import { trackMessageFields } from "../../../projections/filters/tracks.ts";
import type { DetectionRecord } from "../../../projections/history/queries/records.ts";
import type {
  FilterDetectionActivityInput,
  FilterTrackMessageInput,
  FilterZoneIntersectionMessageInput,
} from "../../../schemas/filters.ts";

export interface MatchDeps {
  readonly catalog: CatalogView;
  readonly zonesOf: (detection: DetectionRecord) => readonly string[];
}

/** The filter of each subscription field. */
interface Filters {
  readonly tracks: FilterTrackMessageInput;
  readonly zoneIntersections: FilterZoneIntersectionMessageInput;
  readonly detectionActivity: FilterDetectionActivityInput;
}

/** A subscription field with its filter; null = everything. */
export type FeedFilter = { [K in FeedKind]: { readonly kind: K; readonly filter: Filters[K] | null } }[FeedKind];

export function matchesMessage(asked: FeedFilter, message: FeedMessage, deps: MatchDeps): boolean {
  if (message.kind !== asked.kind) return false;
  if (asked.filter === null) return true;
  switch (asked.kind) {
    case "tracks":
      return message.kind === "tracks" && matches(trackMessageFields, asked.filter, ofTrack(message, deps));
    case "zoneIntersections":
      return message.kind === "zoneIntersections" && matches(intersectionMessageFields, asked.filter, ofZone(message));
    case "detectionActivity":
      return (
        message.kind === "detectionActivity" &&
        matches(detectionActivityFields, asked.filter, ofDetection(message, deps))
      );
    default:
      return asked satisfies never;
  }
}

type Message<K extends FeedKind> = Extract<FeedMessage, { readonly kind: K }>;

function ofTrack({ track, seen, state }: Message<"tracks">, { catalog }: MatchDeps) {
  return { ...track, dataSource: catalog.dataSource(track.dataSourceId) ?? null, seen, state };
}

function ofZone({ intersection, state }: Message<"zoneIntersections">) {
  return { zoneId: intersection.zoneId, dataSourceId: intersection.dataSourceId, state };
}

function ofDetection({ detection, track }: Message<"detectionActivity">, { catalog, zonesOf }: MatchDeps) {
  return {
    dataSourceId: detection.dataSourceId,
    dataSource: catalog.dataSource(detection.dataSourceId) ?? null,
    tag: track.tag,
    position: detection.position,
    /** Only filters over zones pay for it. */
    get zoneIds() {
      return zonesOf(detection);
    },
  };
}
