import { html, nothing, type TemplateResult } from "lit-html";
import { type ApiError, shownError } from "../data/errors.ts";
import { loading, refused } from "./states.ts";

/** Something that a page asks for, and shows when it has come. */
export class Loaded<Value> {
  #ask: (signal: AbortSignal) => Promise<Value>;
  readonly #redraw: () => void;
  #asking: AbortController | undefined;
  /** The last answer. It stays while the next one is on its way. */
  value: Value | undefined;
  error: ApiError | undefined;
  /** The last answer belongs to another question. */
  #isOld = false;

  constructor(redraw: () => void, ask: (signal: AbortSignal) => Promise<Value>) {
    this.#redraw = redraw;
    this.#ask = ask;
    this.load();
  }

  get isLoading(): boolean {
    return this.#asking !== undefined;
  }

  /** Asks, again or for something else. The answer to an earlier question is dropped. */
  load(ask: (signal: AbortSignal) => Promise<Value> = this.#ask): void {
    this.#isOld ||= ask !== this.#ask;
    this.#ask = ask;
    this.stop();
    const asking = new AbortController();
    this.#asking = asking;
    const isLast = () => this.#asking === asking;
    ask(asking.signal)
      .then(
        (value) => {
          if (!isLast()) return;
          [this.value, this.error] = [value, undefined];
          this.#isOld = false;
        },
        (error: unknown) => {
          if (!isLast()) return;
          this.error = shownError(error);
          if (this.#isOld) this.value = undefined;
        },
      )
      .finally(() => {
        if (!isLast()) return;
        this.#asking = undefined;
        this.#redraw();
      });
    this.#redraw();
  }

  /** Gives up the question. */
  stop(): void {
    this.#asking?.abort();
    this.#asking = undefined;
  }

  /**
   * Shows a failure above the last answer to the same question: the next attempt may succeed again.
   * @param what is named while it loads, for example "zones".
   */
  show(what: string, view: (value: Value) => TemplateResult): TemplateResult | typeof nothing {
    const failure = this.error === undefined ? nothing : refused(this.error, () => this.load());
    if (this.value !== undefined) return html`${failure} ${view(this.value)}`;
    return this.isLoading && this.error === undefined ? loading(what) : failure;
  }
}
