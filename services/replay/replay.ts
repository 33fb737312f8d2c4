// Claims sessions that nobody runs, and runs them. Several processes share the sessions; those of a process that dies are
// taken up by the others, or by itself when it is started again.
import { lapseOf } from "../../projections/catalog/tokens.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { Part } from "../common/lifecycle.ts";
import { pause } from "../common/loop.ts";
import { createControl } from "./control.ts";
import { type RunDeps, runSession } from "./run-session.ts";
import type { Claimed, Room } from "./store.ts";

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
/** A session that has waited for a step for so long may give its place back. A shorter wait would fold it anew at every step. */
const KEEP_PLACE_MS = 2_000;
/** So many places are given back in a round: Redis chooses them, and must not take long. */
const MOST_GIVEN_BACK = 100;
/** What the token of a session needs, as at the beginning. */
const SCOPES = ["read", "write"] as const;

interface Running extends ReturnType<typeof createControl> {
  readonly claimed: Claimed;
  readonly done: Promise<void>;
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
    const { claimed, giveBack } = await store.claim({ free, held: held(), paused: paused() }, lapsed);
    for (const id of giveBack) running.get(id)?.giveBack();
    for (const each of claimed) {
      // A run that has lost its session is about to end.
      await running.get(each.id)?.done;
      running.set(each.id, start(each));
    }
  }

  /** The longest waiting ones first. */
  function paused(): Room["paused"] {
    const until = performance.now() - KEEP_PLACE_MS;
    const since = (each: Running) => each.pausedSince() ?? Number.POSITIVE_INFINITY;
    const all = [...running.values()].filter((each) => since(each) <= until);
    const ordered = all.toSorted((a, b) => since(a) - since(b)).slice(0, MOST_GIVEN_BACK);
    return ordered.map(({ claimed: { id, tokenId } }) => ({ id, tokenId }));
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
      .finally(async () => {
        await control.close();
        running.delete(claimed.id);
        wake();
      });
    return { ...control, claimed, done };
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
