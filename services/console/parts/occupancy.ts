// Occupancy of the zones by minute.
import { html, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { MINUTE_MS } from "../../../schemas/units.ts";
import { serverNow } from "../data/clock.ts";
import type { Occupancy } from "../data/minutes.ts";
import { askOccupancy } from "../data/occupancy.ts";
import { pollWhileSeen } from "../data/polling.ts";
import { isolated } from "../picture/isolated.ts";
import type { App } from "./app.ts";
import { Chart } from "./chart.ts";
import { Loaded } from "./loaded.ts";
import type { Times } from "./times.ts";

const REFRESH_MS = 20_000;

interface Hour {
  /** The minute of the past in which the hour ends, counted from the epoch; undefined while the page is live. */
  readonly minute: number | undefined;
  readonly occupancy: Occupancy;
}

export class OccupancyView {
  readonly #times: Times;
  readonly #ask: (minute: number | undefined) => (signal: AbortSignal) => Promise<Hour>;
  readonly #occupancy: Loaded<Hour>;
  readonly #chart: Chart;
  readonly #stopPolling: () => void;
  /** The minute of the past that is shown, counted from the epoch. */
  #minute: number | undefined;

  constructor(app: App, dataSourceId: string) {
    this.#times = app.times;
    this.#ask = (minute) => async (signal) => {
      const until = minute === undefined ? serverNow() : (minute + 1) * MINUTE_MS - 1;
      return { minute, occupancy: await askOccupancy(app, { id: dataSourceId, until, signal }) };
    };
    this.#occupancy = new Loaded(app.redraw, this.#ask(undefined));
    this.#chart = new Chart(app.times);
    this.#stopPolling = pollWhileSeen(() => {
      if (!this.#occupancy.isLoading && this.#minute === undefined) this.#occupancy.load();
    }, REFRESH_MS);
  }

  /** @param at a past moment, whose minute is the last one of the hour; undefined while the page is live. */
  view(at: number | undefined): TemplateResult {
    const minute = at === undefined ? undefined : Math.floor(at / MINUTE_MS);
    this.#choose(minute);
    // While another hour is on its way, the chart and its heading are those of the last answer.
    const shown = this.#occupancy.value === undefined ? minute : this.#occupancy.value.minute;
    const end = shown === minute ? at : shown && (shown + 1) * MINUTE_MS - 1;
    const hour = end === undefined ? "the last hour" : `the hour until ${this.#times.short(end)}`;
    return html`<section class="card occupancy" aria-label="Occupancy by minute">
      <h2>Stays in each minute of ${hour}</h2>
      ${this.#occupancy.show("the hour", ({ occupancy }) => this.#shown(occupancy, hour))}
    </section>`;
  }

  stop(): void {
    this.#stopPolling();
    this.#occupancy.stop();
    this.#chart.stop();
  }

  /** A playback passes many minutes: one is asked for when the answer for another one has come. */
  #choose(minute: number | undefined): void {
    if (minute === this.#minute || this.#occupancy.isLoading) return;
    this.#minute = minute;
    this.#occupancy.load(this.#ask(minute));
  }

  #shown(occupancy: Occupancy, hour: string): TemplateResult {
    if (occupancy.lines.length === 0) return html`<p class="quiet-text">Nobody was in a zone in ${hour}.</p>`;
    this.#chart.show(occupancy);
    const label = occupancy.lines
      .map(({ name, values }) => `${isolated(name)}: at most ${Math.max(...values)}`)
      .join(", ");
    return html`<div class="chart" role="img" aria-label=${label} ${ref(this.#chart.placed)}></div>`;
  }
}
