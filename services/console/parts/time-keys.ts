// The keys of a time line. They are single letters, which people who speak to their computer press by accident. So they
// work only where the focus is on the time line, the picture, or nothing but the page.

export interface TimeActions {
  readonly live: () => void;
  readonly togglePlay: () => void;
  readonly step: (isLater: boolean) => void;
}

/** Names of the keys, as buttons show them. */
export const TIME_KEYS = { live: "L", play: "Space", before: ",", after: "." } as const;

/** Buttons that name such a key say where it works. */
export const WHERE_KEYS_WORK = "key while the time line, the picture or nothing else has the focus";

/** A new page has the focus on its heading. */
const PAGE = "#main, #main h1";
const PLACES = ".time-line, .camera-picture";

/** @returns whether the key belongs to the time line. */
export function timeKey(event: KeyboardEvent, { live, togglePlay, step }: TimeActions): boolean {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (!(target instanceof Element) || target.closest("input, select, textarea, [contenteditable]")) return false;
  if (target !== document.body && !target.matches(PAGE) && !target.closest(PLACES)) return false;
  // The space bar presses the button that has the focus.
  if (key === " " && target.closest("button, a, summary, [role=button]")) return false;
  const action = { l: live, L: live, " ": togglePlay, ",": () => step(false), ".": () => step(true) }[key];
  action?.();
  return action !== undefined;
}
