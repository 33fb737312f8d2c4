// Every summary equals a computation that looks at all objects for every bucket, over a history with late, repeated and
// corrected events. SUMMARIES_SEED repeats a run, SUMMARIES=10000 is the long form.
import { beforeAll, test } from "vitest";
import { tagOf } from "../../../projections/catalog/tag.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import { detectionsSummary } from "../../../projections/summaries/detections.ts";
import { intersectionsSummary } from "../../../projections/summaries/intersections.ts";
import { tracksSummaryKind } from "../../../projections/summaries/tracks.ts";
import type {
  FilterDetectionsSummaryInput,
  FilterTracksSummaryInput,
  FilterZoneIntersectionSummaryInput,
} from "../../../schemas/graphql/inputs.ts";
import { createDatabase, type Database, fillInAnyOrder, setMerges } from "../history/database.ts";
import { every, lower, text, when } from "../history/matches.ts";
import { seeded, taggedNow, type World } from "../history/world.ts";
import { agree, seed } from "./agree.ts";
import {
  anySiteFilter,
  anySourceFilter,
  anySourceId,
  anyTagFilter,
  anyTagId,
  anyZoneId,
  nested,
  placeOf,
  sitePasses,
  sourcePasses,
  tagPasses,
} from "./any-questions.ts";
import { createLongWorld, createScene, nameOf } from "./scene.ts";

let database: Database;
let world: World;
const scene = createScene();

beforeAll(async () => {
  database = await createDatabase();
  world = createLongWorld(seed);
  // The store is as after crashes: nothing is merged, and everything is there twice.
  await setMerges(database, "STOP");
  await fillInAnyOrder(database, world, seeded(seed + 1), 3);
});

const tagIdOf = (tag: string) => (tag === "" ? null : tagOf(tag).id);
const one = (value: string | null): string[] => (value === null ? [] : [value]);

function placesOf(dataSourceId: string) {
  const { source, site, point } = placeOf(dataSourceId);
  return { source: one(source), site: one(site), point: one(point) };
}

const tagOfNone = (tag: string): string[] => (tag === "" ? [] : [lower(tag)]);

test("of tracks", { timeout: 600_000 }, async () => {
  await agree<FilterTracksSummaryInput, World["tracks"][number]>(
    { database, scene },
    {
      kind: tracksSummaryKind,
      subjects: world.tracks,
      anyFilter: (random) => ({
        ...(random() < 0.3 ? { tag: anyTagFilter(random) } : {}),
        ...(random() < 0.3 ? { dataSource: anySourceFilter(random) } : {}),
        ...(random() < 0.2 ? { site: anySiteFilter(random) } : {}),
        ...(random() < 0.1 ? { pointOfInterest: { id: { eq: "point-1" } } } : {}),
      }),
      passes: ({ tag, dataSourceId }, filter) =>
        when(filter.tag, (given) => tagPasses(tag, given)) &&
        when(filter.dataSource, (given) => sourcePasses(dataSourceId, given)) &&
        when(filter.site, (given) => sitePasses(dataSourceId, given)) &&
        when(filter.pointOfInterest, () => placeOf(dataSourceId).point === "point-1"),
      counted({ startTime, endTime, tag, dataSourceId }) {
        const { source, site, point } = placesOf(dataSourceId);
        const values = {
          TAG: tagOfNone(tag),
          DATA_SOURCE_ID: source,
          DATA_SOURCE_SITE: site,
          DATA_SOURCE_POINT_OF_INTEREST: point,
        };
        return { start: startTime, end: endTime, values };
      },
    },
  );
});

test("of zone intersections", { timeout: 600_000 }, async () => {
  await agree<FilterZoneIntersectionSummaryInput, World["intersections"][number]>(
    { database, scene },
    {
      kind: intersectionsSummary,
      subjects: taggedNow(world),
      anyFilter: (random) =>
        nested<FilterZoneIntersectionSummaryInput>(random, () => ({
          ...(random() < 0.3 ? { zoneId: anyZoneId(random) } : {}),
          ...(random() < 0.2 ? { classId: anyTagId(random) } : {}),
          ...(random() < 0.2 ? { dataSourceId: anySourceId(random) } : {}),
        })),
      passes: function passes(record, filter): boolean {
        return every(
          filter,
          [
            when(filter.zoneId, (given) => text(record.zoneId, given)),
            when(filter.classId, (given) => text(tagIdOf(record.tag), given)),
            when(filter.dataSourceId, (given) => text(record.dataSourceId, given)),
          ],
          (inner) => passes(record, inner),
        );
      },
      counted: ({ startTime, endTime, zoneId, tag, dataSourceId }) => ({
        start: startTime,
        end: endTime,
        values: { ZONE_NAME: [nameOf(zoneId)], TAG: tagOfNone(tag), DATA_SOURCE: placesOf(dataSourceId).source },
      }),
    },
  );
});

test("of detections", { timeout: 600_000 }, async () => {
  const tags = new Map(world.tracks.map((track) => [trackKeyOf(track), track.tag]));
  const tagOfTrack = (detection: World["detections"][number]) => tags.get(trackKeyOf(detection)) ?? "";
  await agree<FilterDetectionsSummaryInput, World["detections"][number]>(
    { database, scene },
    {
      kind: detectionsSummary,
      areInstants: true,
      subjects: world.detections,
      anyFilter: (random) =>
        nested<FilterDetectionsSummaryInput>(random, () => ({
          ...(random() < 0.2 ? { tag: anyTagFilter(random) } : {}),
          ...(random() < 0.2 ? { dataSource: anySourceFilter(random) } : {}),
          ...(random() < 0.2 ? { site: anySiteFilter(random) } : {}),
        })),
      passes: function passes(detection, filter): boolean {
        return every(
          filter,
          [
            when(filter.tag, (given) => tagPasses(tagOfTrack(detection), given)),
            when(filter.dataSource, (given) => sourcePasses(detection.dataSourceId, given)),
            when(filter.site, (given) => sitePasses(detection.dataSourceId, given)),
          ],
          (inner) => passes(detection, inner),
        );
      },
      counted(detection) {
        const { source, site } = placesOf(detection.dataSourceId);
        return {
          start: detection.timestamp,
          end: null,
          values: { TAG: tagOfNone(tagOfTrack(detection)), DATA_SOURCE_ID: source, SITE: site },
        };
      },
    },
  );
});
