// The session whose signals somebody looks at.
import { html, type TemplateResult } from "lit-html";
import { askReplaySignals, type FollowedSignals } from "../../data/replay-signals.ts";
import type { ReplaySession } from "../../data/rest-lists.ts";
import type { App } from "../app.ts";
import { Loaded } from "../loaded.ts";
import { replaySignals } from "./replay-signals.ts";

export class WatchedReplay {
  readonly id: string;
  readonly #app: App;
  readonly #signals: Loaded<FollowedSignals>;
  #whole: number | undefined;
  #wasOver = false;

  constructor(app: App, id: string) {
    this.id = id;
    this.#app = app;
    this.#signals = new Loaded<FollowedSignals>(app.redraw, (signal) =>
      askReplaySignals(app.rest, id, this.#signals?.value, signal),
    );
  }

  /** Asks for new signals, and once more after the end of the session. */
  poll(sessions: readonly ReplaySession[] | undefined): void {
    const isOver = sessions?.some(({ id, ended_at }) => id === this.id && ended_at !== null) === true;
    if (!this.#signals.isLoading && !(isOver && this.#wasOver)) this.#signals.load();
    this.#wasOver = isOver;
  }

  load(): void {
    this.#signals.load();
  }

  stop(): void {
    this.#signals.stop();
  }

  view(): TemplateResult {
    const parts = {
      times: this.#app.times,
      whole: this.#whole,
      onWhole: (number: number | undefined) => {
        this.#whole = number;
        this.#app.redraw();
      },
    };
    return html`${this.#signals.show("signals", (followed) => replaySignals(followed, parts))}`;
  }
}
