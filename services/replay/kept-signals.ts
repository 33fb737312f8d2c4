// Keeps the newest signals of a run for callers to look at. They are written together, a few times a second at most:
// a session that waits for nothing makes far more of them than anybody reads.
import type { Entities } from "../../projections/catalog/define-entity.ts";
import { type DoneSignal, KEPT_SIGNALS, keptText, withoutLargeState } from "../../projections/replay/kept-signals.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { Log } from "../common/log.ts";
import type { NumberedText } from "./keep-signals.ts";
import type { Claimed, ReplayStore } from "./store.ts";

export interface KeptSignalsDeps {
  readonly store: Pick<ReplayStore, "keep">;
  readonly catalog: Entities;
  readonly log: Log;
}

const WRITE_EVERY_MS = 300;

export class KeptSignals {
  readonly #claimed: Claimed;
  readonly #deps: KeptSignalsDeps;
  #waiting: DoneSignal[] = [];
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(claimed: Claimed, deps: KeptSignalsDeps) {
    this.#claimed = claimed;
    this.#deps = deps;
  }

  add(done: DoneSignal): void {
    const waiting = withoutLargeState(done);
    this.#waiting.push(waiting);
    this.#characters += waiting.raised.state.length;
    while (this.#waiting.length > KEPT_SIGNALS.maxSignals || this.#characters > KEPT_SIGNALS.maxBytes) {
      this.#characters -= this.#waiting.shift()?.raised.state.length ?? 0;
    }
    this.#timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS);
  }

  /** Resolves when the signals so far are kept, or could not be. */
  write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Returns as many of the newest signals as are kept. Their texts may be larger than their states. */
  #newestTexts(waiting: readonly DoneSignal[]): readonly NumberedText[] {
    const context = { subscription: this.#claimed.session.spec.subscription, catalog: this.#deps.catalog };
    const texts: NumberedText[] = [];
    let bytesLeft: number = KEPT_SIGNALS.maxBytes;
    for (const done of waiting.toReversed()) {
      const text = keptText(done, context);
      bytesLeft -= Buffer.byteLength(text);
      if (bytesLeft < 0) break;
      texts.push({ number: done.number, text });
    }
    return texts.reverse();
  }

  async #write(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#characters = 0;
    try {
      await this.#deps.store.keep(this.#claimed, this.#newestTexts(waiting));
    } catch (error) {
      // Nobody waits for them, and the session itself goes on, or waits for Redis.
      this.#deps.log.debug({ err: messageOf(error), session: this.#claimed.id }, "signals not kept");
    }
  }
}
