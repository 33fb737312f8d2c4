// The path of a track on the picture of its camera, with the box of a moment.
import { html, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import type { PathSpot } from "../data/track-questions.ts";
import { type Frame, frameOf } from "../picture/frame.ts";
import { paintGrid, paintImage } from "../picture/paint/ground.ts";
import { currentTheme } from "../picture/paint/theme.ts";
import { paintZones } from "../picture/paint/zones.ts";
import { Picture } from "../picture/picture.ts";
import { footOf } from "../picture/rings.ts";
import type { SceneObject, SceneZone } from "../picture/scene.ts";
import { tagColour } from "../picture/tag-colour.ts";
import { type Box, toScreen, type View } from "../picture/view.ts";
import { pictureButtons } from "./picture-buttons.ts";

export interface TrackShown {
  readonly tag: string;
  readonly spots: readonly PathSpot[];
  readonly zones: readonly SceneZone[];
  /** The ground; without it, there is a grid. */
  readonly image: HTMLImageElement | undefined;
  /** The box of the chosen moment. */
  readonly box: Box | undefined;
}

/** Around lines on an image, which may have their colour. */
const EDGE = "rgb(255 255 255 / 0.6)";
/** A longer silence breaks the line. */
const GAP_MS = 2_000;

export class TrackPicture {
  readonly #frame: Frame;
  #picture: Picture | undefined;
  #shown: TrackShown = { tag: "", spots: [], zones: [], image: undefined, box: undefined };

  constructor(dataSourceId: string) {
    this.#frame = frameOf(dataSourceId);
  }

  view(shown: TrackShown): TemplateResult {
    const { spots, zones, image } = this.#shown;
    const isOther = shown.spots !== spots || shown.zones !== zones || shown.image !== image;
    this.#shown = shown;
    if (isOther) this.#fit();
    this.#picture?.repaint();
    return html`<div class="camera-picture">
      <canvas class="picture" role="img" aria-label="Path of the track" ${ref(this.#placed)}></canvas>
      ${pictureButtons(
        (factor) => this.#zoom(factor),
        () => this.#picture?.showAll(),
      )}
    </div>`;
  }

  readonly #placed = (canvas: Element | undefined): void => {
    this.stop();
    if (!(canvas instanceof HTMLCanvasElement)) return;
    this.#picture = new Picture(canvas, () => [(context, view) => this.#paint(context, view)]);
    this.#fit();
  };

  #fit(): void {
    const { zones, spots, image } = this.#shown;
    this.#frame.include({ zones, objects: cornersOf(spots) }, image);
    if (this.#picture === undefined) return;
    const [left, top, right, bottom] = this.#frame.box;
    this.#picture.all = this.#frame.box;
    this.#picture.canvas.parentElement?.style.setProperty("aspect-ratio", `${right - left} / ${bottom - top}`);
  }

  #zoom(factor: number): void {
    const [width, height] = this.#picture?.size ?? [0, 0];
    this.#picture?.zoom(factor, [width / 2, height / 2]);
  }

  #paint(context: CanvasRenderingContext2D, view: View): void {
    const { tag, spots, zones, image, box } = this.#shown;
    const theme = currentTheme();
    context.font = theme.font;
    const ground = { context, view, box: this.#frame.box, theme, unit: "px" };
    if (image === undefined) paintGrid(ground);
    else paintImage(ground, image);
    const scene = { objects: new Map<string, SceneObject>(), zones, stays: [], at: 0 };
    paintZones({ context, view, scene, theme, chosen: undefined, isSmall: false, isOnImage: image !== undefined });
    if (image !== undefined) {
      context.strokeStyle = EDGE;
      context.lineWidth = 5;
      paintPath(context, view, spots);
    }
    context.strokeStyle = tagColour(tag);
    context.fillStyle = tagColour(tag);
    context.lineWidth = 2;
    paintPath(context, view, spots);
    if (box === undefined) return;
    const [left, top] = toScreen(view, [box[0], box[1]]);
    const [right, bottom] = toScreen(view, [box[2], box[3]]);
    if (image !== undefined) {
      context.strokeStyle = EDGE;
      context.lineWidth = 5;
      context.strokeRect(left, top, right - left, bottom - top);
      context.lineWidth = 2;
    }
    context.strokeStyle = theme.text;
    context.strokeRect(left, top, right - left, bottom - top);
  }

  stop(): void {
    this.#picture?.stop();
    this.#picture = undefined;
  }
}

/** A frame counts the middles of boxes. These two boxes have the outermost middles of the path. */
function cornersOf(spots: readonly PathSpot[]): ReadonlyMap<string, SceneObject> {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { box } of spots) {
    const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  const corners = spots.length === 0 ? [] : [[left, top] as const, [right, bottom] as const];
  return new Map(
    corners.map(([x, y], i) => {
      const box: Box = [x, y, x, y];
      return [String(i), { trackId: "", tag: "", ring: [], box, at: 0, trail: [], position: null }];
    }),
  );
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
  paintEnd(context, toScreen(view, footOf(first.box)), "stroke");
  paintEnd(context, toScreen(view, footOf(last.box)), "fill");
}

function paintEnd(context: CanvasRenderingContext2D, [x, y]: readonly [number, number], how: "stroke" | "fill"): void {
  context.beginPath();
  context.arc(x, y, 5, 0, 2 * Math.PI);
  context[how]();
}
