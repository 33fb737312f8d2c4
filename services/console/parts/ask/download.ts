// Takes all rows of an answer home as a file, page by page.
import { html, nothing, type TemplateResult } from "lit-html";
import { type Asking, allPages } from "../../data/answers.ts";
import { type ApiError, shownError } from "../../data/errors.ts";
import { csvHead, csvRows } from "../../questions/csv.ts";
import type { App } from "../app.ts";

/** A file with more rows is for `npm run log` or a program: a browser keeps it in memory until it is saved. */
export const MOST_ROWS = 100_000;

export class Download {
  readonly #app: Pick<App, "ask" | "redraw">;
  #running: AbortController | undefined;
  #rows = 0;
  /** The result of the last one. */
  #note = "";
  #error: ApiError | undefined;

  constructor(app: Pick<App, "ask" | "redraw">) {
    this.#app = app;
  }

  /** @param total undefined while it is not known. */
  view(asking: Asking, total: number | undefined): TemplateResult {
    if (this.#running !== undefined)
      return html`<span class="row" role="status">
        <progress max=${Math.min(total ?? MOST_ROWS, MOST_ROWS)} value=${this.#rows} aria-label="Rows"></progress>
        ${this.#rows.toLocaleString()} rows
        <button type="button" @click=${() => this.stop()}>Cancel</button>
      </span>`;
    const limit =
      total !== undefined && total > MOST_ROWS
        ? html`<span class="quiet-text">the first ${MOST_ROWS.toLocaleString()} rows</span>`
        : nothing;
    return html`<span class="row">
      <button type="button" class="csv" @click=${() => this.#start(asking)}>Download CSV</button>
      ${limit} ${this.#note === "" ? nothing : html`<span class="quiet-text" role="status">${this.#note}</span>`}
      ${this.#error === undefined ? nothing : html`<span class="bad-text" role="alert">${this.#error.message}</span>`}
    </span>`;
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#app.redraw();
  }

  #start(asking: Asking): void {
    const running = new AbortController();
    this.#running = running;
    [this.#rows, this.#note, this.#error] = [0, "", undefined];
    this.#collect(asking, running.signal)
      .then(
        ({ parts, isWhole }) => {
          save(parts, `${asking.question.id}-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.csv`);
          this.#note = isWhole
            ? `${this.#rows.toLocaleString()} rows`
            : `Ended after ${MOST_ROWS.toLocaleString()} rows`;
        },
        (error: unknown) => {
          if (!running.signal.aborted) this.#error = shownError(error);
        },
      )
      .finally(() => {
        if (this.#running === running) this.#running = undefined;
        this.#app.redraw();
      });
    this.#app.redraw();
  }

  /** Each page becomes text at once, which takes less memory than its objects. */
  async #collect(asking: Asking, signal: AbortSignal) {
    const columns = asking.question.columns(asking.asked);
    const parts = [csvHead(columns)];
    let isWhole = true;
    for await (const { rows, next } of allPages(this.#app.ask, asking, MOST_ROWS, signal)) {
      signal.throwIfAborted();
      parts.push(csvRows(columns, rows));
      this.#rows += rows.length;
      isWhole = next === undefined;
      this.#app.redraw();
    }
    return { parts, isWhole };
  }
}

function save(parts: readonly string[], name: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file by the next turn of its loop.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
