// Claims sessions that nobody runs, and runs them. Several processes share the sessions; those of a process that dies are
// taken up by the others, or by itself when it is started again.
import { lapseOf } from "../../projections/catalog/tokens.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { pause } from "../common/loop.ts";
import { SessionFailed } from "./failed.ts";
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
/** What the token of a session needs, as at the beginning. */
const SCOPES = ["read", "write"] as const;

interface Running {
  readonly claimed: Claimed;
  readonly done: Promise<void>;
  look(): Promise<void>;
  /** Ends the run when its token may not go on. */
  checkToken(): void;
}

export function createReplay(deps: ReplayDeps): Replay {
  const { store, log, mostSessions, catalog } = deps;
  const lapse = (tokenId: string) => lapseOf(catalog, tokenId, SCOPES);
  const stopping = new AbortController();
  const running = new Map<string, Running>();
  let rest = new AbortController();
  let working: Promise<void> | undefined;

  async function claim(): Promise<void> {
    const free = Math.max(0, mostSessions - running.size);
    // A session that waits for room must end, too, when its token may not go on.
    const lapsed = (await store.tokens()).filter((tokenId) => lapse(tokenId) !== undefined);
    if (free === 0 && lapsed.length === 0) return;
    for (const claimed of await store.claim({ free, held: held() }, lapsed)) {
      // A run that has lost its session is about to end.
      await running.get(claimed.id)?.done;
      running.set(claimed.id, start(claimed));
    }
  }

  function held(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { claimed } of running.values()) counts[claimed.tokenId] = (counts[claimed.tokenId] ?? 0) + 1;
    return counts;
  }

  function start(claimed: Claimed): Running {
    const control = createControl(claimed, { store, log, stopping: stopping.signal, lapse });
    control.checkToken();
    const done = runSession(claimed, control, deps)
      .catch((error) => log.error({ err: error, session: claimed.id }, "replay session broke off"))
      .finally(() => {
        control.close();
        running.delete(claimed.id);
        wake();
      });
    return { claimed, done, look: control.look, checkToken: control.checkToken };
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
      catalog.onChange("token", () => {
        for (const { checkToken } of running.values()) checkToken();
        wake();
      });
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

interface ControlDeps {
  readonly store: ReplayStore;
  readonly log: Log;
  readonly stopping: AbortSignal;
  /** Why the token's sessions must end. */
  readonly lapse: (tokenId: string) => string | undefined;
}

/** Renews the claim until it is closed; a claim that is lost ends the run. */
function createControl(claimed: Claimed, { store, log, stopping, lapse }: ControlDeps) {
  const lost = new AbortController();
  const failed = new AbortController();
  const claim = AbortSignal.any([lost.signal, stopping]);
  const signal = AbortSignal.any([claim, failed.signal]);
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

  function checkToken(): void {
    const reason = lapse(claimed.tokenId);
    if (reason !== undefined) failed.abort(new SessionFailed(reason));
  }

  const control: Control = {
    claim,
    signal,
    granted: () => granted,
    changed: (withinMs) => pause(Math.min(withinMs, 2 ** 31 - 1), AbortSignal.any([signal, changed.signal])),
  };
  const timer = setInterval(() => void look(), RENEW_MS);
  return {
    ...control,
    look,
    checkToken,
    close: () => clearInterval(timer),
  };
}
