// The claim of one session: it is renewed until the run ends, and tells the run what changes meanwhile.
import { messageOf } from "../../schemas/errors.ts";
import type { Log } from "../common/log.ts";
import { pause } from "../common/loop.ts";
import { SessionFailed } from "./failed.ts";
import { type Claimed, RENEW_MS, type ReplayStore } from "./store.ts";

/** What the claim of a session tells its run. */
export interface Control {
  /** The session is not ours any more, or the process stops: nothing more is written. */
  readonly claim: AbortSignal;
  /** That, or the session must end: nothing more is sent. Its reason is then the SessionFailed. */
  readonly signal: AbortSignal;
  /** Steps that were asked for so far. */
  granted(): number;
  /** Resolves when `granted` has changed, after this time, or with the signal. The place may be given back meanwhile. */
  changed(withinMs: number): Promise<void>;
}

interface ControlDeps {
  readonly store: ReplayStore;
  readonly log: Log;
  readonly stopping: AbortSignal;
  /** Why the token's sessions must end. */
  readonly lapse: (tokenId: string) => string | undefined;
}

/** Renews the claim until it is closed; a claim that is lost ends the run. */
export function createControl(claimed: Claimed, { store, log, stopping, lapse }: ControlDeps) {
  const lost = new AbortController();
  const failed = new AbortController();
  const claim = AbortSignal.any([lost.signal, stopping]);
  const signal = AbortSignal.any([claim, failed.signal]);
  let granted = claimed.session.granted;
  let changed = new AbortController();
  let pausedSince: number | undefined;
  let isGivenBack = false;

  async function look(): Promise<void> {
    try {
      const now = await store.renew(claimed);
      if (now === undefined) lost.abort();
      else if (now !== granted) {
        granted = now;
        changed.abort();
        changed = new AbortController();
      }
    } catch (error) {
      log.debug({ err: messageOf(error), session: claimed.id }, "claim not renewed");
    }
  }

  /** Ends the run when its token may not go on. */
  function checkToken(): void {
    const reason = lapse(claimed.tokenId);
    if (reason !== undefined) failed.abort(new SessionFailed(reason));
  }

  const control: Control = {
    claim,
    signal,
    granted: () => granted,
    async changed(withinMs) {
      pausedSince = performance.now();
      await pause(Math.min(withinMs, 2 ** 31 - 1), AbortSignal.any([signal, changed.signal]));
      pausedSince = undefined;
    },
  };
  const timer = setInterval(() => void look(), RENEW_MS);
  return {
    ...control,
    look,
    checkToken,
    /** undefined = it does not wait for a step. */
    pausedSince: () => pausedSince,
    /** Ends the run of a session that waits for a step: it goes on behind its last delivery when there is one. */
    giveBack(): void {
      if (pausedSince === undefined) return;
      isGivenBack = true;
      lost.abort();
    },
    async close(): Promise<void> {
      clearInterval(timer);
      if (!isGivenBack) return;
      await store.release(claimed).catch((error) => {
        log.debug({ err: messageOf(error), session: claimed.id }, "claim not released, it lapses");
      });
    },
  };
}
