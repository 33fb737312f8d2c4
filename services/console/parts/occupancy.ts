// Occupancy of the zones by minute.
import { html, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import type { Occupancy } from "../data/minutes.ts";
import { askOccupancy } from "../data/occupancy.ts";
import { pollWhileSeen } from "../data/polling.ts";
import type { App } from "./app.ts";
import { Chart } from "./chart.ts";
import { Loaded } from "./loaded.ts";

const REFRESH_MS = 20_000;

export class OccupancyView {
  readonly #occupancy: Loaded<Occupancy>;
  readonly #chart: Chart;
  readonly #stopPolling: () => void;

  constructor(app: App, dataSourceId: string) {
    this.#occupancy = new Loaded(app.redraw, (signal) => askOccupancy(app, dataSourceId, signal));
    this.#chart = new Chart(app.times);
    this.#stopPolling = pollWhileSeen(() => {
      if (!this.#occupancy.isLoading) this.#occupancy.load();
    }, REFRESH_MS);
  }

  view(): TemplateResult {
    return html`<section class="card occupancy" aria-label="Occupancy by minute">
      <h2>Stays in each minute of the last hour</h2>
      ${this.#occupancy.show("the last hour", (occupancy) => this.#shown(occupancy))}
    </section>`;
  }

  stop(): void {
    this.#stopPolling();
    this.#occupancy.stop();
    this.#chart.stop();
  }

  #shown(occupancy: Occupancy): TemplateResult {
    if (occupancy.lines.length === 0) return html`<p class="quiet-text">Nobody was in a zone in the last hour.</p>`;
    this.#chart.show(occupancy);
    const label = occupancy.lines.map(({ name, values }) => `${name}: at most ${Math.max(...values)}`).join(", ");
    return html`<div class="chart" role="img" aria-label=${label} ${ref(this.#chart.placed)}></div>`;
  }
}
