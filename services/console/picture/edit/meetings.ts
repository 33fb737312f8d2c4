// Finds the places where edges of a boundary meet, to show them.
import { orient2d } from "robust-predicates";
import type { Point, Ring } from "../view.ts";

export interface Meeting {
  readonly at: Point;
  readonly edges: readonly Segment[];
}

export interface Segment {
  readonly from: Point;
  readonly to: Point;
}

interface Edge extends Segment {
  readonly ring: number;
  readonly index: number;
  /** Index of the edge that begins where this one ends; -1 when there is none. */
  readonly next: number;
}

/** More would only hide the picture. */
const MOST_SHOWN = 20;

/**
 * Returns the edges that share more than the corner at which one follows the other. The rings have no closing points.
 * @param isOpen whether no edge joins the last corner of the first ring to its first.
 */
export function meetingsOf(rings: readonly Ring[], isOpen: boolean): readonly Meeting[] {
  const edges = rings.flatMap((ring, i) => edgesOfRing(ring, i, isOpen && i === 0));
  edges.sort((a, b) => leftOf(a) - leftOf(b));
  const found: Meeting[] = [];
  for (const [i, a] of edges.entries()) {
    for (let j = i + 1; j < edges.length; j++) {
      const b = edges[j];
      // No later edge reaches so far to the left.
      if (b === undefined || leftOf(b) > rightOf(a)) break;
      const at = meetingOf(a, b);
      if (at !== undefined) found.push({ at, edges: [a, b] });
      if (found.length === MOST_SHOWN) return found;
    }
  }
  return found;
}

/** A point that is repeated in a row counts once. */
function edgesOfRing(ring: Ring, number: number, isOpen: boolean): Edge[] {
  const points = ring.filter((point, i) => !isSame(point, i === 0 && !isOpen ? ring.at(-1) : ring[i - 1]));
  const count = isOpen ? points.length - 1 : points.length;
  return points.slice(0, Math.max(0, count)).map((from, index) => {
    const next = index + 1 < count ? index + 1 : isOpen ? -1 : 0;
    return { ring: number, index, next, from, to: points[(index + 1) % points.length] ?? from };
  });
}

function meetingOf(a: Edge, b: Edge): Point | undefined {
  if (a.ring === b.ring && a.next === b.index) return runBack(a, b);
  if (a.ring === b.ring && b.next === a.index) return runBack(b, a);
  return crossingOf(a, b);
}

/** Edges that follow one another meet again only when the second runs back over the first. */
function runBack({ from, to: corner }: Edge, { to }: Edge): Point | undefined {
  const isAhead = (corner[0] - from[0]) * (to[0] - corner[0]) + (corner[1] - from[1]) * (to[1] - corner[1]) > 0;
  return side(from, corner, to) === 0 && !isAhead ? corner : undefined;
}

function crossingOf({ from: a, to: b }: Edge, { from: c, to: d }: Edge): Point | undefined {
  const [sideOfC, sideOfD] = [side(a, b, c), side(a, b, d)];
  const [sideOfA, sideOfB] = [side(c, d, a), side(c, d, b)];
  for (const [point, onLine, from, to] of [
    [c, sideOfC, a, b],
    [d, sideOfD, a, b],
    [a, sideOfA, c, d],
    [b, sideOfB, c, d],
  ] as const) {
    if (onLine === 0 && isBetween(point, from, to)) return point;
  }
  if (sideOfC * sideOfD >= 0 || sideOfA * sideOfB >= 0) return undefined;
  const part = sideOfC / (sideOfC - sideOfD);
  return [c[0] + part * (d[0] - c[0]), c[1] + part * (d[1] - c[1])];
}

/** The sign is exact: it is 0 only for points on one line. */
const side = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number => orient2d(ax, ay, bx, by, cx, cy);

/** The point is on the line through both ends. */
const isBetween = ([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): boolean =>
  Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);

const isSame = ([x, y]: Point, other: Point | undefined): boolean => x === other?.[0] && y === other[1];

const leftOf = ({ from, to }: Segment): number => Math.min(from[0], to[0]);
const rightOf = ({ from, to }: Segment): number => Math.max(from[0], to[0]);
