// Paints the zone that is edited: its lines and handles, what is wrong with it, and another person's version of it.
import type { Layer } from "../picture.ts";
import { type Point, type Ring, toScreen, type View } from "../view.ts";
import { cornerOf, type Editing, type ZoneDraft } from "./draft.ts";
import type { DraftFlaw } from "./flaws.ts";
import { handlesOf } from "./hit.ts";

export interface EditLook {
  readonly editing: Editing;
  /** The place of the next corner, in pixels of the image. */
  readonly next: Point | undefined;
  /** Whether keys move the cursor, so that it is shown. */
  readonly hasCursor: boolean;
  readonly flaw: DraftFlaw | undefined;
  /** The boundary that somebody else has saved meanwhile. */
  readonly theirs: readonly Ring[] | undefined;
}

/** Each line has a light rim, so it is seen on every picture; shapes tell apart what colours do. */
const MINE = "#0b5cad";
const THEIRS = "#9a3b00";
const WRONG = "#c5221f";
const RIM = "rgb(255 255 255 / 0.85)";
const CORNER = 5;
const CHOSEN = 7;
const HANDLE = 4;
/** The cursor of the keys has no pointer beside it, so it is larger than what it places. */
const CURSOR = 24;
const CURSOR_RING = 9;

/** @param look is called at each painting. */
export const editLayer =
  (look: () => EditLook | undefined): Layer =>
  (context, view) => {
    const shown = look();
    if (shown === undefined) return;
    context.lineJoin = "round";
    if (shown.theirs !== undefined) paintTheirs(context, view, shown.theirs);
    paintArea(context, view, shown);
    for (const { from, to } of shown.flaw?.edges ?? []) {
      context.beginPath();
      line(context, [toScreen(view, from), toScreen(view, to)]);
      rimmed(context, WRONG, 3);
    }
    paintHandles(context, view, shown.editing);
    for (const place of shown.flaw?.places ?? []) paintMark(context, toScreen(view, place));
    if (shown.hasCursor && shown.next !== undefined) paintCursor(context, toScreen(view, shown.next));
  };

function paintTheirs(context: CanvasRenderingContext2D, view: View, rings: readonly Ring[]): void {
  context.setLineDash([7, 5]);
  context.beginPath();
  for (const ring of rings) closedPath(context, view, ring);
  rimmed(context, THEIRS, 2);
  context.setLineDash([]);
}

function paintArea(context: CanvasRenderingContext2D, view: View, { editing: { draft }, next }: EditLook): void {
  context.beginPath();
  for (const [i, ring] of draft.rings.entries()) {
    if (draft.isOpen && i === 0)
      line(
        context,
        ring.map((point) => toScreen(view, point)),
      );
    else closedPath(context, view, ring);
  }
  context.globalAlpha = 0.18;
  context.fillStyle = MINE;
  context.fill("evenodd");
  context.globalAlpha = 1;
  rimmed(context, MINE, 2);
  const last = draft.rings[0]?.at(-1);
  if (!draft.isOpen || last === undefined || next === undefined) return;
  context.beginPath();
  context.setLineDash([3, 4]);
  line(context, [toScreen(view, last), toScreen(view, next)]);
  rimmed(context, MINE, 1.5);
  context.setLineDash([]);
}

function paintHandles(context: CanvasRenderingContext2D, view: View, { draft, chosen }: Editing): void {
  const handles = draft.isOpen ? [] : handlesOf(draft, view);
  for (const { middle } of handles) disc(context, middle, HANDLE, RIM, MINE);
  for (const point of draft.rings.flat()) square(context, toScreen(view, point), CORNER, RIM);
  const place = chosen && cornerOf(draft, chosen);
  if (place !== undefined) square(context, toScreen(view, place), CHOSEN, MINE);
  paintStart(context, view, draft);
}

/** A ring around the first corner says that the drawing ends there. */
function paintStart(
  context: CanvasRenderingContext2D,
  view: View,
  { rings: [exterior = []], isOpen }: ZoneDraft,
): void {
  const [first] = exterior;
  if (isOpen && first !== undefined && exterior.length > 2) disc(context, toScreen(view, first), 11, undefined, MINE);
}

function paintMark(context: CanvasRenderingContext2D, [x, y]: Point): void {
  context.beginPath();
  line(context, [
    [x - 6, y - 6],
    [x + 6, y + 6],
  ]);
  line(context, [
    [x - 6, y + 6],
    [x + 6, y - 6],
  ]);
  rimmed(context, WRONG, 3);
  disc(context, [x, y], 12, undefined, WRONG);
}

function paintCursor(context: CanvasRenderingContext2D, [x, y]: Point): void {
  context.beginPath();
  line(context, [
    [x - CURSOR, y],
    [x + CURSOR, y],
  ]);
  line(context, [
    [x, y - CURSOR],
    [x, y + CURSOR],
  ]);
  context.moveTo(x + CURSOR_RING, y);
  context.arc(x, y, CURSOR_RING, 0, 2 * Math.PI);
  rimmed(context, MINE, 3);
}

function closedPath(context: CanvasRenderingContext2D, view: View, ring: Ring): void {
  line(
    context,
    ring.map((point) => toScreen(view, point)),
  );
  context.closePath();
}

function line(context: CanvasRenderingContext2D, points: readonly Point[]): void {
  for (const [i, [x, y]] of points.entries()) {
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
}

function square(context: CanvasRenderingContext2D, [x, y]: Point, half: number, fill: string): void {
  context.beginPath();
  context.rect(x - half, y - half, 2 * half, 2 * half);
  context.fillStyle = fill;
  context.fill();
  rimmed(context, MINE, 2);
}

function disc(
  context: CanvasRenderingContext2D,
  [x, y]: Point,
  radius: number,
  fill: string | undefined,
  stroke: string,
): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  if (fill !== undefined) {
    context.fillStyle = fill;
    context.fill();
  }
  rimmed(context, stroke, 1.5);
}

function rimmed(context: CanvasRenderingContext2D, colour: string, width: number): void {
  context.strokeStyle = RIM;
  context.lineWidth = width + 2;
  context.stroke();
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}
