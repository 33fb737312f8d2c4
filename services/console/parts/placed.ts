// The place of an element in a range. The policy of the page allows no style in a template.
import { ref } from "lit-html/directives/ref.js";

/** Styles read the share as `--share`. */
export const setShare = (element: HTMLElement | undefined, share: number): void =>
  element?.style.setProperty("--share", String(share));

/** @param share 0 at the beginning of the range, 1 at its end. */
export const placed = (share: number) => ref((element) => setShare(element as HTMLElement | undefined, share));
