import { nothing, type TemplateResult } from "lit-html";
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
    this.#ask = ask;
    this.stop();
    const asking = new AbortController();
    this.#asking = asking;
    const isLast = () => this.#asking === asking;
    ask(asking.signal)
      .then(
        (value) => {
          if (isLast()) [this.value, this.error] = [value, undefined];
        },
        (error: unknown) => {
          if (isLast()) this.error = shownError(error);
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

  /** @param what is named while it loads, for example "zones". */
  show(what: string, view: (value: Value) => TemplateResult): TemplateResult | typeof nothing {
    if (this.error !== undefined) return refused(this.error, () => this.load());
    if (this.value !== undefined) return view(this.value);
    return this.isLoading ? loading(what) : nothing;
  }
}
