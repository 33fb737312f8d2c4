// The sessions that this process runs.
import { type ControlDeps, SessionControl } from "./control.ts";
import { runningSessions } from "./metrics.ts";
import type { RunDeps } from "./replay-run.ts";
import { runSession } from "./run-session.ts";
import type { Claimed, SessionCapacity } from "./store.ts";

export interface RunningSessionsDeps extends RunDeps, Pick<ControlDeps, "stopping" | "lapse"> {
  /** Sessions that run at a time. */
  readonly mostSessions: number;
}

interface Running {
  readonly claimed: Claimed;
  readonly control: SessionControl;
  readonly done: Promise<void>;
}

/**
 * A session that has waited for a step this long may give its place back. With a shorter wait it would be folded again
 * at every step.
 */
const KEEP_PLACE_MS = 2_000;
/** Places that are given back in one round: Redis chooses them, and must not take long. */
const MOST_GIVEN_BACK = 100;

export class RunningSessions {
  readonly #deps: RunningSessionsDeps;
  readonly #onEnd: () => void;
  readonly #endObserving: () => void;
  readonly #running = new Map<string, Running>();

  /** `onEnd` is called when a session has ended here, and its place is free. */
  constructor(deps: RunningSessionsDeps, onEnd: () => void) {
    this.#deps = deps;
    this.#onEnd = onEnd;
    this.#endObserving = runningSessions.observe(() => [[{}, this.#running.size]]);
  }

  get capacity(): SessionCapacity {
    const free = Math.max(0, this.#deps.mostSessions - this.#running.size);
    return { free, held: this.#held(), paused: this.#paused() };
  }

  async start(claimed: Claimed): Promise<void> {
    // A run that has lost its session is about to end.
    await this.#running.get(claimed.id)?.done;
    const control = new SessionControl(claimed, this.#deps);
    control.checkToken();
    const done = this.#run(claimed, control);
    this.#running.set(claimed.id, { claimed, control, done });
  }

  giveBack(id: string): void {
    this.#running.get(id)?.control.giveBack();
  }

  /** @returns undefined when the session does not run here. */
  renew(id: string): Promise<void> | undefined {
    return this.#running.get(id)?.control.renew();
  }

  /** Ends the sessions whose tokens are no longer allowed to replay. */
  checkTokens(): void {
    for (const { control } of this.#running.values()) control.checkToken();
  }

  /** Must be called after `stopping` has aborted. Lets other processes continue the sessions at once. */
  async release(): Promise<void> {
    this.#endObserving();
    const all = [...this.#running.values()];
    await Promise.all(all.map(({ done }) => done));
    await Promise.allSettled(all.map(({ claimed }) => this.#deps.store.release(claimed)));
  }

  #held(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { claimed } of this.#running.values()) counts[claimed.tokenId] = (counts[claimed.tokenId] ?? 0) + 1;
    return counts;
  }

  /** Returns the sessions that have waited longest first. */
  #paused(): SessionCapacity["paused"] {
    const until = performance.now() - KEEP_PLACE_MS;
    const since = ({ control }: Running) => control.pausedSince ?? Number.POSITIVE_INFINITY;
    const all = [...this.#running.values()].filter((each) => since(each) <= until);
    const ordered = all.toSorted((a, b) => since(a) - since(b)).slice(0, MOST_GIVEN_BACK);
    return ordered.map(({ claimed: { id, tokenId } }) => ({ id, tokenId }));
  }

  async #run(claimed: Claimed, control: SessionControl): Promise<void> {
    try {
      await runSession(claimed, control, this.#deps);
    } catch (error) {
      this.#deps.log.error({ err: error, session: claimed.id }, "replay session broke off");
    }
    await control.close();
    this.#running.delete(claimed.id);
    this.#onEnd();
  }
}
