// Turns presses, moves and releases of a pointer into changes of a boundary. Pure: the caller keeps the state.
import type { Point, View } from "../view.ts";
import { type Corner, cornerOf, type EditAction, type Editing, FEWEST_CORNERS } from "./draft.ts";
import { editHitOf, reachOf } from "./hit.ts";

export interface PointerPlace {
  /** On the canvas, in CSS pixels. */
  readonly screen: Point;
  /** In the image, rounded. */
  readonly image: Point;
  /** `pointerType` of the event: mouse, touch or pen. */
  readonly kind: string;
}

/** A pointer that is down on something that it may drag. */
export interface Press {
  readonly from: PointerPlace;
  readonly gesture: number;
  readonly hasMoved: boolean;
  /** Place of the pointer at the last change, in the image. */
  readonly last: Point;
  /** The corner that is dragged, and its place when the press began; the whole zone without it. */
  readonly corner: Corner | undefined;
  readonly cornerFrom: Point | undefined;
  /** Whether a release without a move finishes the drawing. */
  readonly finishes: boolean;
}

/** `press` is undefined when the pointer does not drag anything of the zone. */
export interface PointerOutcome {
  readonly press: Press | undefined;
  readonly actions: readonly EditAction[];
}

/** A hand is not still: a shorter way is no drag. */
const slopOf = (kind: string): number => (kind === "mouse" ? 3 : 8);

/** @param gesture differs from that of every other press. */
export function pressed(state: Editing, view: View, from: PointerPlace, gesture: number): PointerOutcome {
  const { draft } = state;
  const hit = editHitOf(draft, view, from.screen, reachOf(from.kind));
  const begun = { from, gesture, hasMoved: false, last: from.image, finishes: false };
  if (hit.on === "corner") {
    const { corner } = hit;
    const count = draft.rings[0]?.length ?? 0;
    const isEnd = corner.ring === 0 && (corner.index === 0 || corner.index === count - 1);
    const finishes = draft.isOpen && isEnd && count >= FEWEST_CORNERS;
    const press = { ...begun, finishes, corner, cornerFrom: cornerOf(draft, corner) };
    return { press, actions: [{ type: "choose", corner }] };
  }
  if (draft.isOpen) {
    const corner = { ring: 0, index: draft.rings[0]?.length ?? 0 };
    const press = { ...begun, corner, cornerFrom: from.image };
    return { press, actions: [{ type: "add", at: from.image, gesture }] };
  }
  if (hit.on === "edge") {
    const corner = { ring: hit.after.ring, index: hit.after.index + 1 };
    const press = { ...begun, corner, cornerFrom: from.image };
    return { press, actions: [{ type: "insert", after: hit.after, at: from.image, gesture }] };
  }
  const press = hit.on === "inside" ? { ...begun, corner: undefined, cornerFrom: undefined } : undefined;
  return { press, actions: [{ type: "choose", corner: undefined }] };
}

export function dragged(press: Press, to: PointerPlace): PointerOutcome {
  const { from, gesture, corner, cornerFrom, last } = press;
  const way = Math.hypot(to.screen[0] - from.screen[0], to.screen[1] - from.screen[1]);
  if (!press.hasMoved && way < slopOf(from.kind)) return { press, actions: [] };
  const moved = { ...press, hasMoved: true, last: to.image };
  if (corner === undefined || cornerFrom === undefined) {
    return { press: moved, actions: [{ type: "shift", by: minus(to.image, last), gesture }] };
  }
  // The pointer keeps its distance to the corner, which would jump otherwise.
  const [dx, dy] = minus(to.image, from.image);
  return { press: moved, actions: [{ type: "move", corner, to: [cornerFrom[0] + dx, cornerFrom[1] + dy], gesture }] };
}

export const released = ({ finishes, hasMoved }: Press): readonly EditAction[] =>
  finishes && !hasMoved ? [{ type: "finish" }] : [];

/** Takes back what the press did, for example when a second finger shows that the first began a zoom. */
export const givenUp = ({ gesture }: Press, state: Editing): readonly EditAction[] =>
  state.gesture === gesture ? [{ type: "undo" }] : [];

const minus = ([x, y]: Point, [byX, byY]: Point): Point => [x - byX, y - byY];
