// Paints the small pictures of a grid: each at most five times a second, and never so many at once that a frame is
// late.
import { Frame, HELD_MS } from "../picture/frame.ts";
import { paintImage } from "../picture/paint/ground.ts";
import { paintObjects } from "../picture/paint/objects.ts";
import { currentTheme, type Theme } from "../picture/paint/theme.ts";
import { paintZones } from "../picture/paint/zones.ts";
import type { Scene } from "../picture/scene.ts";
import { fitted } from "../picture/view.ts";
import type { TileImage } from "./tile-images.ts";

interface Tile {
  readonly canvas: HTMLCanvasElement;
  readonly frame: Frame;
  paintedAt: number;
}

const EVERY_MS = 200;
/** A frame lasts some 16 ms; so much of it goes into tiles. */
const BUDGET_MS = 6;

export class TilePainter {
  readonly #sceneOf: (id: string) => Scene | undefined;
  readonly #imageOf: (id: string) => TileImage | undefined;
  readonly #tiles = new Map<string, Tile>();
  /** Tiles to be painted, in the order in which they changed. */
  readonly #changed = new Set<string>();
  readonly #observer = new ResizeObserver((entries) => this.#resized(entries.map(({ target }) => target)));
  readonly #scheme = matchMedia("(prefers-color-scheme: dark)");
  #theme: Theme | undefined;
  #willPaint = 0;

  constructor(sceneOf: (id: string) => Scene | undefined, imageOf: (id: string) => TileImage | undefined) {
    this.#sceneOf = sceneOf;
    this.#imageOf = imageOf;
    this.#scheme.addEventListener("change", this.#schemeChanged);
  }

  show(id: string, canvas: HTMLCanvasElement): void {
    const before = this.#tiles.get(id);
    if (before !== undefined && before.canvas !== canvas) this.#observer.unobserve(before.canvas);
    this.#tiles.set(id, { canvas, frame: before?.frame ?? new Frame(HELD_MS), paintedAt: 0 });
    takePlace(canvas);
    this.#observer.observe(canvas);
    this.changed(id);
  }

  /** Gives up the memory of the canvas. */
  hide(id: string): void {
    const tile = this.#tiles.get(id);
    if (tile) {
      this.#observer.unobserve(tile.canvas);
      [tile.canvas.width, tile.canvas.height] = [0, 0];
    }
    this.#tiles.delete(id);
    this.#changed.delete(id);
  }

  changed(id: string): void {
    if (!this.#tiles.has(id)) return;
    this.#changed.add(id);
    this.#willPaint ||= requestAnimationFrame(this.#paintSome);
  }

  stop(): void {
    this.#scheme.removeEventListener("change", this.#schemeChanged);
    this.#observer.disconnect();
    cancelAnimationFrame(this.#willPaint);
  }

  #resized(canvases: readonly Element[]): void {
    for (const [id, tile] of this.#tiles) {
      const { canvas } = tile;
      if (!canvases.includes(canvas)) continue;
      if (!takePlace(canvas)) continue;
      tile.paintedAt = 0;
      this.changed(id);
    }
  }

  readonly #schemeChanged = (): void => {
    this.#theme = undefined;
    for (const id of this.#tiles.keys()) this.changed(id);
  };

  readonly #paintSome = (): void => {
    const start = performance.now();
    this.#theme ??= currentTheme();
    for (const id of this.#changed) {
      const tile = this.#tiles.get(id);
      const scene = this.#sceneOf(id);
      if (tile !== undefined && start - tile.paintedAt < EVERY_MS) continue;
      this.#changed.delete(id);
      if (tile === undefined || scene === undefined) continue;
      tile.paintedAt = start;
      paintTile(tile, scene, this.#imageOf(id), this.#theme);
      if (performance.now() - start > BUDGET_MS) break;
    }
    this.#willPaint = this.#changed.size === 0 ? 0 : requestAnimationFrame(this.#paintSome);
  };
}

/** @returns whether it has another size now, which has emptied it. */
function takePlace(canvas: HTMLCanvasElement): boolean {
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((size) => Math.round(size * devicePixelRatio));
  if (width === undefined || height === undefined || (canvas.width === width && canvas.height === height)) return false;
  [canvas.width, canvas.height] = [width, height];
  return true;
}

function paintTile({ canvas, frame }: Tile, scene: Scene, image: TileImage | undefined, theme: Theme): void {
  const context = canvas.getContext("2d", { alpha: false });
  if (context === null) return;
  const [width, height] = [canvas.width / devicePixelRatio, canvas.height / devicePixelRatio];
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, width, height);
  frame.include(scene, image);
  const view = fitted(frame.box, width, height);
  if (image !== undefined) paintImage({ context, view, box: frame.box }, image.bitmap);
  const painting = { context, view, chosen: undefined, isSmall: true, isOnImage: image !== undefined };
  paintZones({ ...painting, scene, theme });
  paintObjects({ ...painting, size: [width, height], objects: scene.objects.values() });
}
