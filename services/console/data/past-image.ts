// The image of a camera that is closest to the shown moment of the past.
import type { Asks } from "./asks.ts";
import { askClosestImage } from "./closest-image.ts";
import { loadedImage } from "./loaded-image.ts";
import { resolvedMedia } from "./media.ts";

/** While the moment moves, an image is asked for this often. */
const PAUSE_MS = 500;

export class PastImage {
  readonly #requests: Asks;
  readonly #id: string;
  readonly #onChange: () => void;
  readonly #stopped = new AbortController();
  /** Links to a bucket differ each time, so an image is known by its time. */
  #shown: { readonly timestamp: string; readonly image: HTMLImageElement | undefined } | undefined;
  #wanted: number | undefined;
  #asked: number | undefined;
  #isAsking = false;

  constructor(requests: Asks, dataSourceId: string, onChange: () => void) {
    this.#requests = requests;
    this.#id = dataSourceId;
    this.#onChange = onChange;
  }

  /** @returns undefined when there is none, or it has not come yet; while the moment moves, the one before. */
  at(moment: number): HTMLImageElement | undefined {
    this.#wanted = moment;
    this.#ask();
    return this.#shown?.image;
  }

  #ask(): void {
    const at = this.#wanted;
    if (this.#isAsking || at === undefined || at === this.#asked || this.#stopped.signal.aborted) return;
    this.#isAsking = true;
    this.#asked = at;
    // The picture is of use without it.
    this.#load(at)
      .catch(() => {})
      .finally(() =>
        setTimeout(() => {
          this.#isAsking = false;
          this.#ask();
        }, PAUSE_MS),
      );
  }

  async #load(at: number): Promise<void> {
    const { signal } = this.#stopped;
    const closest = await askClosestImage(this.#requests, { id: this.#id, at, signal });
    if (closest === undefined || closest.timestamp === this.#shown?.timestamp) return;
    this.#shown = { timestamp: closest.timestamp, image: await loadedImage(resolvedMedia(closest.url)) };
    if (!signal.aborted) this.#onChange();
  }

  stop(): void {
    this.#stopped.abort();
  }
}
