// Claims sessions that no process runs, and runs them. Several processes share the sessions; those of a process that
// dies are taken up by the others, or by itself after a restart.
import { lapseOf } from "../../projections/catalog/tokens.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { Part } from "../common/lifecycle.ts";
import { pause } from "../common/loop.ts";
import { RunningSessions, type RunningSessionsDeps } from "./running-sessions.ts";

export type ReplayDeps = Omit<RunningSessionsDeps, "stopping" | "lapse">;

export interface Replay extends Part {
  /**
   * Must be called when the session was created, stepped or deleted: it is then checked at once, not in the next round.
   */
  changed(id: string): void;
}

/** Milliseconds after which a session is noticed whose notice was lost. */
const CHECK_EVERY_MS = 1_000;
/** Scopes that the token of a session needs, throughout as at the beginning. */
const SCOPES = ["read", "write"] as const;

export function createReplay(deps: ReplayDeps): Replay {
  const { store, log, catalog } = deps;
  const lapse = (tokenId: string) => lapseOf(catalog, tokenId, SCOPES);
  const stopping = new AbortController();
  const running = new RunningSessions({ ...deps, stopping: stopping.signal, lapse }, wake);
  let rest = new AbortController();
  let working: Promise<void> | undefined;

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
      await pause(CHECK_EVERY_MS, AbortSignal.any([stopping.signal, rest.signal]));
    }
  }

  async function claim(): Promise<void> {
    // A session that waits for room must end, too, when its token is no longer allowed to replay.
    const lapsed = (await store.tokens()).filter((tokenId) => lapse(tokenId) !== undefined);
    const { claimed, giveBack } = await store.claim(running.capacity, lapsed);
    for (const id of giveBack) running.giveBack(id);
    for (const each of claimed) await running.start(each);
  }

  return {
    name: "replay",
    changed(id) {
      const renewed = running.renew(id);
      if (renewed === undefined) wake();
      else void renewed.then(wake);
    },
    async start() {
      catalog.onChange("token", () => {
        running.checkTokens();
        wake();
      });
      working = work();
    },
    async stop() {
      stopping.abort();
      await working;
      await running.release();
    },
  };
}
