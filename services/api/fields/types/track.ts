import { deviceIdOf } from "../../../../projections/catalog/placed.ts";
import { readFilter } from "../../../../projections/filters/read-filter.ts";
import type { ShownTrack } from "../../../../projections/track/header.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { checkFirst } from "../../read/first.ts";
import type { TrackDetectionsArgs } from "../../read/loaders.ts";
import { parseNullableJson } from "./geo.ts";

/**
 * Resolves with the track that the stand-in names, or with the stand-in while the track has no header yet: the log or
 * the history may have what refers to it before.
 */
export async function lookUpTrack(
  standIn: Pick<ShownTrack, "trackId" | "dataSourceId" | "tag" | "startTime">,
  { loaders }: ApiContext,
): Promise<ShownTrack> {
  const { trackId, dataSourceId } = standIn;
  const unknown = { endTime: null, modelId: null, properties: null, metadata: null };
  return (await loaders.track({ trackId, dataSourceId })) ?? { ...standIn, ...unknown };
}

export const trackResolvers = {
  id: (track: ShownTrack) => track.trackId,
  dataSource: (track: ShownTrack, _args: unknown, context: ApiContext) =>
    context.catalog.get("dataSource", track.dataSourceId) ?? null,
  video: async ({ dataSourceId, startTime: at }: ShownTrack, _args: unknown, { loaders }: ApiContext) =>
    (await loaders.coveringVideo({ dataSourceId, from: at, to: at })) ?? null,
  finished: (track: ShownTrack) => track.endTime !== null,
  metadata: (track: ShownTrack) => parseNullableJson(track.metadata),
  detections: async (track: ShownTrack, args: TrackDetectionsArgs, context: ApiContext) => {
    if (args.first != null) checkFirst(args.first, context.maxFirst);
    if (args.first === 0) return [];
    const filter = readFilter(args.filter ?? null, context.filterLimits);
    // The list counts for each detection that shows it: many may share a track, whose detections are queried only once.
    return context.budget.take(await context.loaders.detections(track, { ...args, filter }));
  },
  zoneIntersections: async (track: ShownTrack, _args: unknown, context: ApiContext) =>
    context.budget.take(await context.loaders.intersections(track)),
  geofenceIntersections: async (track: ShownTrack, _args: unknown, context: ApiContext) =>
    context.budget.take(await context.loaders.geofenceIntersections(track)),
  deviceIds: (track: ShownTrack, _args: unknown, { catalog }: Pick<ApiContext, "catalog">) => [
    deviceIdOf(track.dataSourceId, catalog),
  ],
};
