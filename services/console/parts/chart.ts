// A chart of lines over time. uPlot draws it on a canvas, in the colours of the page.
import uPlot from "uplot";
import { currentTheme } from "../picture/paint/theme.ts";
import { PALETTE } from "../picture/tag-colour.ts";
import type { Times } from "./times.ts";

export interface ChartData {
  /** In milliseconds. */
  readonly times: readonly number[];
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const HEIGHT = 180;

export class Chart {
  readonly #times: Times;
  readonly #scheme = matchMedia("(prefers-color-scheme: dark)");
  readonly #observer = new ResizeObserver(() => this.#resized());
  #place: HTMLElement | undefined;
  #plot: uPlot | undefined;
  #names = "";
  #data: ChartData | undefined;

  constructor(times: Times) {
    this.#times = times;
    this.#scheme.addEventListener("change", this.#rebuild);
  }

  /** To be used as a ref of the element that holds the chart. */
  readonly placed = (element: Element | undefined): void => {
    if (!(element instanceof HTMLElement) || element === this.#place) return;
    this.#place = element;
    this.#observer.disconnect();
    this.#observer.observe(element);
    this.#rebuild();
  };

  show(data: ChartData): void {
    if (data === this.#data) return;
    this.#data = data;
    const names = data.lines.map(({ name }) => name).join("\0");
    if (this.#plot === undefined || names !== this.#names) this.#rebuild();
    else this.#plot.setData(aligned(data));
  }

  stop(): void {
    this.#scheme.removeEventListener("change", this.#rebuild);
    this.#observer.disconnect();
    this.#plot?.destroy();
  }

  readonly #rebuild = (): void => {
    this.#plot?.destroy();
    this.#plot = undefined;
    if (this.#place === undefined || this.#data === undefined) return;
    this.#names = this.#data.lines.map(({ name }) => name).join("\0");
    this.#plot = new uPlot(this.#options(this.#place.clientWidth, this.#data), aligned(this.#data), this.#place);
  };

  #resized(): void {
    if (this.#place) this.#plot?.setSize({ width: this.#place.clientWidth, height: HEIGHT });
  }

  #options(width: number, { lines }: ChartData): uPlot.Options {
    const { quiet, line } = currentTheme();
    const axis = { stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    return {
      width,
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), this.#times.zone),
      cursor: { drag: { x: false, y: false } },
      scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most)] } },
      axes: [
        { ...axis, values: (_plot, splits) => splits.map((at) => this.#times.clock(at * 1_000).slice(0, 5)) },
        { ...axis, size: 36, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000] },
      ],
      series: [
        { label: "Time", value: (_plot, at) => (at == null ? "" : this.#times.clock(at * 1_000).slice(0, 5)) },
        ...lines.map(({ name }, i) => ({
          label: name,
          stroke: PALETTE[i % PALETTE.length] ?? quiet,
          width: 2,
          points: { show: false },
        })),
      ],
    };
  }
}

const aligned = ({ times, lines }: ChartData): uPlot.AlignedData => [
  times.map((ms) => ms / 1_000),
  ...lines.map(({ values }) => [...values]),
];
