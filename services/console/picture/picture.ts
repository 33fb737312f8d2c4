// A canvas that shows the plane of a camera's image. Layers paint on it, from the bottom to the top.
import { type Box, fitted, held, type Point, toImage, type View, zoomed } from "./view.ts";

/** Paints one kind of thing. `view` says how the plane of the image lies on the canvas, in CSS pixels. */
export type Layer = (context: CanvasRenderingContext2D, view: View) => void;

const NOWHERE: View = { scale: 1, left: 0, top: 0 };
/** Somewhat less than two frames of a screen with 60 a second. */
const REFRESH_MS = 30;
/** Space around what `showAll` shows, in CSS pixels. */
const MARGIN = 8;

export class Picture {
  readonly canvas: HTMLCanvasElement;
  readonly #layers: () => readonly Layer[];
  readonly #observer = new ResizeObserver(() => this.#resized());
  #all: Box | undefined;
  /** A view that the user chose; without it, everything is shown. */
  #chosen: View | undefined;
  #willPaint = 0;
  #isUrgent = false;
  #paintedAt = 0;
  // Asking the canvas at each painting would make the browser compute the layout of the page again.
  #width = 0;
  #height = 0;

  /** @param layers is called before each painting. */
  constructor(canvas: HTMLCanvasElement, layers: () => readonly Layer[]) {
    this.canvas = canvas;
    this.#layers = layers;
    this.#observer.observe(canvas);
  }

  get view(): View {
    return this.#chosen ?? this.#whole;
  }

  /** Whether the user has chosen a part. */
  get isMoved(): boolean {
    return this.#chosen !== undefined;
  }

  /** The size of the canvas in CSS pixels. */
  get size(): Point {
    return [this.#width, this.#height];
  }

  get #whole(): View {
    if (this.#all === undefined) return NOWHERE;
    const view = fitted(this.#all, Math.max(1, this.#width - 2 * MARGIN), Math.max(1, this.#height - 2 * MARGIN));
    return { ...view, left: view.left + MARGIN, top: view.top + MARGIN };
  }

  /** The part of the plane that is shown while the user has chosen no other. */
  set all(box: Box) {
    this.#all = box;
    this.repaint();
  }

  showAll(): void {
    this.look(undefined);
  }

  look(view: View | undefined): void {
    this.#chosen = view && this.#all ? held(view, this.#whole, this.#all, this.size) : view;
    this.repaint();
  }

  /** @param at a point of the canvas that keeps its place, in CSS pixels. */
  zoom(factor: number, at: Point): void {
    this.look(zoomed(this.view, factor, at));
  }

  /** The point of the image under a pointer. */
  pointOf({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point {
    const { left, top } = this.canvas.getBoundingClientRect();
    return toImage(this.view, [clientX - left, clientY - top]);
  }

  /** Paints before the next frame, however often it is called. For what the user does. */
  repaint(): void {
    this.#isUrgent = true;
    this.refresh();
  }

  /** Paints soon, for new data: at most 30 times a second, so that data that never ends leaves time for the rest. */
  refresh(): void {
    this.#willPaint ||= requestAnimationFrame(this.#onFrame);
  }

  stop(): void {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#willPaint);
  }

  readonly #onFrame = (at: number): void => {
    this.#willPaint = 0;
    if (!this.#isUrgent && at - this.#paintedAt < REFRESH_MS) {
      this.refresh();
      return;
    }
    this.#isUrgent = false;
    this.#paintedAt = at;
    this.#paint();
  };

  #resized(): void {
    this.#width = this.canvas.clientWidth;
    this.#height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.#width * devicePixelRatio);
    this.canvas.height = Math.round(this.#height * devicePixelRatio);
    this.repaint();
  }

  #paint(): void {
    const context = this.canvas.getContext("2d");
    if (context === null) return;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, this.#width, this.#height);
    const { view } = this;
    for (const paint of this.#layers()) {
      context.save();
      paint(context, view);
      context.restore();
    }
  }
}
