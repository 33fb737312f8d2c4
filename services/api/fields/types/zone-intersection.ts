import type { IntersectionRecord } from "../../../../projections/history/queries/records.ts";
import type { ShownTrack } from "../../../../projections/track/header.ts";
import type { ApiContext } from "../../graphql/context.ts";
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
): ShownTrack | Promise<ShownTrack> => intersection.track ?? lookUpTrack(intersection, context);

/** Returns a stand-in while the history has the intersection but not yet the header of its track. */
async function lookUpTrack(intersection: Intersection, { loaders }: ApiContext): Promise<ShownTrack> {
  const { trackId, dataSourceId, tag, startTime } = intersection;
  const track = await loaders.track({ trackId, dataSourceId });
  const unknown = { endTime: null, modelId: null, properties: null, metadata: null };
  return track ?? { trackId, dataSourceId, tag, startTime, ...unknown };
}

export const zoneIntersectionResolvers = {
  id: (intersection: ZoneIntersectionSource) => intersection.intersectionId,
  zone: (intersection: ZoneIntersectionSource, _args: unknown, context: ApiContext) =>
    knownZone(context, intersection.zoneId),
  track: trackOfIntersection,
};
