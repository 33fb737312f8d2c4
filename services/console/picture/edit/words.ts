// Says in words what an action did, for people who do not see the picture.
import { type Corner, cornerOf, type EditAction, type Editing } from "./draft.ts";
import { pointText } from "./precision.ts";

/** @returns empty when there is nothing to say. */
export function wordsOf(action: EditAction, before: Editing, { draft, chosen }: Editing): string {
  switch (action.type) {
    case "choose":
      return chosen === undefined
        ? ""
        : `${cornerText(chosen)} of ${countAt(draft.rings, chosen)} at ${placeAt(chosen)}.`;
    case "undo":
      return before.past.length === 0 ? "Nothing to undo." : `Undone. ${draftText()}`;
    case "redo":
      return before.future.length === 0 ? "Nothing to redo." : `Redone. ${draftText()}`;
    case "add":
    case "insert":
    case "move":
      return chosen === undefined ? "" : `${cornerText(chosen)} at ${placeAt(chosen)}.`;
    case "shift":
      return `Zone moved. Its first corner is at ${placeAt({ ring: 0, index: 0 })}.`;
    case "remove":
      return draft === before.draft
        ? "A zone keeps three corners."
        : `${cornerText(action.corner)} removed. ${draftText()}`;
    case "finish":
      return draft.isOpen ? "A zone needs at least three corners." : `Boundary finished. ${draftText()}`;
    case "replace":
      return draftText();
  }

  function placeAt(corner: Corner): string {
    const point = cornerOf(draft, corner);
    return point === undefined ? "nowhere" : pointText(point);
  }

  function draftText(): string {
    const count = draft.rings.flat().length;
    return count === 1 ? "The zone has 1 corner." : `The zone has ${count} corners.`;
  }
}

const cornerText = ({ ring, index }: Corner): string =>
  ring === 0 ? `Corner ${index + 1}` : `Corner ${index + 1} of hole ${ring}`;

const countAt = (rings: readonly (readonly unknown[])[], { ring }: Corner): number => rings[ring]?.length ?? 0;
