// The page of the system: processes and their lag, stores, topics, and the messages that were refused.

import { html } from "lit-html";
import { serverClock } from "../data/clock.ts";
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
import { wordsOfClock } from "../parts/times.ts";

interface Answer {
  readonly state: SystemState;
  readonly before: Counted | undefined;
  readonly after: Counted;
}

interface Asked {
  readonly state: Loaded<Answer>;
  readonly letters: Loaded<readonly ShownDeadLetter[]>;
  readonly stop: () => void;
}

const LETTERS_EVERY_MS = 15_000;

class SystemPage implements Page {
  readonly title = "System";
  readonly #app: App;
  /** Undefined until the token is known to have the scope. */
  #asked: Asked | undefined;
  #counted: Counted | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  view() {
    if (!this.#app.may("admin"))
      return html`<h1>System</h1>
        ${empty("This page is for operators: its token needs the scope admin.")}`;
    this.#asked ??= this.#begin();
    const { state, letters } = this.#asked;
    return html`<h1>System</h1>
      ${state.show(
        "the system",
        ({ state: system, before, after }) =>
          html`<p class="quiet-text">tracklog ${system.version} · ${clockText()}</p>
            <div class="system">
              <section aria-labelledby="readers" class="card">
                <h2 id="readers">Processes that read the log</h2>
                ${readersTable(system.readers)}
              </section>
              <section aria-labelledby="stores" class="card">
                <h2 id="stores">Stores</h2>
                ${storesTable(system.stores)}
              </section>
              <section aria-labelledby="topics" class="card">
                <h2 id="topics">Topics</h2>
                ${topicsTable(system.topics, before, after)}
              </section>
            </div>`,
      )}
      <section aria-labelledby="letters" class="card">
        <h2 id="letters">Dead letters</h2>
        ${letters.show("dead letters", (shown) => deadLettersTable(shown, this.#app.times))}
      </section>`;
  }

  stop() {
    this.#asked?.stop();
  }

  #begin(): Asked {
    const state = new Loaded(this.#app.redraw, (signal) => this.#askState(signal));
    const letters = new Loaded(this.#app.redraw, (signal) => this.#askLetters(signal));
    const again = (loaded: Loaded<unknown>) => () => {
      if (!loaded.isLoading) loaded.load();
    };
    const polls = [pollWhileSeen(again(state)), pollWhileSeen(again(letters), LETTERS_EVERY_MS)];
    const stop = () => {
      for (const end of polls) end();
      state.stop();
      letters.stop();
    };
    return { state, letters, stop };
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

const clockText = () => wordsOfClock(serverClock) ?? "The clock of this device agrees with that of the server.";

export const createSystemPage: CreatePage = (app) => new SystemPage(app);
