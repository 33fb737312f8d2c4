// The claim of one session: it is renewed until the run ends, and informs the run of changes.
import { messageOf } from "../../schemas/errors.ts";
import type { Log } from "../common/log.ts";
import { pause } from "../common/loop.ts";
import { SessionFailed } from "../recorded/failed.ts";
import { type Claimed, RENEW_MS, type ReplayStore } from "./store.ts";

/** Signals from the claim of a session to its run. */
export interface Control {
  /** Aborts when another process has the session, or this process stops: nothing more may be written. */
  readonly claim: AbortSignal;
  /**
   * Aborts with `claim`, and also when the session must end: nothing more may be sent. The reason is then the
   * SessionFailed.
   */
  readonly signal: AbortSignal;
  /** Returns the number of steps requested so far. */
  granted(): number;
  /**
   * Resolves when `granted` has changed, after this time, or with the signal. The place may be given back meanwhile.
   */
  changed(withinMs: number): Promise<void>;
}

export interface ControlDeps {
  readonly store: ReplayStore;
  readonly log: Log;
  readonly stopping: AbortSignal;
  /** Returns the reason why the token's sessions must end. */
  readonly lapse: (tokenId: string) => string | undefined;
}

/** Renews the claim until it is closed; a lost claim ends the run. */
export class SessionControl implements Control {
  readonly claim: AbortSignal;
  readonly signal: AbortSignal;
  readonly #claimed: Claimed;
  readonly #deps: ControlDeps;
  readonly #lost = new AbortController();
  readonly #failed = new AbortController();
  readonly #renewing: NodeJS.Timeout;
  #granted: number;
  #changed = new AbortController();
  #pausedSince: number | undefined;
  #isGivenBack = false;

  constructor(claimed: Claimed, deps: ControlDeps) {
    this.claim = AbortSignal.any([this.#lost.signal, deps.stopping]);
    this.signal = AbortSignal.any([this.claim, this.#failed.signal]);
    this.#claimed = claimed;
    this.#deps = deps;
    this.#granted = claimed.session.granted;
    this.#renewing = setInterval(() => void this.renew(), RENEW_MS);
  }

  granted(): number {
    return this.#granted;
  }

  async changed(withinMs: number): Promise<void> {
    this.#pausedSince = performance.now();
    await pause(withinMs, AbortSignal.any([this.signal, this.#changed.signal]));
    this.#pausedSince = undefined;
  }

  /** @returns undefined while the run does not wait for a step. */
  get pausedSince(): number | undefined {
    return this.#pausedSince;
  }

  async renew(): Promise<void> {
    try {
      const granted = await this.#deps.store.renew(this.#claimed);
      if (granted === undefined) this.#lost.abort();
      else this.#grant(granted);
    } catch (error) {
      this.#debug(error, "claim not renewed");
    }
  }

  /** Ends the run when its token is no longer allowed to replay. */
  checkToken(): void {
    const reason = this.#deps.lapse(this.#claimed.tokenId);
    if (reason !== undefined) this.#failed.abort(new SessionFailed(reason));
  }

  /** Ends the run of a session that waits for a step. With the next step it continues after its last delivery. */
  giveBack(): void {
    if (this.#pausedSince === undefined) return;
    this.#isGivenBack = true;
    this.#lost.abort();
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing);
    if (!this.#isGivenBack) return;
    const { store } = this.#deps;
    await store.release(this.#claimed).catch((error) => this.#debug(error, "claim not released, it lapses"));
  }

  #grant(granted: number): void {
    if (granted === this.#granted) return;
    this.#granted = granted;
    this.#changed.abort();
    this.#changed = new AbortController();
  }

  #debug(error: unknown, event: string): void {
    this.#deps.log.debug({ err: messageOf(error), session: this.#claimed.id }, event);
  }
}
