// The images behind the small pictures of a grid. Each is kept in the size of a tile: the images of a large grid would
// fill the memory.
import type { ImageNode } from "../data/closest-image.ts";
import { loadedImage } from "../data/loaded-image.ts";
import { resolvedMedia } from "../data/media.ts";
import { NewestImages } from "../data/newest-images.ts";
import { pollWhileSeen } from "../data/polling.ts";
import type { Requests } from "../data/requests.ts";
import type { ImageSize } from "../picture/frame.ts";

export interface TileImage extends ImageSize {
  readonly bitmap: ImageBitmap;
  /** Names the image: the same one is not loaded again. */
  readonly timestamp: string;
}

/** Twice the width of a tile, for a screen with fine pixels. */
const WIDTH = 640;
/** Some 150 MB. */
const MOST_KEPT = 100;
const LOOK_MS = 10_000;

export class TileImages {
  readonly #onChange: (id: string) => void;
  readonly #newest: NewestImages;
  readonly #stopPolling: () => void;
  readonly #shown = new Set<string>();
  /** The last ones that were loaded are at the end. */
  readonly #images = new Map<string, TileImage>();
  /** The newest image of each camera that waits for its turn. */
  readonly #waiting = new Map<string, ImageNode>();
  /** Images are decoded one after the other, so that the pictures go on moving. */
  #decoding: Promise<void> = Promise.resolve();

  constructor(requests: Requests, onChange: (id: string) => void) {
    this.#onChange = onChange;
    this.#newest = new NewestImages(requests, (id, image) => {
      const isInTurn = this.#waiting.has(id);
      this.#waiting.set(id, image);
      // A tile without its image is of use, and the next image comes in a minute.
      if (!isInTurn) this.#decoding = this.#decoding.then(() => this.#load(id)).catch(() => {});
    });
    this.#stopPolling = pollWhileSeen(() => {
      for (const id of this.#shown) this.#newest.want(id);
    }, LOOK_MS);
  }

  /** @returns undefined when the camera has no image, or none that has come. */
  of(id: string): TileImage | undefined {
    return this.#images.get(id);
  }

  show(id: string): void {
    this.#shown.add(id);
    this.#newest.want(id);
  }

  hide(id: string): void {
    this.#shown.delete(id);
    this.#newest.drop(id);
  }

  stop(): void {
    this.#stopPolling();
    this.#newest.stop();
    this.#shown.clear();
    this.#waiting.clear();
    for (const { bitmap } of this.#images.values()) bitmap.close();
    this.#images.clear();
  }

  async #load(id: string): Promise<void> {
    const newest = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (newest === undefined || !this.#shown.has(id)) return;
    const { url, timestamp } = newest;
    if (this.#images.get(id)?.timestamp === timestamp) return;
    const image = await loadedImage(resolvedMedia(url));
    if (image === undefined) return;
    const { naturalWidth, naturalHeight } = image;
    const resizeWidth = Math.min(WIDTH, naturalWidth);
    const bitmap = await createImageBitmap(image, { resizeWidth, resizeQuality: "medium" }).catch(() => undefined);
    if (bitmap === undefined) return;
    if (this.#shown.has(id)) this.#keep(id, { bitmap, timestamp, naturalWidth, naturalHeight });
    else bitmap.close();
  }

  #keep(id: string, image: TileImage): void {
    const [oldest = id] = this.#images.size < MOST_KEPT ? [] : this.#images.keys();
    for (const old of [id, oldest]) {
      this.#images.get(old)?.bitmap.close();
      this.#images.delete(old);
    }
    this.#images.set(id, image);
    this.#onChange(id);
  }
}
