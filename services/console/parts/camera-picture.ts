// The picture of a camera with its ground, zones and objects: zoomed and moved by pointer and keys, and saying what a
// thing is.
import { html, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { type Frame, frameOf } from "../picture/frame.ts";
import { Gesture } from "../picture/gesture.ts";
import { type Hit, hitOf } from "../picture/hit.ts";
import { labelAt, type PlacedLabel } from "../picture/labels.ts";
import { paintGrid, paintImage } from "../picture/paint/ground.ts";
import { paintObjects } from "../picture/paint/objects.ts";
import { currentTheme, type Theme } from "../picture/paint/theme.ts";
import { paintZones } from "../picture/paint/zones.ts";
import { type Layer, Picture } from "../picture/picture.ts";
import type { Scene } from "../picture/scene.ts";
import { moved, type Point } from "../picture/view.ts";
import { wordsOfHit } from "../picture/words.ts";
import { hoverCard } from "./hover-card.ts";
import { pictureButtons } from "./picture-buttons.ts";
import type { PictureTool } from "./picture-tool.ts";
import type { Times } from "./times.ts";
import { isZoomOf } from "./wheel.ts";

export interface CameraPictureParts {
  readonly dataSourceId: string;
  readonly times: Times;
  /** The scene to show, live or past. */
  readonly scene: () => Scene;
  /** Further zones that the frame has room for: while the past is shown, those of the present. */
  readonly zones: () => Scene["zones"];
  /** Gets events first, and paints last. */
  readonly tool: () => PictureTool | undefined;
  /** Painted over the ground, below zones and objects. */
  readonly below: () => Layer | undefined;
  /** The ground; without it, there is a grid. */
  readonly image: () => HTMLImageElement | undefined;
  /** The track that the address names; it is marked unless another one is pointed at. */
  readonly named: () => string | undefined;
  readonly onPlaced: (picture: Picture) => void;
  readonly onTrack: (trackId: string) => void;
  readonly redraw: () => void;
}

/** The place of the pointer on the canvas, and the thing there. */
interface Pointed {
  readonly hit: Hit;
  readonly place: Point;
}

/** The name of the picture stays, and the counts describe it: a name that changes may be read out each time. */
const COUNTS_ID = "picture-counts";
const KEY_STEP = 40;
const KEY_ZOOM = 1.25;
const WHEEL_ZOOM = 0.0015;
/** How far beside a box a pointer may be, in pixels of the screen. */
const REACH = 4;

export class CameraPicture {
  readonly #parts: CameraPictureParts;
  readonly #frame: Frame;
  readonly #gesture = new Gesture();
  readonly #scheme = matchMedia("(prefers-color-scheme: dark)");
  #picture: Picture | undefined;
  #theme: Theme | undefined;
  #pointed: Pointed | undefined;
  #labels: readonly PlacedLabel[] = [];
  /** A track that something beside the picture points at. */
  #marked: string | undefined;

  constructor(parts: CameraPictureParts) {
    this.#parts = parts;
    this.#frame = frameOf(parts.dataSourceId);
    this.#scheme.addEventListener("change", this.#schemeChanged);
  }

  /** Marks a track, such as one that a list points at. */
  mark(trackId: string | undefined): void {
    this.#marked = trackId;
    this.#picture?.repaint();
  }

  /** The scene has changed. */
  changed(): void {
    this.#picture?.refresh();
  }

  /** @param note is shown over the picture. */
  view(name: string, note?: string): TemplateResult {
    const scene = this.#parts.scene();
    const hit = this.#pointed?.hit;
    return html`<div class="camera-picture">
      <canvas
        class=${this.#classes}
        tabindex="0"
        role="application"
        aria-roledescription="zoomable picture"
        aria-label=${`Picture of ${name}`}
        aria-describedby=${COUNTS_ID}
        aria-keyshortcuts="+ - 0 ArrowLeft ArrowRight ArrowUp ArrowDown"
        ${ref(this.#placed)}
        @pointerdown=${this.#onPointer}
        @pointermove=${this.#onPointer}
        @pointerup=${this.#onPointer}
        @pointercancel=${this.#onPointer}
        @pointerleave=${this.#onLeave}
        @dblclick=${this.#onPointer}
        @contextmenu=${this.#onPointer}
        @wheel=${this.#onWheel}
        @keydown=${this.#onKey}
      ></canvas>
      <p class="only-read" id=${COUNTS_ID}>${scene.objects.size} objects, ${scene.stays.length} stays in zones</p>
      <p class="only-read" role="status">${hit === undefined ? "" : wordsOfHit(hit, scene)}</p>
      ${note === undefined ? "" : html`<p class="picture-note">${note}</p>`}
      ${this.#pointed === undefined ? "" : hoverCard(this.#pointed.hit, this.#pointed.place, scene, this.#parts.times)}
      ${pictureButtons(
        (factor) => this.#zoom(factor),
        () => this.#picture?.showAll(),
        true,
      )}
    </div>`;
  }

  stop(): void {
    this.#scheme.removeEventListener("change", this.#schemeChanged);
    this.#picture?.stop();
  }

  /** Styles let the page scroll below a finger until the picture is zoomed. */
  get #classes(): string {
    const [isMoved, isOnObject] = [this.#picture?.isMoved, this.#pointed?.hit.kind === "object"];
    return `picture${isMoved ? " moved" : ""}${isOnObject ? " on-object" : ""}`;
  }

  readonly #placed = (canvas: Element | undefined): void => {
    if (!(canvas instanceof HTMLCanvasElement) || this.#picture !== undefined) return;
    this.#picture = new Picture(canvas, () => this.#layers());
    this.#reframe(this.#picture);
    this.#parts.onPlaced(this.#picture);
  };

  #reframe(picture: Picture): void {
    const [left, top, right, bottom] = this.#frame.box;
    picture.all = this.#frame.box;
    picture.canvas.parentElement?.style.setProperty("aspect-ratio", `${right - left} / ${bottom - top}`);
  }

  readonly #schemeChanged = (): void => {
    this.#theme = undefined;
    this.#picture?.repaint();
  };

  #layers(): readonly Layer[] {
    const picture = this.#picture;
    if (picture === undefined) return [];
    const scene = this.#parts.scene();
    const image = this.#parts.image();
    const zones = [...this.#parts.zones(), ...scene.zones];
    if (this.#frame.include({ zones, objects: scene.objects }, image)) this.#reframe(picture);
    this.#theme ??= currentTheme();
    const [below, tool] = [this.#parts.below(), this.#parts.tool()];
    return [
      this.#ground(this.#theme, image),
      ...(below === undefined ? [] : [below]),
      this.#things(this.#theme, scene, picture.size, image !== undefined),
      ...(tool === undefined ? [] : [tool.layer]),
    ];
  }

  #ground(theme: Theme, image: HTMLImageElement | undefined): Layer {
    return (context, view) => {
      context.font = theme.font;
      const painting = { context, view, box: this.#frame.box, theme, unit: "px" };
      if (image === undefined) paintGrid(painting);
      else paintImage(painting, image);
    };
  }

  #things(theme: Theme, scene: Scene, size: Point, isOnImage: boolean): Layer {
    const hit = this.#pointed?.hit;
    const zone = hit?.kind === "zone" ? hit.zone.id : undefined;
    const object = hit?.kind === "object" ? hit.object.trackId : (this.#marked ?? this.#parts.named());
    return (context, view) => {
      context.font = theme.font;
      paintZones({ context, view, scene, theme, chosen: zone, isSmall: false, isOnImage });
      const objects = scene.objects.values();
      this.#labels = paintObjects({ context, view, size, objects, chosen: object, isSmall: false, isOnImage });
    };
  }

  readonly #onPointer = (event: PointerEvent | MouseEvent): void => {
    const picture = this.#picture;
    if (picture === undefined) return;
    if (this.#parts.tool()?.pointer(event, picture.pointOf(event))) {
      event.preventDefault();
      this.#gesture.cancel();
      this.#point(undefined);
    } else if (event instanceof PointerEvent) this.#handle(event, picture);
  };

  #handle(event: PointerEvent, picture: Picture): void {
    const { pointerId, type } = event;
    const at = placeOf(event);
    if (type === "pointerdown" && event.button === 0) {
      picture.canvas.setPointerCapture(pointerId);
      this.#gesture.down(pointerId, at);
    } else if (type === "pointermove") {
      if (event.pointerType === "touch") this.#gesture.adopt(pointerId, at);
      const view = this.#gesture.move(pointerId, at, picture.view);
      if (view !== undefined) picture.look(view);
      if (!this.#gesture.isDrag) this.#pointAt(at, picture);
    } else if (type === "pointercancel") this.#gesture.cancel();
    else if (type === "pointerup" && this.#gesture.up(pointerId)) {
      const before = this.#pointedTrack;
      this.#pointAt(at, picture);
      const track = this.#pointedTrack;
      if (track === undefined || this.#parts.tool()?.isAtWork) return;
      // A finger has no hover: its first tap says what the thing is, as the mouse does before a click.
      if (event.pointerType === "mouse" || track === before) this.#parts.onTrack(track);
    }
  }

  get #pointedTrack(): string | undefined {
    const { hit } = this.#pointed ?? {};
    return hit?.kind === "object" ? hit.object.trackId : undefined;
  }

  readonly #onLeave = ({ pointerType }: PointerEvent): void => {
    if (!this.#gesture.isActive && pointerType === "mouse") this.#point(undefined);
  };

  readonly #onWheel = (event: WheelEvent): void => {
    if (!isZoomOf(event)) return;
    event.preventDefault();
    this.#picture?.zoom(Math.exp(-event.deltaY * WHEEL_ZOOM), placeOf(event));
    this.#parts.redraw();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (this.#parts.tool()?.key(event) || this.#moveBy(event.key)) event.preventDefault();
  };

  /** @returns whether the key is one of the picture. */
  #moveBy(key: string): boolean {
    const step = STEPS[key];
    if (step !== undefined && this.#picture !== undefined) this.#picture.look(moved(this.#picture.view, step));
    else if (key === "+" || key === "=") this.#zoom(KEY_ZOOM);
    else if (key === "-") this.#zoom(1 / KEY_ZOOM);
    else if (key === "0") this.#picture?.showAll();
    else return false;
    return true;
  }

  #zoom(factor: number): void {
    const [width, height] = this.#picture?.size ?? [0, 0];
    this.#picture?.zoom(factor, [width / 2, height / 2]);
    this.#parts.redraw();
  }

  #pointAt(place: Point, picture: Picture): void {
    const [x, y] = place;
    const { scale, left, top } = picture.view;
    const scene = this.#parts.scene();
    const hit = hitOf(scene, [(x - left) / scale, (y - top) / scale], REACH / scale);
    const named = hit?.kind === "object" ? undefined : this.#namedAt(place, scene);
    const found = named ?? hit;
    this.#point(found === undefined ? undefined : { hit: found, place });
  }

  /** The object whose label is there: people click on names as well. */
  #namedAt(place: Point, { objects }: Scene): Hit | undefined {
    const object = objects.get(labelAt(this.#labels, place)?.id ?? "");
    return object && { kind: "object", object };
  }

  #point(pointed: Pointed | undefined): void {
    if (pointed === undefined && this.#pointed === undefined) return;
    this.#pointed = pointed;
    this.#picture?.repaint();
    this.#parts.redraw();
  }
}

const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: [KEY_STEP, 0],
  ArrowRight: [-KEY_STEP, 0],
  ArrowUp: [0, KEY_STEP],
  ArrowDown: [0, -KEY_STEP],
};

const placeOf = ({ offsetX, offsetY }: MouseEvent): Point => [offsetX, offsetY];
