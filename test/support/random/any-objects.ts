// Random objects for the filters of any-filters.ts.
import type { DetectionSubject } from "../../../projections/filters/detections.ts";
import type { OfDataSource } from "../../../projections/filters/of-data-source.ts";
import type { TrackSubject } from "../../../projections/filters/tracks.ts";
import type { GeofenceIntersectionRecord, IntersectionRecord } from "../../../projections/history/queries/records.ts";
import type { Detection, GeoPosition, TrackProperties } from "../../../schemas/events.ts";
import { pick, type Random } from "../../integration/history/world.ts";
import { SQUARE } from "../scenes/zone.ts";
import { any, chance } from "./any-values.ts";

/** The last of any.sources is not among them. */
export const dataSources = new Map(
  any.sources.slice(0, 3).map((dataSourceId, i): [string, NonNullable<OfDataSource["dataSource"]>] => [
    dataSourceId,
    {
      type: i === 0 ? "VIDEO_DEVICE" : "FOLDER",
      labels: [["north"], ["south", "north"], null][i] ?? null,
      deviceId: dataSourceId,
      siteId: [any.sites[0], any.sites[1], null][i] ?? null,
      pointOfInterestId: i === 0 ? any.points[0] : null,
    },
  ]),
);

export const anyPosition = (random: Random): GeoPosition | null =>
  chance(random, 0.6) ? { longitude: any.place(random), latitude: any.place(random), altitude: null, crs: null } : null;

function anyProperties(random: Random): TrackProperties | null {
  const property = () => ({ type: pick(random, any.types), value: pick(random, any.words) });
  if (chance(random, 0.2)) return null;
  return {
    identifier: chance(random, 0.6) ? property() : null,
    attributes: chance(random, 0.7) ? Array.from({ length: Math.floor(random() * 3) }, property) : null,
  };
}

const ofSource = (dataSourceId: string) => ({ dataSourceId, dataSource: dataSources.get(dataSourceId) ?? null });

export function anyTrack(random: Random, trackId: string): TrackSubject & { readonly places: GeoPosition[] } {
  const places = Array.from({ length: Math.floor(random() * 3) }, () => anyPosition(random)).filter(
    (place) => place !== null,
  );
  const before = places.flatMap(({ longitude, latitude }) => [longitude, latitude]);
  const startTime = any.time(random);
  return {
    trackId,
    ...ofSource(pick(random, any.sources)),
    tag: pick(random, any.words),
    seen: { seen: { since: 0, before, pairs: [], first: 0 }, count: 0 },
    places,
    properties: anyProperties(random),
    modelId: chance(random, 0.6) ? pick(random, any.words) : null,
    startTime,
    endTime: chance(random, 0.5) ? startTime + Math.floor(random() * 50) * 100 : null,
  };
}

type Stay = Omit<IntersectionRecord, "intersectionId" | "zoneId">;

export const anyIntersection = (random: Random, intersectionId: string, track: TrackSubject): IntersectionRecord => ({
  ...{ ...anyStay(random, track), intersectionId, zoneId: pick(random, any.zones) },
});

export const anyGeofenceIntersection = (
  random: Random,
  intersectionId: string,
  track: TrackSubject,
): GeofenceIntersectionRecord => ({
  ...{ ...anyStay(random, track), intersectionId, geofenceId: pick(random, any.geofences) },
});

function anyStay(random: Random, track: TrackSubject): Stay {
  const startTime = any.time(random);
  const lastInside = startTime + Math.floor(random() * 20) * 100;
  return {
    trackId: track.trackId,
    dataSourceId: track.dataSourceId,
    tag: pick(random, any.words),
    startTime,
    endTime: chance(random, 0.8) ? lastInside + 100 : null,
    lastInside,
  };
}

/**
 * `timestamp` distinguishes the detections of a track. A detection without a polygon is in no zone, one without a
 * position in no geofence.
 */
export function anyDetection(
  random: Random,
  track: TrackSubject,
  timestamp: number,
  intersections: readonly IntersectionRecord[],
  geofenceIntersections: readonly GeofenceIntersectionRecord[],
): DetectionSubject & Pick<Detection, "polygon"> {
  const isRunning = ({ startTime, endTime, lastInside }: Stay): boolean =>
    startTime <= timestamp && (endTime === null || timestamp <= lastInside);
  const polygon = chance(random, 0.6) ? { rings: [SQUARE], crs: null } : null;
  const position = anyPosition(random);
  return {
    trackId: track.trackId,
    ...ofSource(track.dataSourceId),
    tag: track.tag,
    timestamp,
    polygon,
    position,
    zoneIds: polygon === null ? [] : intersections.filter(isRunning).map(({ zoneId }) => zoneId),
    geofenceIds: position === null ? [] : geofenceIntersections.filter(isRunning).map(({ geofenceId }) => geofenceId),
  };
}
