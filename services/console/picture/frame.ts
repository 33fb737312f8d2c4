// The size of an image that nobody has sent: the smallest usual one that holds what lies on it.
import { MINUTE_MS } from "../../../schemas/units.ts";
import { boxOf } from "./rings.ts";
import type { Scene } from "./scene.ts";
import type { Box, Point } from "./view.ts";

const USUAL: readonly Point[] = [
  [640, 480],
  [1280, 720],
  [1920, 1080],
  [2560, 1440],
  [3840, 2160],
  [7680, 4320],
];

/** The image that was sent, as far as its size goes. */
export interface ImageSize {
  readonly naturalWidth: number;
  readonly naturalHeight: number;
}

/**
 * For frames that are shown for days: a place where something was counts for so long at least, and for twice as long at
 * most. Time in which nobody is seen does not pass.
 */
export const HELD_MS = 5 * MINUTE_MS;
/** No image is as wide or as high, so an object farther away is a mistake of its sender. */
const FARTHEST = 16_384;
const NOTHING: Box = [0, 0, 0, 0];

/**
 * Grows at once, and shrinks late or never, so that the picture does not jump while objects move or a moment follows
 * another. Boxes of objects often reach over the edge of the image; their middles do not.
 */
export class Frame {
  readonly #heldMs: number;
  #image: Box | undefined;
  #box: Box = [0, 0, ...usualSize(0, 0)];
  /** Around what was seen in the period before, and of this one, which begins with the first object. */
  #before = NOTHING;
  #recent = NOTHING;
  #since: number | undefined;

  /** @param heldMs how long a place counts where something was. */
  constructor(heldMs = Number.POSITIVE_INFINITY) {
    this.#heldMs = heldMs;
  }

  /**
   * @param image decides alone, once there was one: a moment without an image has the size of the others.
   * @param nowMs of a clock that does not go back.
   * @returns whether the frame is another one now.
   */
  include(
    { zones, objects }: Pick<Scene, "zones" | "objects">,
    image?: ImageSize,
    nowMs: number = performance.now(),
  ): boolean {
    const last = this.#box.join();
    if (image !== undefined) this.#image = [0, 0, image.naturalWidth, image.naturalHeight];
    if (this.#image === undefined) {
      this.#hold(zones, objects, nowMs);
      const [left, top, right, bottom] = joined(this.#before, this.#recent);
      this.#box = [left, top, ...usualSize(right, bottom)];
    } else this.#box = this.#image;
    return this.#box.join() !== last;
  }

  get box(): Box {
    return this.#box;
  }

  #hold(zones: Scene["zones"], objects: Scene["objects"], nowMs: number): void {
    if (this.#since !== undefined && nowMs - this.#since > this.#heldMs) {
      this.#before = this.#recent;
      this.#recent = NOTHING;
      this.#since = undefined;
    }
    if (objects.size > 0) this.#since ??= nowMs;
    for (const { rings } of zones) for (const ring of rings) this.#recent = joined(this.#recent, boxOf(ring));
    for (const { box } of objects.values()) {
      const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
      if (Math.max(Math.abs(x), Math.abs(y)) <= FARTHEST) this.#recent = joined(this.#recent, [x, y, x, y]);
    }
  }
}

const MOST_FRAMES = 100;
const frames = new Map<string, Frame>();

/** @returns the frame that all pages about the camera share: its picture keeps its size from one to the next. */
export function frameOf(dataSourceId: string): Frame {
  const frame = frames.get(dataSourceId) ?? new Frame();
  frames.delete(dataSourceId);
  frames.set(dataSourceId, frame);
  const [oldest] = frames.keys();
  if (frames.size > MOST_FRAMES && oldest !== undefined) frames.delete(oldest);
  return frame;
}

const joined = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

function usualSize(right: number, bottom: number): Point {
  const usual = USUAL.find(([width, height]) => right <= width && bottom <= height);
  return usual ?? [Math.ceil(right), Math.ceil(bottom)];
}
