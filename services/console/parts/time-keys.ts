// The keys of a time line. They work anywhere on the page of a camera, besides fields in which people write.

export interface TimeActions {
  readonly live: () => void;
  readonly togglePlay: () => void;
  readonly step: (isLater: boolean) => void;
}

/** Names of the keys, as buttons show them. */
export const TIME_KEYS = { live: "L", play: "Space", before: ",", after: "." } as const;

/** @returns whether the key belongs to the time line. */
export function timeKey(event: KeyboardEvent, { live, togglePlay, step }: TimeActions): boolean {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (!(target instanceof Element) || target.closest("input, select, textarea, [contenteditable]")) return false;
  // The space bar presses the button that has the focus.
  if (key === " " && target.closest("button, a, summary, [role=button]")) return false;
  const action = { l: live, L: live, " ": togglePlay, ",": () => step(false), ".": () => step(true) }[key];
  action?.();
  return action !== undefined;
}
