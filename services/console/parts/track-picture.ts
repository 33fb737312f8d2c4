// The path of a track on the picture of its camera, with the box of a moment.
import { html, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import type { PathSpot } from "../data/track-questions.ts";
import { themeOf } from "../picture/paint/theme.ts";
import { paintZones } from "../picture/paint/zones.ts";
import { Picture } from "../picture/picture.ts";
import { boxOf, footOf, joined } from "../picture/rings.ts";
import type { SceneZone } from "../picture/scene.ts";
import { tagColour } from "../picture/tag-colour.ts";
import { type Box, toScreen, type View } from "../picture/view.ts";

export interface TrackShown {
  readonly tag: string;
  readonly spots: readonly PathSpot[];
  readonly zones: readonly SceneZone[];
  /** The box of the chosen moment. */
  readonly box: Box | undefined;
}

/** A longer silence breaks the line. */
const GAP_MS = 2_000;

export class TrackPicture {
  #picture: Picture | undefined;
  #shown: TrackShown = { tag: "", spots: [], zones: [], box: undefined };

  view(shown: TrackShown): TemplateResult {
    const isOther = shown.spots.length !== this.#shown.spots.length || shown.zones !== this.#shown.zones;
    this.#shown = shown;
    if (isOther) this.#fit();
    this.#picture?.repaint();
    return html`<canvas class="picture" role="img" aria-label="Path of the track" ${ref(this.#placed)}></canvas>`;
  }

  readonly #placed = (canvas: Element | undefined): void => {
    this.stop();
    if (!(canvas instanceof HTMLCanvasElement)) return;
    this.#picture = new Picture(canvas, () => [(context, view) => this.#paint(context, view, canvas)]);
    this.#fit();
  };

  #fit(): void {
    let all: Box | undefined;
    for (const { rings } of this.#shown.zones) for (const ring of rings) all = joined(all, boxOf(ring));
    for (const { box } of this.#shown.spots) all = joined(all, box);
    if (this.#picture && all) this.#picture.all = all;
  }

  #paint(context: CanvasRenderingContext2D, view: View, canvas: HTMLCanvasElement): void {
    const { tag, spots, zones, box } = this.#shown;
    const theme = themeOf(canvas);
    context.font = theme.font;
    paintZones(context, view, { objects: new Map(), zones, stays: [], at: 0 }, theme);
    context.strokeStyle = tagColour(tag);
    context.fillStyle = tagColour(tag);
    context.lineWidth = 2;
    paintPath(context, view, spots);
    if (box === undefined) return;
    const [left, top] = toScreen(view, [box[0], box[1]]);
    const [right, bottom] = toScreen(view, [box[2], box[3]]);
    context.strokeStyle = theme.accent;
    context.strokeRect(left, top, right - left, bottom - top);
  }

  stop(): void {
    this.#picture?.stop();
    this.#picture = undefined;
  }
}

/** A ring marks the beginning, a disc the end. */
function paintPath(context: CanvasRenderingContext2D, view: View, spots: readonly PathSpot[]): void {
  let before = Number.NEGATIVE_INFINITY;
  context.beginPath();
  for (const { at, box } of spots) {
    const [x, y] = toScreen(view, footOf(box));
    if (at - before > GAP_MS) context.moveTo(x, y);
    else context.lineTo(x, y);
    before = at;
  }
  context.stroke();
  const [first, last] = [spots[0], spots.at(-1)];
  if (first === undefined || last === undefined) return;
  for (const [spot, isFilled] of [
    [first, false],
    [last, true],
  ] as const) {
    const [x, y] = toScreen(view, footOf(spot.box));
    context.beginPath();
    context.arc(x, y, 5, 0, 2 * Math.PI);
    if (isFilled) context.fill();
    else context.stroke();
  }
}
