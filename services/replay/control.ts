// The claim of one session: it is renewed until the run ends, and informs the run of changes.
import type { Steering } from "../../projections/replay/session.ts";
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
  /** Returns how callers want the session to go on. */
  steering(): Steering;
  /** Resolves when `steering` has changed, after this time, or with the signal. */
  changed(withinMs: number): Promise<void>;
  /** Resolves like `changed`. The place may be given back meanwhile. */
  paused(withinMs: number): Promise<void>;
  /** Resolves when `steering` is up to date. It may not be while Redis is away. */
  renew(): Promise<void>;
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
  #steering: Steering;
  #changed = new AbortController();
  #pausedSince: number | undefined;
  #isGivenBack = false;

  constructor(claimed: Claimed, deps: ControlDeps) {
    this.claim = AbortSignal.any([this.#lost.signal, deps.stopping]);
    this.signal = AbortSignal.any([this.claim, this.#failed.signal]);
    this.#claimed = claimed;
    this.#deps = deps;
    this.#steering = claimed.session.steering;
    this.#renewing = setInterval(() => void this.renew(), RENEW_MS);
  }

  steering(): Steering {
    return this.#steering;
  }

  changed(withinMs: number): Promise<void> {
    return pause(withinMs, AbortSignal.any([this.signal, this.#changed.signal]));
  }

  async paused(withinMs: number): Promise<void> {
    this.#pausedSince = performance.now();
    await this.changed(withinMs);
    this.#pausedSince = undefined;
  }

  /** @returns undefined while the run does not wait for a caller. */
  get pausedSince(): number | undefined {
    return this.#pausedSince;
  }

  async renew(): Promise<void> {
    try {
      const steering = await this.#deps.store.renew(this.#claimed);
      if (steering === undefined) this.#lost.abort();
      else this.#steer(steering);
    } catch (error) {
      this.#debug(error, "claim not renewed");
    }
  }

  /** Ends the run when its token is no longer allowed to replay. */
  checkToken(): void {
    const reason = this.#deps.lapse(this.#claimed.tokenId);
    if (reason !== undefined) this.#failed.abort(new SessionFailed(reason));
  }

  /** Ends the run of a session that waits for a caller. It continues after its last delivery. */
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

  #steer(steering: Steering): void {
    const { isHeld, granted, speed } = this.#steering;
    if (steering.isHeld === isHeld && steering.granted === granted && steering.speed === speed) return;
    this.#steering = steering;
    this.#changed.abort();
    this.#changed = new AbortController();
  }

  #debug(error: unknown, event: string): void {
    this.#deps.log.debug({ err: messageOf(error), session: this.#claimed.id }, event);
  }
}
