// Why the API would refuse a boundary, in words and with the places to show. The API's own rules decide
// (projections/geometry), so that nobody draws a zone to the end that is then refused.
import { enclosesNothing, flawOfRings } from "../../../../projections/geometry/rings.ts";
import { flawOfOutline } from "../../../../projections/geometry/self-intersection.ts";
import { limits } from "../../../../schemas/limits.ts";
import { isInRings } from "../rings.ts";
import type { Point, Ring } from "../view.ts";
import { FEWEST_CORNERS, type ZoneDraft } from "./draft.ts";
import { meetingsOf, type Segment } from "./meetings.ts";

export interface DraftFlaw {
  readonly text: string;
  readonly places: readonly Point[];
  readonly edges: readonly Segment[];
}

/** The default of MAX_ZONE_VERTICES. A server with another limit refuses in its own words. */
export const MOST_VERTICES = 10_000;

/** @returns undefined when the API accepts the boundary, or when further corners of an open draft can mend it. */
export function flawOfDraft(draft: ZoneDraft): DraftFlaw | undefined {
  const { rings, isOpen } = draft;
  return isOpen ? (flawOfSize(rings) ?? flawOfMeetings(rings, true)) : flawOfClosed(rings);
}

function flawOfClosed(rings: readonly Ring[]): DraftFlaw | undefined {
  const few = rings.find((ring) => ring.length < FEWEST_CORNERS);
  if (few !== undefined) return flaw("A zone needs at least three corners.", few);
  const flat = rings.map(flatRing);
  const flawed = flawOfSize(rings);
  if (flawed !== undefined) return flawed;
  const line = rings.find(isLine);
  if (line !== undefined) return flaw(NO_AREA, line);
  switch (flawOfOutline(flat)) {
    case "meets":
      return flawOfMeetings(rings, false) ?? flaw(`The zone is refused: ${flawOfRings(flat)}.`, []);
    case "nested":
      return flaw("A hole is outside of the zone, or in another hole.", strayHole(rings));
    default:
      return flat.some(enclosesNothing) ? flaw(NO_AREA, rings.flat()) : undefined;
  }
}

const NO_AREA = "The zone has no area: its corners lie on one line.";

/** A ring that crosses itself may have no area, too; then the crossing is what helps. */
const isLine = (ring: Ring): boolean =>
  ring.every((point, i) => enclosesNothing(flatRing([ring[0] ?? point, point, ring[i + 1] ?? point])));

function flawOfSize(rings: readonly Ring[]): DraftFlaw | undefined {
  const { maxCoordinate } = limits;
  const isFar = ([x, y]: Point) => !(Math.abs(x) <= maxCoordinate && Math.abs(y) <= maxCoordinate);
  const far = rings.flat().filter(isFar);
  if (far.length > 0) return flaw(`A corner is further away than ${maxCoordinate} pixels.`, far);
  // The API counts closing points, too.
  const count = rings.reduce((sum, ring) => sum + ring.length + 1, 0);
  return count > MOST_VERTICES ? flaw(`The zone has ${count} corners, ${MOST_VERTICES} are allowed.`, []) : undefined;
}

function flawOfMeetings(rings: readonly Ring[], isOpen: boolean): DraftFlaw | undefined {
  const meetings = meetingsOf(rings, isOpen);
  if (meetings.length === 0) return undefined;
  const text = "Lines of the zone cross or touch at the marks.";
  return { text, places: meetings.map(({ at }) => at), edges: meetings.flatMap(({ edges }) => edges) };
}

/** The first hole with a corner outside of the exterior or within another hole. */
const strayHole = ([exterior = [], ...holes]: readonly Ring[]): Ring =>
  holes.find((hole) => {
    const others = [exterior, ...holes.filter((other) => other !== hole)];
    return hole.some((corner) => !isInRings(others, corner));
  }) ?? [];

const flaw = (text: string, places: readonly Point[]): DraftFlaw => ({ text, places, edges: [] });

/** Closed and flat, as events have it. */
const flatRing = (ring: Ring): number[] => [...ring, ...ring.slice(0, 1)].flat();
