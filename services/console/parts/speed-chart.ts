// The speed of a track over time, as a line.
import { html, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import uPlot from "uplot";
import type { SpeedPoint } from "../past/path.ts";
import { currentTheme } from "../picture/paint/theme.ts";
import type { Times } from "./times.ts";

const HIGH = 180;

export class SpeedChart {
  readonly #times: Times;
  readonly #onPick: (at: number) => void;
  readonly #observer = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) this.#resized(target, contentRect.width);
  });
  #chart: uPlot | undefined;
  #points: readonly SpeedPoint[] = [];
  #at: number | undefined;

  /** @param onPick gets the moment on which the user clicks. */
  constructor(times: Times, onPick: (at: number) => void) {
    this.#times = times;
    this.#onPick = onPick;
  }

  view(points: readonly SpeedPoint[], at: number | undefined): TemplateResult {
    if (points !== this.#points) {
      this.#points = points;
      this.#chart?.setData(this.#data());
    }
    if (at !== this.#at) {
      this.#at = at;
      this.#chart?.redraw(false);
    }
    const known = points.flatMap(({ speed }) => speed ?? []);
    const text = known.length === 0 ? "unknown" : `up to ${Math.round(Math.max(...known))} pixels in a second`;
    return html`<div class="chart" role="img" aria-label="Speed over time: ${text}" ${ref(this.#placed)}></div>`;
  }

  #data(): uPlot.AlignedData {
    return [this.#points.map(({ at }) => at / 1_000), this.#points.map(({ speed }) => speed)];
  }

  readonly #placed = (element: Element | undefined): void => {
    this.stop();
    // The chart needs a width, which the element has only once it is laid out.
    if (element instanceof HTMLElement) this.#observer.observe(element);
  };

  #resized(element: Element, width: number): void {
    if (width <= 0 || !(element instanceof HTMLElement)) return;
    if (this.#chart === undefined) this.#chart = this.#created(element, width);
    else this.#chart.setSize({ width, height: HIGH });
  }

  #created(element: HTMLElement, width: number): uPlot {
    const chart = new uPlot(this.#options(width), this.#data(), element);
    chart.over.addEventListener("click", () => {
      const { left } = chart.cursor;
      if (left !== undefined && left >= 0) this.#onPick(chart.posToVal(left, "x") * 1_000);
    });
    return chart;
  }

  #options(width: number): uPlot.Options {
    const { text, line, accent, font } = currentTheme();
    const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    return {
      width,
      height: HIGH,
      legend: { show: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), this.#times.zone),
      scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
      axes: [
        { ...axis, values: (_, values) => values.map((seconds) => this.#times.clock(seconds * 1_000)), space: 64 },
        { ...axis, size: 56 },
      ],
      series: [{}, { label: "px/s", stroke: accent, width: 1.5, points: { show: false } }],
      hooks: { draw: [(chart) => this.#drawMoment(chart, accent)] },
    };
  }

  #drawMoment(chart: uPlot, colour: string): void {
    if (this.#at === undefined) return;
    const x = chart.valToPos(this.#at / 1_000, "x", true);
    const { left, top, width, height } = chart.bbox;
    if (x < left || x > left + width) return;
    chart.ctx.fillStyle = colour;
    chart.ctx.fillRect(x - 1, top, 2, height);
  }

  stop(): void {
    this.#observer.disconnect();
    this.#chart?.destroy();
    this.#chart = undefined;
  }
}
