// The page of the system: processes and their lag, stores, topics, and the messages that were refused.
import { html } from "lit-html";
import { pollWhileSeen } from "../data/polling.ts";
import {
  type Counted,
  countedOf,
  DEAD_LETTERS,
  type ShownDeadLetter,
  SYSTEM,
  type SystemState,
} from "../data/system-state.ts";
import type { App, CreatePage, Page } from "../parts/app.ts";
import { Loaded } from "../parts/loaded.ts";
import { empty } from "../parts/states.ts";
import { deadLettersTable, readersTable, storesTable, topicsTable } from "../parts/system/system-tables.ts";

interface Answer {
  readonly state: SystemState;
  readonly before: Counted | undefined;
  readonly after: Counted;
}

const LETTERS_EVERY_MS = 15_000;

class SystemPage implements Page {
  readonly title = "System";
  readonly #app: App;
  readonly #state: Loaded<Answer>;
  readonly #letters: Loaded<readonly ShownDeadLetter[]>;
  readonly #polls: readonly (() => void)[];
  #counted: Counted | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#state = new Loaded(app.redraw, (signal) => this.#askState(signal));
    this.#letters = new Loaded(app.redraw, (signal) => this.#askLetters(signal));
    const again = (loaded: Loaded<unknown>) => () => {
      if (!loaded.isLoading) loaded.load();
    };
    this.#polls = [pollWhileSeen(again(this.#state)), pollWhileSeen(again(this.#letters), LETTERS_EVERY_MS)];
  }

  view() {
    if (!this.#app.may("admin"))
      return html`<h1>System</h1>
        ${empty("This page is for operators: its token needs the scope admin.")}`;
    return html`<h1>System</h1>
      ${this.#state.show(
        "the system",
        ({ state, before, after }) =>
          html`<p class="quiet-text">tracklog ${state.version}</p>
            <div class="system">
              <section aria-labelledby="readers" class="card">
                <h2 id="readers">Processes that read the log</h2>
                ${readersTable(state.readers)}
              </section>
              <section aria-labelledby="stores" class="card">
                <h2 id="stores">Stores</h2>
                ${storesTable(state.stores)}
              </section>
              <section aria-labelledby="topics" class="card">
                <h2 id="topics">Topics</h2>
                ${topicsTable(state.topics, before, after)}
              </section>
            </div>`,
      )}
      <section aria-labelledby="letters" class="card">
        <h2 id="letters">Dead letters</h2>
        ${this.#letters.show("dead letters", (letters) => deadLettersTable(letters, this.#app.times))}
      </section>`;
  }

  stop() {
    for (const end of this.#polls) end();
    this.#state.stop();
    this.#letters.stop();
  }

  async #askState(signal: AbortSignal): Promise<Answer> {
    const { system } = await this.#app.ask<{ readonly system: SystemState }>(SYSTEM, {}, signal);
    const after = countedOf(system.topics, performance.now());
    const before = this.#counted;
    this.#counted = after;
    return { state: system, before, after };
  }

  async #askLetters(signal: AbortSignal): Promise<readonly ShownDeadLetter[]> {
    type Letters = { readonly system: { readonly deadLetters: readonly ShownDeadLetter[] } };
    return (await this.#app.ask<Letters>(DEAD_LETTERS, {}, signal)).system.deadLetters;
  }
}

export const createSystemPage: CreatePage = (app) => new SystemPage(app);
