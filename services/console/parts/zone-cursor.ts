import type { Point } from "../picture/view.ts";

/** The place of the next corner. */
export interface ZoneCursor {
  /** In pixels of the image. */
  at: Point | undefined;
  /** Keys moved it last, so the picture must show where it is. */
  isByKeys: boolean;
}
