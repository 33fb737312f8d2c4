import type { ClickHouseClient } from "@clickhouse/client";
import { detectionsPage } from "../../../projections/history/queries/detections.ts";
import { intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import { tracksPage } from "../../../projections/history/queries/tracks.ts";
import type { World } from "./world.ts";

export type Answers = Pick<World, "tracks" | "detections" | "intersections">;

const everything = { sort: [], first: 10_000 };

/** All rows, in the form that the queries return. */
export async function readEverything(client: ClickHouseClient): Promise<Answers> {
  const history = { client, dataSourceIds: () => [] };
  const [tracks, detections, intersections] = await Promise.all([
    tracksPage(history, { filter: {}, ...everything }),
    detectionsPage(history, { filter: {}, ...everything }),
    intersectionsPage(history, { filter: {}, ...everything }),
  ]);
  const nodes = <T>({ edges }: { edges: readonly { node: T }[] }) => edges.map(({ node }) => node);
  return { tracks: nodes(tracks), detections: nodes(detections), intersections: nodes(intersections) };
}

/** Sorted, to be compared. */
export function inOrder({ tracks, detections, intersections }: Answers): Answers {
  const by = <T>(items: readonly T[], key: (item: T) => string) =>
    [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return {
    tracks: by(tracks, ({ trackId }) => trackId),
    detections: by(detections, ({ trackId, timestamp }) => `${trackId}@${timestamp}`),
    intersections: by(intersections, ({ intersectionId }) => intersectionId),
  };
}
