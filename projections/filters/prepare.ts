// Prepares a filter for the history with pauses, so that writing it as SQL afterwards takes a few milliseconds.
import type { FilterPointInput, GeoJSONPolygonInput } from "../../schemas/filters.ts";
import { shapeOfPolygon } from "./kinds/point.ts";
import { measureFilter } from "./read-filter.ts";
import type { Walk } from "./walk.ts";

/**
 * Cutting a polygon into pieces takes as long as this many tests: SHAPE_TESTS for its cells, and CORNER_TESTS for each
 * corner.
 */
const SHAPE_TESTS = 5_000;
const CORNER_TESTS = 60;
/** Writing a value, or ten characters of a text, takes as long as this many tests. */
const VALUE_TESTS = 4;

export async function prepareFilter(filter: object | null | undefined, walk: Walk): Promise<void> {
  if (filter == null) return;
  // The walk may pause after the whole filter, because checking a large one has taken long. It may also pause after
  // each polygon.
  const { values, characters } = measureFilter(filter);
  await walk([filter], VALUE_TESTS * (values + characters / 10), () => {});
  for (const polygon of polygonsOf(filter)) {
    const corners = polygon.coordinates.reduce((sum, ring) => sum + ring.length, 0);
    await walk([polygon], SHAPE_TESTS + corners * CORNER_TESTS, shapeOfPolygon);
  }
  await walk([filter], 1, () => {});
}

function* polygonsOf(filter: object): Generator<GeoJSONPolygonInput> {
  for (const [name, member] of Object.entries(filter)) {
    if (typeof member !== "object" || member === null) continue;
    if (name === "and" || name === "or") for (const each of member) yield* polygonsOf(each);
    else if (name === "not") yield* polygonsOf(member);
    else if (name === "position") {
      // The type is safe: GraphQL has checked the members of the filter.
      const { in: polygon }: FilterPointInput = member;
      if (polygon != null) yield polygon;
    }
  }
}
