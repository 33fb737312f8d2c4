// The image of a camera that is closest to the shown moment of the past.
import { MINUTE_MS } from "../../../schemas/units.ts";
import type { Asks } from "./asks.ts";
import { askClosestImage } from "./closest-image.ts";
import { loadedImage } from "./loaded-image.ts";
import { resolvedMedia } from "./media.ts";
import { MomentQuestion } from "./moment-question.ts";

/** While the moment moves, an image is asked for this often. */
const PAUSE_MS = 500;
/** People should know the time of an image that is further away. */
const FAR_MS = MINUTE_MS;

export class PastImage {
  readonly #requests: Asks;
  readonly #id: string;
  readonly #onChange: () => void;
  readonly #question = new MomentQuestion((at, signal) => this.#load(at, signal), PAUSE_MS);
  /** Links to a bucket differ each time, so an image is known by its time. */
  #shown: { readonly timestamp: string; readonly image: HTMLImageElement | undefined } | undefined;

  constructor(requests: Asks, dataSourceId: string, onChange: () => void) {
    this.#requests = requests;
    this.#id = dataSourceId;
    this.#onChange = onChange;
  }

  /** @returns undefined when there is none, or it has not come yet; while the moment moves, the one before. */
  at(moment: number): HTMLImageElement | undefined {
    this.#question.want(moment);
    return this.#shown?.image;
  }

  /** @returns the time of the image when it is far from the moment. */
  farTime(moment: number): number | undefined {
    if (this.#shown?.image === undefined) return undefined;
    const at = Date.parse(this.#shown.timestamp);
    return Math.abs(at - moment) > FAR_MS ? at : undefined;
  }

  async #load(at: number, signal: AbortSignal): Promise<void> {
    try {
      const closest = await askClosestImage(this.#requests, { id: this.#id, at, signal });
      if (closest !== undefined && closest.timestamp === this.#shown?.timestamp) return;
      const image = closest && (await loadedImage(resolvedMedia(closest.url)));
      this.#shown = closest && { timestamp: closest.timestamp, image };
    } catch {
      // The picture is of use without an image. That of another moment would be a wrong ground for it.
      this.#shown = undefined;
    }
    if (!signal.aborted) this.#onChange();
  }

  stop(): void {
    this.#question.stop();
  }
}
