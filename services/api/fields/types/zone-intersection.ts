import type { IntersectionRecord } from "../../../../projections/history/queries/records.ts";
import type { ShownTrack } from "../../../../projections/track/header.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { lookUpTrack } from "./track.ts";
import { knownZone } from "./zone.ts";

/** A parent that already has the track passes it, which saves the look-up. */
export interface ZoneIntersectionSource extends Omit<IntersectionRecord, "lastInside"> {
  readonly track?: ShownTrack;
}

type Intersection = Omit<ZoneIntersectionSource, "zoneId">;

/** Only a look-up makes it a promise: a message of a subscription has the track. */
export const trackOfIntersection = (
  intersection: Intersection,
  _args: unknown,
  context: ApiContext,
): ShownTrack | Promise<ShownTrack> => intersection.track ?? lookUpTrack(standInOf(intersection), context);

const standInOf = ({ trackId, dataSourceId, tag, startTime }: Intersection) => ({
  trackId,
  dataSourceId,
  tag,
  startTime,
});

export const zoneIntersectionResolvers = {
  id: (intersection: ZoneIntersectionSource) => intersection.intersectionId,
  zone: (intersection: ZoneIntersectionSource, _args: unknown, context: ApiContext) =>
    knownZone(context, intersection.zoneId),
  track: trackOfIntersection,
};
