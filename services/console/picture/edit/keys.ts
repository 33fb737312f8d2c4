// The keys by which a zone is drawn and changed without a pointer.
import type { Point } from "../view.ts";

export type KeyCommand =
  | { readonly do: "go"; readonly way: Point; readonly pace: "fine" | "usual" | "large" }
  | { readonly do: "enter" | "erase" | "insert" | "next" | "previous" | "finish" | "escape" | "undo" | "redo" };

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const WAYS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Tab stays with the browser, so that nobody is caught in the picture. */
const COMMANDS: Readonly<Record<string, Exclude<KeyCommand["do"], "go">>> = {
  enter: "enter",
  backspace: "erase",
  delete: "erase",
  insert: "insert",
  i: "insert",
  n: "next",
  p: "previous",
  f: "finish",
  escape: "escape",
};

/** For people, in the order of use. */
export const KEY_HELP: readonly (readonly [keys: string, effect: string])[] = [
  ["Arrows", "move the cursor, the chosen corner, or the zone (with Shift further, with Alt by one pixel)"],
  ["Enter", "adds a corner at the cursor; once more at the same place, or F, finishes; then it saves"],
  ["Backspace", "removes the last or the chosen corner"],
  ["N, P", "choose the next or the previous corner"],
  ["I", "inserts a corner after the chosen one"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["Esc", "gives up the choice, then the zone"],
];

/** @returns undefined for a key that means nothing here. */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress): KeyCommand | undefined {
  const way = WAYS[key];
  const letter = key.toLowerCase();
  if (ctrlKey || metaKey) {
    if (letter === "z") return { do: shiftKey ? "redo" : "undo" };
    return letter === "y" ? { do: "redo" } : undefined;
  }
  if (way !== undefined) return { do: "go", way, pace: shiftKey ? "large" : altKey ? "fine" : "usual" };
  const command = altKey ? undefined : COMMANDS[letter];
  return command === undefined ? undefined : { do: command };
}

/** CSS pixels. */
const PACES = { fine: 0, usual: 5, large: 50 } as const;

/**
 * @param scale pixels of the screen for one of the image.
 * @param step the smallest distance, in pixels of the image.
 */
export function strideOf(pace: keyof typeof PACES, scale: number, step: number): number {
  return Math.max(step, Math.round(PACES[pace] / scale / step) * step);
}
