// One camera: its picture, live or at a past moment, and what the zones see.
import { html, nothing } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { createLiveScene, type LiveScene } from "../data/live-scene.ts";
import type { App, CreatePage, Page, Place } from "../parts/app.ts";
import type { CameraHost, PictureTool, TimeLine } from "../parts/picture-tool.ts";
import { refused } from "../parts/states.ts";
import { paintObjects, paintTrails } from "../picture/paint/objects.ts";
import { themeOf } from "../picture/paint/theme.ts";
import { paintZones } from "../picture/paint/zones.ts";
import { type Layer, Picture } from "../picture/picture.ts";
import { boxOf, joined } from "../picture/rings.ts";
import type { Scene } from "../picture/scene.ts";
import type { Box } from "../picture/view.ts";
import { cameraParts } from "./camera-parts.ts";

class CameraPage implements Page {
  readonly #app: App;
  readonly #id: string;
  readonly #query: URLSearchParams;
  readonly #live: LiveScene;
  #picture: Picture | undefined;
  #tool: PictureTool | undefined;
  #timeLine: TimeLine | undefined;

  constructor(app: App, { params: [id = ""], query }: Place) {
    this.#app = app;
    this.#id = id;
    this.#query = query;
    this.#live = createLiveScene(app, id, () => this.#changed());
  }

  get title() {
    return this.#id;
  }

  /** Live, or past when the time line gives a scene. */
  get #scene(): Scene {
    return this.#timeLine?.past ?? this.#live.scene;
  }

  view() {
    return html`<h1>${this.title}</h1>
      ${this.#live.error === undefined ? nothing : refused(this.#live.error)}
      ${this.#tool?.view() ?? nothing}
      <canvas
        class="picture"
        tabindex="0"
        role="img"
        aria-label="Picture of ${this.title}"
        ${ref(this.#placed)}
        @pointerdown=${this.#onPointer}
        @pointermove=${this.#onPointer}
        @pointerup=${this.#onPointer}
        @pointercancel=${this.#onPointer}
        @dblclick=${this.#onPointer}
        @contextmenu=${this.#onPointer}
        @keydown=${this.#onKey}
      ></canvas>
      ${this.#timeLine?.view() ?? nothing}`;
  }

  readonly #placed = (canvas: Element | undefined): void => {
    if (!(canvas instanceof HTMLCanvasElement) || this.#picture !== undefined) return;
    this.#picture = new Picture(canvas, () => this.#layers());
    const host = this.#host(this.#picture);
    this.#tool = cameraParts.tool?.(host);
    this.#timeLine = cameraParts.timeLine?.(host, this.#query);
    this.#app.redraw();
  };

  #host(picture: Picture): CameraHost {
    const [app, live, scene] = [this.#app, this.#live, () => this.#scene];
    return {
      app,
      dataSourceId: this.#id,
      picture,
      get scene() {
        return scene();
      },
      reloadZones: () => live.reloadZones(),
    };
  }

  #layers(): readonly Layer[] {
    const { canvas } = this.#picture ?? {};
    if (canvas === undefined) return [];
    const [scene, theme] = [this.#scene, themeOf(canvas)];
    const layers: Layer[] = [
      (context, view) => {
        context.font = theme.font;
        paintZones(context, view, scene, theme);
        paintTrails(context, view, scene.objects.values());
        paintObjects(context, view, scene.objects.values());
      },
    ];
    if (this.#timeLine?.layer) layers.unshift(this.#timeLine.layer);
    if (this.#tool) layers.push(this.#tool.layer);
    return layers;
  }

  #changed(): void {
    const { objects, zones } = this.#scene;
    let all: Box | undefined;
    for (const { rings } of zones) for (const ring of rings) all = joined(all, boxOf(ring));
    for (const { box } of objects.values()) all = joined(all, box);
    if (this.#picture && all) this.#picture.all = all;
    this.#picture?.repaint();
  }

  readonly #onPointer = (event: MouseEvent): void => {
    if (this.#picture && this.#tool?.pointer(event, this.#picture.pointOf(event))) event.preventDefault();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (this.#tool?.key(event)) event.preventDefault();
  };

  moved(query: URLSearchParams) {
    this.#timeLine?.moved?.(query);
  }

  stop() {
    this.#live.stop();
    this.#tool?.stop();
    this.#timeLine?.stop();
    this.#picture?.stop();
  }
}

export const createCameraPage: CreatePage = (app, place) => new CameraPage(app, place);
