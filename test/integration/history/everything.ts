import type { ClickHouseClient } from "@clickhouse/client";
import { detectionsPage } from "../../../projections/history/queries/detections.ts";
import { intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
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
    tracks: by(tracks, trackKeyOf),
    detections: by(detections, (detection) => `${trackKeyOf(detection)}@${detection.timestamp}`),
    intersections: by(intersections, ({ intersectionId }) => intersectionId),
  };
}

/** Rows of one side that the other lacks, each as text: a diff of thousands of rows would be cut off before them. */
export function differencesOf(actual: Answers, expected: Answers): Record<string, readonly string[]> {
  const kinds = ["tracks", "detections", "intersections"] as const;
  return Object.fromEntries(
    kinds.flatMap((kind) => [
      [`${kind} missing`, without(expected[kind].map(textOf), actual[kind].map(textOf))],
      [`${kind} too many`, without(actual[kind].map(textOf), expected[kind].map(textOf))],
    ]),
  );
}

/** Each text of `others` takes one away. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1);
  return texts.filter((text) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

/** Members in the order of their names. */
function textOf(row: object): string {
  return JSON.stringify(row, (_, value) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
