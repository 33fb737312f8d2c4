// The corner, edge or inside of a zone under a pointer. Distances are in CSS pixels, so they do not depend on the zoom.
import { isInRings } from "../rings.ts";
import { type Point, toImage, toScreen, type View } from "../view.ts";
import type { Corner, ZoneDraft } from "./draft.ts";

export interface Reach {
  /** From a corner or from the handle in the middle of an edge. */
  readonly handle: number;
  readonly edge: number;
}

/** A finger's target is 44 pixels wide (WCAG 2.5.5). */
export const reachOf = (pointerType: string): Reach =>
  pointerType === "mouse" ? { handle: 10, edge: 6 } : { handle: 22, edge: 10 };

export type EditHit =
  | { readonly on: "corner"; readonly corner: Corner }
  /** `at` is the nearest point of the edge, in pixels of the image. */
  | { readonly on: "edge"; readonly after: Corner; readonly at: Point }
  | { readonly on: "inside" }
  | { readonly on: "nothing" };

/** Edges shorter than this on the screen show no handle: it would hide the corners. */
export const SHORTEST_WITH_HANDLE = 48;

/** @param at a point of the canvas. */
export function editHitOf(draft: ZoneDraft, view: View, at: Point, reach: Reach): EditHit {
  const corner = nearest(cornersOf(draft), ({ point }) => distance(toScreen(view, point), at), reach.handle);
  if (corner !== undefined) return { on: "corner", corner: corner.corner };
  const edge =
    nearest(handlesOf(draft, view), ({ middle }) => distance(middle, at), reach.handle) ??
    nearest(edgesOf(draft, view), ({ from, to }) => distance(nearestOnEdge(from, to, at), at), reach.edge);
  if (edge !== undefined) {
    return { on: "edge", after: edge.after, at: toImage(view, nearestOnEdge(edge.from, edge.to, at)) };
  }
  return !draft.isOpen && isInRings(draft.rings, toImage(view, at)) ? { on: "inside" } : { on: "nothing" };
}

export interface ScreenEdge {
  readonly after: Corner;
  readonly from: Point;
  readonly to: Point;
}

/** The edges as they lie on the canvas; an exterior that is being drawn has none from its last corner to its first. */
export const edgesOf = ({ rings, isOpen }: ZoneDraft, view: View): readonly ScreenEdge[] =>
  rings.flatMap((points, ring) => {
    const places = points.map((point) => toScreen(view, point));
    const count = isOpen && ring === 0 ? places.length - 1 : places.length;
    return places.slice(0, Math.max(0, count)).map((from, index) => {
      const to = places[(index + 1) % places.length] ?? from;
      return { after: { ring, index }, from, to };
    });
  });

/** The edges that show a handle in their middle, at which a new corner can be pulled out. */
export const handlesOf = (draft: ZoneDraft, view: View): readonly (ScreenEdge & { readonly middle: Point })[] =>
  edgesOf(draft, view)
    .filter(({ from, to }) => distance(from, to) >= SHORTEST_WITH_HANDLE)
    .map((edge) => ({ ...edge, middle: middleOf(edge.from, edge.to) }));

const cornersOf = ({ rings }: ZoneDraft) =>
  rings.flatMap((points, ring) => points.map((point, index) => ({ corner: { ring, index }, point })));

function nearestOnEdge([fromX, fromY]: Point, [toX, toY]: Point, [x, y]: Point): Point {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : ((x - fromX) * dx + (y - fromY) * dy) / squared;
  const part = Math.min(1, Math.max(0, along));
  return [fromX + part * dx, fromY + part * dy];
}

const middleOf = ([x, y]: Point, [toX, toY]: Point): Point => [(x + toX) / 2, (y + toY) / 2];

const distance = ([x, y]: Point, [toX, toY]: Point): number => Math.hypot(toX - x, toY - y);

/** @returns undefined when all are further away than `within`. */
function nearest<Thing>(things: readonly Thing[], away: (thing: Thing) => number, within: number): Thing | undefined {
  let found: Thing | undefined;
  let least = within;
  for (const thing of things) {
    const far = away(thing);
    if (far > least || (far === least && found !== undefined)) continue;
    [found, least] = [thing, far];
  }
  return found;
}
