// The size of an image that nobody has sent: the smallest usual one that holds what lies on it.
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
 * Grows, and never shrinks, so that the picture does not jump while objects move. Boxes of objects often reach over the
 * edge of the image; their middles do not.
 */
export class Frame {
  #box: Box = [0, 0, ...usualSize(0, 0)];
  #left = 0;
  #top = 0;
  #right = 0;
  #bottom = 0;

  /**
   * @param image decides alone, when there is one.
   * @returns whether the frame is another one now.
   */
  include({ zones, objects }: Pick<Scene, "zones" | "objects">, image?: ImageSize): boolean {
    const before = this.#box.join();
    this.#box = image === undefined ? this.#around(zones, objects) : [0, 0, image.naturalWidth, image.naturalHeight];
    return this.#box.join() !== before;
  }

  get box(): Box {
    return this.#box;
  }

  #around(zones: Scene["zones"], objects: Scene["objects"]): Box {
    for (const { rings } of zones) for (const ring of rings) this.#holdBox(boxOf(ring));
    for (const { box } of objects.values()) {
      const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
      this.#holdBox([x, y, x, y]);
    }
    const [width, height] = usualSize(this.#right, this.#bottom);
    return [this.#left, this.#top, width, height];
  }

  #holdBox([left, top, right, bottom]: Box): void {
    this.#left = Math.min(this.#left, left);
    this.#top = Math.min(this.#top, top);
    this.#right = Math.max(this.#right, right);
    this.#bottom = Math.max(this.#bottom, bottom);
  }
}

function usualSize(right: number, bottom: number): Point {
  const usual = USUAL.find(([width, height]) => right <= width && bottom <= height);
  return usual ?? [Math.ceil(right), Math.ceil(bottom)];
}
