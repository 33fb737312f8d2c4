// The heat map of the range of a time line: over the picture of the camera, or on the ground.
import { html, nothing, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { type ApiError, shownError } from "../data/errors.ts";
import { MOST_SAMPLED, type Sample, takeSample } from "../data/past-sample.ts";
import { HEAT_COLOURS, type Heat, type HexagonLibrary, hexagonHeat, squareHeat } from "../past/heat.ts";
import type { Range } from "../past/scale.ts";
import { type Layer, Picture } from "../picture/picture.ts";
import { paintHeat } from "./paint-heat.ts";
import type { CameraHost } from "./picture-tool.ts";
import { refused } from "./states.ts";
import type { TimeSlider } from "./time-slider.ts";

type Plane = "image" | "ground";

export class HeatMap {
  readonly #host: CameraHost;
  readonly #slider: TimeSlider;
  #plane: Plane = "image";
  #asking: AbortController | undefined;
  /** The range that the map is of; undefined while it is not shown. */
  #range: Range | undefined;
  #sample: Sample | undefined;
  #isComplete = false;
  #error: ApiError | undefined;
  #inImage: Heat | undefined;
  #onGround: Heat | undefined;
  #hexagons: HexagonLibrary | undefined;
  #ground: Picture | undefined;

  constructor(host: CameraHost, slider: TimeSlider) {
    this.#host = host;
    this.#slider = slider;
  }

  get isShown(): boolean {
    return this.#range !== undefined;
  }

  /** Paints nothing while the map is not shown. */
  readonly layer: Layer = (context, view) => {
    if (this.#plane === "image" && this.#inImage) paintHeat(this.#inImage)(context, view);
  };

  toggle(): void {
    if (this.isShown) this.#hide();
    else this.#load();
  }

  #hide(): void {
    this.#asking?.abort();
    this.#range = undefined;
    this.#sample = undefined;
    this.#inImage = undefined;
    this.#onGround = undefined;
    this.#redraw();
  }

  #load(): void {
    this.#asking?.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const range = this.#slider.range;
    this.#range = range;
    this.#isComplete = false;
    this.#error = undefined;
    takeSample(this.#host.app, { id: this.#host.dataSourceId, range, signal }, (sample) => this.#got(sample)).then(
      () => {
        this.#isComplete = true;
        this.#redraw();
      },
      (error) => {
        if (!signal.aborted) this.#error = shownError(error);
        this.#redraw();
      },
    );
    this.#redraw();
  }

  #got(sample: Sample): void {
    this.#sample = sample;
    this.#inImage = squareHeat(sample.feet);
    this.#countGround();
    this.#redraw();
  }

  #countGround(): void {
    const { positions } = this.#sample ?? {};
    if (this.#plane !== "ground" || this.#hexagons === undefined || positions === undefined) return;
    this.#onGround = hexagonHeat(positions, this.#hexagons);
    if (this.#ground && this.#onGround.all) this.#ground.all = this.#onGround.all;
  }

  #choose(plane: Plane): void {
    this.#plane = plane;
    this.#redraw();
    if (plane === "image") return;
    // The library is large, so that only those load it who open this map.
    import("h3-js").then(
      (library) => {
        this.#hexagons = library;
        this.#countGround();
        this.#redraw();
      },
      (error) => {
        this.#error = shownError(error);
        this.#redraw();
      },
    );
  }

  #redraw(): void {
    this.#host.picture.repaint();
    this.#host.app.redraw();
  }

  view(): TemplateResult | typeof nothing {
    if (!this.isShown) return nothing;
    const heat = this.#plane === "image" ? this.#inImage : this.#onGround;
    return html`<div class="heat card">
      <div class="row">
        <strong>Heat map</strong>
        ${this.#planeButton("image", "In the image")} ${this.#planeButton("ground", "By positions")}
        ${
          this.#range === this.#slider.range
            ? nothing
            : html`<button type="button" @click=${() => this.#load()}>Count the range that is shown now</button>`
        }
      </div>
      ${this.#error === undefined ? nothing : refused(this.#error, () => this.#load())} ${this.#counted()}
      ${heat === undefined || heat.most === 0 ? this.#nothingThere() : this.#legend(heat)}
      ${this.#plane === "ground" ? this.#groundCanvas() : nothing}
    </div>`;
  }

  #planeButton = (plane: Plane, name: string) =>
    html`<button type="button" aria-pressed=${this.#plane === plane} @click=${() => this.#choose(plane)}>${name}</button>`;

  #counted(): TemplateResult {
    const { times } = this.#host.app;
    const { from, to } = this.#range ?? this.#slider.range;
    const span = `${times.full(from)} to ${times.full(to)}`;
    if (this.#sample === undefined) return html`<p class="hint" role="status">Counting ${span} …</p>`;
    const { read, total } = this.#sample;
    const amount =
      total > MOST_SAMPLED
        ? `${count(read)} of ${count(total)} detections, spread evenly over them (at most ${count(MOST_SAMPLED)} are counted)`
        : `${count(read)} of ${count(total)} detections`;
    return html`<p class="hint" role="status">${span}: ${amount}${this.#isComplete ? "." : " …"}</p>`;
  }

  #nothingThere() {
    if (!this.#isComplete) return nothing;
    const what = this.#plane === "image" ? "polygon" : "position";
    return html`<p class="hint">No detection of this range has a ${what}.</p>`;
  }

  #legend({ size, most }: Heat): TemplateResult {
    const cell =
      this.#plane === "image"
        ? `where objects stood, in cells of ${count(size)} × ${count(size)} px`
        : `positions, in hexagons about ${count(size)} m across (H3)`;
    const coloured = (colour: string) =>
      ref((element) => (element as HTMLElement | undefined)?.style.setProperty("background", colour));
    return html`<p class="heat-legend row">
      <span>1</span>
      <span class="ramp" aria-hidden="true">${HEAT_COLOURS.map((colour) => html`<i ${coloured(colour)}></i>`)}</span>
      <span>${count(most)} detections</span><span class="quiet-text">${cell}</span>
    </p>`;
  }

  #groundCanvas() {
    return html`<canvas class="ground" role="img" aria-label="Heat map on the ground" ${ref(this.#placed)}></canvas>`;
  }

  readonly #placed = (canvas: Element | undefined): void => {
    this.#ground?.stop();
    this.#ground = undefined;
    if (!(canvas instanceof HTMLCanvasElement)) return;
    this.#ground = new Picture(canvas, () => (this.#onGround === undefined ? [] : [paintHeat(this.#onGround)]));
    if (this.#onGround?.all) this.#ground.all = this.#onGround.all;
  };

  stop(): void {
    this.#asking?.abort();
    this.#ground?.stop();
  }
}

const count = (value: number): string => Math.round(value).toLocaleString("en");
