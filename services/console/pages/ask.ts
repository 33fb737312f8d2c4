// Questions about the past: who was where and when, how many, and how long.

import { html, nothing } from "lit-html";
import { LARGEST_PAGE } from "../data/all-nodes.ts";
import { type Asking, askPage, askTotal } from "../data/answers.ts";
import { serverNow } from "../data/clock.ts";
import type { App, CreatePage, Page, Place } from "../parts/app.ts";
import { type Answered, answerView } from "../parts/ask/answer-view.ts";
import { askedForm } from "../parts/ask/asked-form.ts";
import { CountPlot } from "../parts/ask/count-plot.ts";
import { Download } from "../parts/ask/download.ts";
import { ChoiceFields } from "../parts/choose/choice-fields.ts";
import { Loaded } from "../parts/loaded.ts";
import { addressOf, askedOf, LONGEST_ADDRESS } from "../questions/address.ts";
import { questionOf } from "../questions/kinds.ts";
import type { Asked } from "../questions/question.ts";
import { periodOf } from "../questions/times-of.ts";

const TOO_LONG = html`<p class="hint" role="status">
  This question is too long for a link: a copy of the address, or loading the page again, may be refused.
</p>`;

/** Rows of one page of the table. */
const PAGE_ROWS = 50;

class AskPage implements Page {
  readonly title = "Ask";
  readonly #app: App;
  readonly #chooser: ChoiceFields;
  readonly #download: Download;
  readonly #plot: CountPlot;
  #asking: Asking;
  #answer: Loaded<Answered>;
  #total: Loaded<number | undefined>;
  /** Cursors of the pages up to the open one; the first page has none. */
  #cursors: readonly (string | undefined)[] = [undefined];
  /** Place of the column whose values are the rows of the time line. */
  #lane = "";

  constructor(app: App, { query }: Place) {
    this.#app = app;
    this.#download = new Download(app);
    this.#plot = new CountPlot(app.times);
    this.#chooser = new ChoiceFields(app);
    this.#asking = askingOf(askedOf(query));
    this.#answer = new Loaded(app.redraw, (signal) => this.#ask(signal));
    this.#total = new Loaded(app.redraw, (signal) => askTotal(app.ask, this.#asking, signal));
  }

  moved(query: URLSearchParams) {
    const asked = askedOf(query);
    const { of, by, size } = this.#asking.asked;
    this.#asking = askingOf(asked);
    this.#cursors = [undefined];
    this.#download.stop();
    this.#total.stop();
    this.#total = new Loaded(this.#app.redraw, (signal) => askTotal(this.#app.ask, this.#asking, signal));
    // The old answer stays until the new one comes, unless it has other columns.
    if (of !== asked.of || by !== asked.by || size !== asked.size) this.#answer.value = undefined;
    this.#answer.load();
  }

  view() {
    const { asked, period } = this.#asking;
    return html`<h1>Ask</h1>
      ${askedForm({ asked, period, chooser: this.#chooser, onChange: (next) => this.#change(next) })}
      ${addressOf(asked).length > LONGEST_ADDRESS ? TOO_LONG : nothing}
      ${answerView({
        app: this.#app,
        answer: this.#answer,
        asking: this.#asking,
        total: this.#total.value,
        plot: this.#plot,
        download: this.#download,
        pageNumber: this.#cursors.length,
        pageRows: PAGE_ROWS,
        lane: this.#lane,
        onLane: (key) => this.#showLane(key),
        onChange: (next) => this.#change(next),
        onPage: (step, next) => this.#turn(step, next),
      })}`;
  }

  stop() {
    this.#chooser.stop();
    this.#answer.stop();
    this.#total.stop();
    this.#download.stop();
    this.#plot.stop();
  }

  #change(asked: Asked): void {
    this.#app.go(addressOf(asked));
  }

  #showLane(key: string): void {
    this.#lane = key;
    this.#app.redraw();
  }

  #turn(step: 1 | -1, next: string | undefined): void {
    this.#cursors = step === 1 ? [...this.#cursors, next] : this.#cursors.slice(0, -1);
    this.#answer.load();
  }

  async #ask(signal: AbortSignal): Promise<Answered> {
    const asking = this.#asking;
    const first = asking.asked.view === "time" ? LARGEST_PAGE : PAGE_ROWS;
    return { asking, page: await askPage(this.#app.ask, asking, { first, after: this.#cursors.at(-1) }, signal) };
  }
}

/** From here on "now" is fixed, so that all pages and files of an answer are of the same time. */
const askingOf = (asked: Asked): Asking => ({
  asked,
  question: questionOf(asked.of),
  period: periodOf(asked, serverNow()),
});

export const createAskPage: CreatePage = (app, place) => new AskPage(app, place);
