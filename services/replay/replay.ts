// Claims sessions that nobody runs, and runs them. Several processes share the sessions; those of a process that dies are
// taken up by the others, or by itself when it is started again.
import { messageOf } from "../../schemas/errors.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { pause } from "../common/loop.ts";
import { type Control, type RunDeps, runSession } from "./run-session.ts";
import { type Claimed, RENEW_MS, type ReplayStore } from "./store.ts";

export interface ReplayDeps extends RunDeps {
  /** Sessions that run at a time. */
  readonly mostSessions: number;
}

export interface Replay extends Part {
  /** The session was made, stepped or deleted: it is looked at now, not at the next round. */
  changed(id: string): void;
}

/** How soon a session is seen whose notice was lost. */
const LOOK_EVERY_MS = 1_000;

interface Running {
  readonly claimed: Claimed;
  readonly done: Promise<void>;
  look(): Promise<void>;
}

export function createReplay(deps: ReplayDeps): Replay {
  const { store, log, mostSessions } = deps;
  const stopping = new AbortController();
  const running = new Map<string, Running>();
  let rest = new AbortController();
  let working: Promise<void> | undefined;

  async function claim(): Promise<void> {
    const free = mostSessions - running.size;
    if (free <= 0) return;
    for (const claimed of await store.claim(free)) {
      // A run that has lost its session is about to end.
      await running.get(claimed.id)?.done;
      running.set(claimed.id, start(claimed));
    }
  }

  function start(claimed: Claimed): Running {
    const control = createControl(claimed, store, log, stopping.signal);
    const done = runSession(claimed, control, deps)
      .catch((error) => log.error({ err: error, session: claimed.id }, "replay session broke off"))
      .finally(() => {
        control.close();
        running.delete(claimed.id);
        wake();
      });
    return { claimed, done, look: control.look };
  }

  function wake(): void {
    rest.abort();
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      rest = new AbortController();
      try {
        await claim();
      } catch (error) {
        log.warn({ err: messageOf(error) }, "replay: sessions cannot be looked for");
      }
      await pause(LOOK_EVERY_MS, AbortSignal.any([stopping.signal, rest.signal]));
    }
  }

  return {
    name: "replay",
    changed(id) {
      const known = running.get(id);
      if (known === undefined) wake();
      else void known.look().then(wake);
    },
    start: async () => {
      working = work();
    },
    async stop() {
      stopping.abort();
      await working;
      const all = [...running.values()];
      await Promise.all(all.map(({ done }) => done));
      await Promise.allSettled(all.map(({ claimed }) => store.release(claimed)));
    },
  };
}

/** Renews the claim until it is closed; a claim that is lost ends the run. */
function createControl(
  claimed: Claimed,
  store: ReplayStore,
  log: Log,
  stopping: AbortSignal,
): Control & { look(): Promise<void>; close(): void } {
  const lost = new AbortController();
  const signal = AbortSignal.any([lost.signal, stopping]);
  let granted = claimed.session.granted;
  let changed = new AbortController();

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

  const timer = setInterval(() => void look(), RENEW_MS);
  return {
    signal,
    granted: () => granted,
    changed: (withinMs) => pause(Math.min(withinMs, 2 ** 31 - 1), AbortSignal.any([signal, changed.signal])),
    look,
    close: () => clearInterval(timer),
  };
}
