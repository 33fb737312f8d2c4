import { expect, test } from "vitest";
import { detectionsPage } from "../../../projections/history/queries/detections.ts";
import { intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import { tracksByIds, tracksPage } from "../../../projections/history/queries/tracks.ts";
import { createDatabase, type Database, fillInAnyOrder, mergeAll } from "./database.ts";
import { createWorld, seeded, type World } from "./world.ts";

const everything = { sort: [], first: 10_000 };

async function readAll({ client }: Database): Promise<Pick<World, "tracks" | "detections" | "intersections">> {
  const history = { client, dataSourceIds: () => [] };
  const [tracks, detections, intersections] = await Promise.all([
    tracksPage(history, { filter: {}, ...everything }),
    detectionsPage(history, { filter: {}, ...everything }),
    intersectionsPage(history, { filter: {}, ...everything }),
  ]);
  const nodes = <T>({ edges }: { edges: readonly { node: T }[] }) => edges.map(({ node }) => node);
  return { tracks: nodes(tracks), detections: nodes(detections), intersections: nodes(intersections) };
}

function inOrder({ tracks, detections, intersections }: Pick<World, "tracks" | "detections" | "intersections">) {
  const by = <T>(items: readonly T[], key: (item: T) => string) =>
    [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return {
    tracks: by(tracks, ({ trackId }) => trackId),
    detections: by(detections, ({ trackId, timestamp }) => `${trackId}@${timestamp}`),
    intersections: by(intersections, ({ intersectionId }) => intersectionId),
  };
}

for (const seed of [1, 2, 3]) {
  test(`rows in any order and every row twice answer like the log in order (seed ${seed})`, async () => {
    const world = createWorld(seed);
    const database = await createDatabase();
    await database.client.command({ query: "SYSTEM STOP MERGES" });
    await fillInAnyOrder(database, world, seeded(seed + 100));

    expect(inOrder(await readAll(database))).toEqual(inOrder(world));

    await database.client.command({ query: "SYSTEM START MERGES" });
    await mergeAll(database);
    expect(inOrder(await readAll(database))).toEqual(inOrder(world));
    expect(await tracksByIds(database.client, ["track-0-0", "unknown"])).toEqual(
      world.tracks.filter(({ trackId }) => trackId === "track-0-0"),
    );
  });
}
