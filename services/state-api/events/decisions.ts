// Decides about one event, so that what a caller hears is durable and was told to nobody else: the decision is stored in
// Redis if the state is still the one that it was made on, then written to the log, then marked as logged. A decision
// that is not marked was told to nobody. Whoever finds one, because its process died or the log was away, writes it
// first.
import { randomUUID } from "node:crypto";
import { eventKey } from "../../../projections/event-state/check.ts";
import type { Decision, Known, Refused } from "../../../projections/event-state/types.ts";
import { unavailable } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import { pause } from "../../common/loop.ts";
import { patiently } from "../../common/patiently.ts";
import type { Journal } from "./journal.ts";
import type { Change, Entry, EventId, EventStore, Settled } from "./store.ts";
import { createTurns } from "./turns.ts";

/** `now`: Redis' clock, ms. May be called several times. */
export type Decide = (state: Known, now: number) => Decision | Promise<Decision>;

export type Outcome = Decision | (Omit<Refused, "refused"> & { readonly refused: "full" });

export type Decisions = ReturnType<typeof createDecisions>;

export interface DecisionsOptions {
  readonly store: EventStore;
  readonly journal: Journal;
  readonly log: Log;
  /** Ends the repetition of what could not be taken back. */
  readonly stopped: AbortSignal;
}

/** A caller hears within this time, also when a store is stuck. */
const ANSWER_WITHIN_MS = 5_000;
const RETRY_AFTER_MS = 1_000;
/** A caller waits no longer for that. */
const INSIST_FOR_MS = 500;

export function createDecisions({ store, journal, log, stopped }: DecisionsOptions) {
  const turns = createTurns();

  /** Resolves with whether the change is the stored one, and in the log. */
  async function write(id: EventId, change: Change): Promise<boolean> {
    const key = eventKey(id.scopeId, id.workflowId);
    for (;;) {
      const offset = await journal.write(key, change.state).catch(async (error) => {
        await insist("doubt the order in the log", () => store.doubt(id));
        throw error;
      });
      const settled: Settled = await store.settle(id, change, offset);
      if (settled !== "again") return settled === "settled";
    }
  }

  /** Undefined: something must be written first. */
  async function answerOf(id: EventId, decide: Decide): Promise<Outcome | undefined> {
    const { entry, now } = await store.load(id);
    if (entry !== undefined && !entry.isLogged) return undefined;
    const decision = await decide(entry?.state, now);
    return "refused" in decision || decision.state === entry?.state ? decision : undefined;
  }

  async function decideNow(id: EventId, decide: Decide, endsAt: number, by: string | undefined): Promise<Outcome> {
    while (performance.now() < endsAt) {
      const { entry, now } = await store.load(id);
      if (entry !== undefined && !entry.isLogged) {
        await within(endsAt, write(id, entry));
        continue;
      }
      const decision = await decide(entry?.state, now);
      if ("refused" in decision || decision.state === entry?.state) return decision;
      const outcome = await carryOut(id, entry, decision.state, endsAt, by);
      if (outcome === "done") return decision;
      if (outcome === "full") return { refused: "full", reason: "there are too many events" };
      if (outcome === "full of token") return { refused: "full", reason: "there are too many events of this token" };
    }
    throw unavailable("too many others are changing this event", RETRY_AFTER_MS);
  }

  async function carryOut(id: EventId, entry: Entry | undefined, state: Known, endsAt: number, by?: string) {
    const version = state?.version ?? (entry?.version ?? 0) + 1;
    const change: Change = { token: randomUUID(), version, state };
    try {
      const put = await store.put(id, entry?.token, change, by);
      if (put !== "put") return put;
      return (await within(endsAt, write(id, change))) ? "done" : "changed";
    } catch (error) {
      await takeBack(id, entry, change);
      throw error;
    }
  }

  /** The caller is told to repeat the request, and shall then hear the same. */
  function takeBack(id: EventId, entry: Entry | undefined, { token, version }: Change): Promise<void> {
    const state = entry?.state === undefined ? undefined : { ...entry.state, version: version + 1 };
    const before: Change = { token: randomUUID(), version: version + 1, state };
    return insist("take a decision back", () => store.put(id, token, before));
  }

  /** When Redis is away this goes on in the background. */
  async function insist(what: string, work: () => Promise<unknown>): Promise<void> {
    const done = patiently(what, work, { log, signal: stopped });
    const failed = done.catch((error) => log.warn({ err: error, what }, "given up"));
    await Promise.race([failed, pause(INSIST_FOR_MS)]);
  }

  return {
    /**
     * Rejects with UNAVAILABLE when a store is away or stuck; then nothing was decided. `by`: id of the caller's token, for
     * which an event that begins counts.
     */
    async decide(id: EventId, decide: Decide, by?: string): Promise<Outcome> {
      const endsAt = performance.now() + ANSWER_WITHIN_MS;
      const answer = await answerOf(id, decide);
      if (answer !== undefined) return answer;
      return turns.take(eventKey(id.scopeId, id.workflowId), () => decideNow(id, decide, endsAt, by));
    },
  };
}

/** What comes too late still goes on. */
async function within<T>(endsAt: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  work.catch(() => undefined);
  try {
    const late = pause(Math.max(endsAt - performance.now(), 0), over.signal).then(() => {
      throw unavailable("the log does not answer in time", RETRY_AFTER_MS);
    });
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
