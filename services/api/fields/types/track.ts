import { readFilter } from "../../../../projections/filters/read-filter.ts";
import type { TrackRecord } from "../../../../projections/history/queries/records.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { checkFirst } from "../../read/first.ts";
import type { TrackDetectionsArgs } from "../../read/loaders.ts";
import { parseJson } from "./geo.ts";

/** A track as mutations know it, or as the history does. */
export type TrackSource = Omit<TrackRecord, "firstDetectionAt" | "lastDetectionAt"> &
  Partial<Pick<TrackRecord, "firstDetectionAt" | "lastDetectionAt">>;

export const Track = {
  id: (track: TrackSource) => track.trackId,
  dataSource: (track: TrackSource, _args: unknown, context: ApiContext) =>
    context.catalog.dataSource(track.dataSourceId) ?? null,
  video: () => null,
  finished: (track: TrackSource) => track.endTime !== null,
  metadata: (track: TrackSource) => parseJson(track.metadata),
  detections: (track: TrackSource, args: TrackDetectionsArgs, context: ApiContext) => {
    if (args.first != null) checkFirst(args.first, context.maxFirst);
    if (args.first === 0) return [];
    const filter = readFilter(args.filter ?? null, context.filterLimits);
    return context.loaders.detections(track, { ...args, filter });
  },
  zoneIntersections: (track: TrackSource, _args: unknown, context: ApiContext) =>
    context.loaders.intersections(track.trackId),
  geofenceIntersections: () => [],
  deviceIds: (track: TrackSource) => [track.dataSourceId],
};
