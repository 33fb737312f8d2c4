// The boundary of a zone while somebody draws or changes it, with the steps that can be taken back. Pure: an action
// makes a new state.
import type { Point, Ring } from "../view.ts";

export interface ZoneDraft {
  /** Without closing points. The first ring is the exterior, later ones are holes. */
  readonly rings: readonly Ring[];
  /** Whether the exterior is still being drawn: nothing joins its last corner to its first. */
  readonly isOpen: boolean;
}

/** The place of a corner, also of the edge that begins there. */
export interface Corner {
  readonly ring: number;
  readonly index: number;
}

export interface Editing {
  readonly draft: ZoneDraft;
  readonly chosen: Corner | undefined;
  /** Oldest first. */
  readonly past: readonly ZoneDraft[];
  /** Drafts that were taken back, the last one first. */
  readonly future: readonly ZoneDraft[];
  /** The gesture of the last change. */
  readonly gesture: number | undefined;
}

/** All changes of one gesture, such as a drag, are one step. */
interface Gesture {
  readonly gesture?: number | undefined;
}

export type EditAction =
  | ({ readonly type: "add"; readonly at: Point } & Gesture)
  | { readonly type: "finish" }
  | ({ readonly type: "insert"; readonly after: Corner; readonly at: Point } & Gesture)
  | ({ readonly type: "move"; readonly corner: Corner; readonly to: Point } & Gesture)
  | ({ readonly type: "shift"; readonly by: Point } & Gesture)
  /** Without a hole's third corner the hole is gone; the exterior keeps three. */
  | { readonly type: "remove"; readonly corner: Corner }
  | { readonly type: "replace"; readonly draft: ZoneDraft }
  | { readonly type: "choose"; readonly corner: Corner | undefined }
  | { readonly type: "undo" }
  | { readonly type: "redo" };

export const FEWEST_CORNERS = 3;
/** Steps share their unchanged rings, so a step costs one ring at most. */
const MOST_STEPS = 500;

export const beginEditing = (draft: ZoneDraft): Editing => ({
  draft,
  chosen: undefined,
  past: [],
  future: [],
  gesture: undefined,
});

export const NEW_DRAFT: ZoneDraft = { rings: [[]], isOpen: true };

export const cornerOf = ({ rings }: ZoneDraft, { ring, index }: Corner): Point | undefined => rings[ring]?.[index];

/** The corner `by` places further in the order of the rings. Without a corner, the first or the last. */
export function cornerBeside({ rings }: ZoneDraft, corner: Corner | undefined, by: 1 | -1): Corner | undefined {
  const all = rings.flatMap((points, ring) => points.map((_, index) => ({ ring, index })));
  if (corner === undefined) return all.at(by === 1 ? 0 : -1);
  const place = all.findIndex(({ ring, index }) => ring === corner.ring && index === corner.index);
  return all[(place + by + all.length) % all.length];
}

export function edit(state: Editing, action: EditAction): Editing {
  const { draft, past, future } = state;
  switch (action.type) {
    case "choose":
      return { ...state, chosen: action.corner };
    case "undo": {
      const before = past.at(-1);
      if (before === undefined) return state;
      return shown(state, before, past.slice(0, -1), [draft, ...future]);
    }
    case "redo": {
      const [next, ...later] = future;
      if (next === undefined) return state;
      return shown(state, next, [...past, draft], later);
    }
    default: {
      const next = changed(draft, action);
      if (next === undefined) return state;
      const gesture = "gesture" in action ? action.gesture : undefined;
      const goesOn = gesture !== undefined && gesture === state.gesture;
      const steps = goesOn ? past : [...past, draft].slice(-MOST_STEPS);
      return { draft: next, chosen: chosenAfter(state, next, action), past: steps, future: [], gesture };
    }
  }
}

const shown = (
  { chosen }: Editing,
  draft: ZoneDraft,
  past: readonly ZoneDraft[],
  future: readonly ZoneDraft[],
): Editing => ({ draft, chosen: remaining(draft, chosen), past, future, gesture: undefined });

type Change = Exclude<EditAction, { readonly type: "choose" | "undo" | "redo" }>;

/** @returns undefined when the action changes nothing. */
function changed(draft: ZoneDraft, action: Change): ZoneDraft | undefined {
  const { rings, isOpen } = draft;
  switch (action.type) {
    case "add":
      return isOpen ? { ...draft, rings: rings.with(0, [...(rings[0] ?? []), action.at]) } : undefined;
    case "finish":
      return isOpen && (rings[0]?.length ?? 0) >= FEWEST_CORNERS ? { ...draft, isOpen: false } : undefined;
    case "insert": {
      const { ring, index } = action.after;
      return withRing(draft, ring, (points) => points.toSpliced(index + 1, 0, action.at));
    }
    case "move": {
      const { corner, to } = action;
      const before = cornerOf(draft, corner);
      if (before === undefined || (before[0] === to[0] && before[1] === to[1])) return undefined;
      return withRing(draft, corner.ring, (points) => points.with(corner.index, to));
    }
    case "shift": {
      const [dx, dy] = action.by;
      if (dx === 0 && dy === 0) return undefined;
      return { ...draft, rings: rings.map((points) => points.map(([x, y]): Point => [x + dx, y + dy])) };
    }
    case "remove":
      return without(draft, action.corner);
    case "replace":
      return action.draft;
  }
}

const withRing = (draft: ZoneDraft, ring: number, change: (points: Ring) => Ring): ZoneDraft | undefined => {
  const points = draft.rings[ring];
  return points && { ...draft, rings: draft.rings.with(ring, change(points)) };
};

function without(draft: ZoneDraft, corner: Corner): ZoneDraft | undefined {
  const { ring, index } = corner;
  const points = draft.rings[ring];
  if (points === undefined || cornerOf(draft, corner) === undefined) return undefined;
  const isDrawn = draft.isOpen && ring === 0;
  if (isDrawn || points.length > FEWEST_CORNERS) return withRing(draft, ring, () => points.toSpliced(index, 1));
  return ring === 0 ? undefined : { ...draft, rings: draft.rings.toSpliced(ring, 1) };
}

function chosenAfter({ chosen }: Editing, draft: ZoneDraft, action: Change): Corner | undefined {
  switch (action.type) {
    case "add":
      return { ring: 0, index: (draft.rings[0]?.length ?? 0) - 1 };
    case "insert":
      return { ring: action.after.ring, index: action.after.index + 1 };
    case "move":
      return action.corner;
    case "remove":
      return remaining(draft, { ...action.corner, index: Math.max(0, action.corner.index - 1) });
    default:
      return remaining(draft, chosen);
  }
}

const remaining = (draft: ZoneDraft, corner: Corner | undefined): Corner | undefined =>
  corner !== undefined && cornerOf(draft, corner) !== undefined ? corner : undefined;
