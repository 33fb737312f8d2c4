// The buckets of a count as a plot: bars that stand on one another, with the numbers under the pointer.

import { html, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import uPlot from "uplot";
import { DAY_MS } from "../../../../schemas/units.ts";
import { distinctColours } from "../../picture/distinct-colours.ts";
import type { Stacks } from "../../questions/stacks.ts";
import type { Times } from "../times.ts";

const HEIGHT = 260;
/** Share of a bucket that its bar takes, and its greatest width in pixels. */
const BAR_WIDTH: [number, number] = [0.9, 60];

/** Lives as long as its page. It makes a plot anew when the answer is another one. */
export class CountPlot {
  #element: HTMLElement | undefined;
  #plot: uPlot | undefined;
  #shown: Stacks | undefined;
  readonly #times: Times;
  readonly #observer = new ResizeObserver(() => this.#fit());
  readonly #attach = (element: Element | undefined) => {
    if (element === this.#element) return;
    this.#observer.disconnect();
    this.#drop();
    this.#element = element as HTMLElement | undefined;
    if (this.#element === undefined) return;
    this.#observer.observe(this.#element);
    // It is not in the document yet, so it has no size.
    queueMicrotask(() => this.#draw());
  };

  constructor(times: Times) {
    this.#times = times;
  }

  /**
   * @param stacks the same object as long as the answer is the same.
   * @param total of the answer: what lasts is in several bars, so they have no sum.
   */
  view(stacks: Stacks, total: number): TemplateResult {
    if (stacks !== this.#shown) {
      this.#shown = stacks;
      this.#draw();
    }
    const names = stacks.groups.map(({ name }) => name).join(", ");
    const label = `Counts over time, ${total.toLocaleString()} in all: ${names}`;
    return html`<div class="plot" role="img" aria-label=${label} ${ref(this.#attach)}></div>`;
  }

  stop(): void {
    this.#observer.disconnect();
    this.#drop();
  }

  #drop(): void {
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  #draw(): void {
    this.#drop();
    if (this.#element === undefined || this.#shown === undefined) return;
    const { times, groups } = this.#shown;
    // The tallest bars are painted first, so that those of the groups below cover them.
    const shown = groups.toReversed();
    const data = [times.map((ms) => ms / 1_000), ...shown.map(({ tops }) => [...tops])];
    this.#plot = new uPlot(this.#options(), data as uPlot.AlignedData, this.#element);
  }

  #options(): uPlot.Options {
    const { groups } = this.#shown ?? { groups: [] };
    const [color, ground, ofOthers] = ["--text", "--line", "--quiet"].map(resolved);
    const distinct = distinctColours(groups.flatMap(({ name, isOthers }) => (isOthers ? [] : [name])));
    const colours = groups.map((_, i) => distinct[i] ?? ofOthers ?? "").toReversed();
    const bars = uPlot.paths.bars;
    const axis = () => ({ stroke: color ?? "", grid: { stroke: ground ?? "", width: 1 }, ticks: { show: false } });
    const short = this.#isOfDays
      ? (ms: number) => this.#times.full(ms).slice(5, 16)
      : (ms: number) => this.#times.clock(ms);
    return {
      width: this.#element?.clientWidth ?? 600,
      height: HEIGHT,
      cursor: { points: { show: false } },
      legend: { live: true },
      scales: { y: { range: (_, _least, most) => [0, Math.max(1, most * 1.05)] } },
      axes: [
        { ...axis(), space: 90, values: (_, splits) => splits.map((seconds) => short(seconds * 1_000)) },
        { ...axis(), size: 64, values: (_, splits) => splits.map((value) => value.toLocaleString()) },
      ],
      series: [
        { label: "From", value: (_, seconds) => (seconds === null ? "–" : this.#times.full(seconds * 1_000)) },
        ...groups.toReversed().map(({ name, values }, i) => ({
          label: name,
          fill: colours[i] ?? "",
          ...(bars === undefined ? {} : { paths: bars({ size: BAR_WIDTH, align: 1 }) }),
          points: { show: false },
          // The plot knows the tops of the bars; people want the numbers of the groups.
          value: (_: uPlot, _top: number, _series: number, place: number | null) =>
            place === null ? "–" : (values[place] ?? 0).toLocaleString(),
        })),
      ],
    };
  }

  get #isOfDays(): boolean {
    const { times = [] } = this.#shown ?? {};
    return (times.at(-1) ?? 0) - (times[0] ?? 0) > DAY_MS;
  }

  #fit(): void {
    const width = this.#element?.clientWidth ?? 0;
    if (width > 0 && this.#plot !== undefined && this.#plot.width !== width)
      this.#plot.setSize({ width, height: HEIGHT });
  }
}

/** A canvas knows no light-dark(): the browser works out the colour of an element. */
function resolved(variable: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(${variable})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
