// Decides about one event, so that every answer is durable and no two callers get the same order. A decision is stored
// in Redis if the state is still the one that it was made on, then written to the log, then marked as logged. A
// decision without the mark was not given to any caller. A process that finds one, because its process died or the log
// was unavailable, writes it first.
import { randomUUID } from "node:crypto";
import { eventKey } from "../../../projections/event-state/check.ts";
import type { CurrentEvent, Decision, EventRefusal } from "../../../projections/event-state/types.ts";
import { unavailable } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import { pause } from "../../common/loop.ts";
import { patiently } from "../../common/patiently.ts";
import type { Journal } from "./journal.ts";
import type { EventId, EventStore, Settled, StoredChange, StoredEvent } from "./store.ts";
import { createKeyedTurns } from "./turns.ts";

/** `now` is the time of Redis' clock, ms. May be called several times. */
export type DecideEvent = (state: CurrentEvent, now: number) => Decision | Promise<Decision>;

export type DecisionOutcome = Decision | (Omit<EventRefusal, "refused"> & { readonly refused: "full" });

export type Decisions = ReturnType<typeof createDecisions>;

export interface DecisionsOptions {
  readonly store: EventStore;
  readonly journal: Journal;
  readonly log: Log;
  /** Ends the retries of a decision that could not be taken back. */
  readonly stopped: AbortSignal;
}

/** A caller gets an answer within this time, even when a store hangs. */
const ANSWER_WITHIN_MS = 5_000;
/** Milliseconds for which a caller waits until a decision is taken back. */
const INSIST_FOR_MS = 500;

export function createDecisions(options: DecisionsOptions) {
  const turns = createKeyedTurns();

  return {
    /**
     * Rejects with UNAVAILABLE when a store is unavailable or hangs; then nothing was decided. `by` is the id of the
     * caller's token, for which an event that begins counts.
     */
    async decide(id: EventId, decide: DecideEvent, by?: string): Promise<DecisionOutcome> {
      const endsAt = performance.now() + ANSWER_WITHIN_MS;
      const answer = await answerOf(options, id, decide);
      if (answer !== undefined) return answer;
      return turns.take(eventKey(id.scopeId, id.workflowId), () => decideNow(options, id, { decide, endsAt, by }));
    },
  };
}

/** Resolves with true when the change is the stored one, and in the log. */
async function write(options: DecisionsOptions, id: EventId, change: StoredChange): Promise<boolean> {
  const key = eventKey(id.scopeId, id.workflowId);
  for (;;) {
    const offset = await options.journal.write(key, change.state).catch(async (error) => {
      await insist(options, "mark a decision as not logged", () => options.store.unsettle(id));
      throw error;
    });
    const settled: Settled = await options.store.settle(id, change, offset);
    if (settled !== "again") return settled === "settled";
  }
}

/** @returns undefined when something must be written before the caller may get an answer. */
async function answerOf(
  options: DecisionsOptions,
  id: EventId,
  decide: DecideEvent,
): Promise<DecisionOutcome | undefined> {
  const { entry, now } = await options.store.load(id);
  if (entry !== undefined && !entry.isLogged) return undefined;
  const decision = await decide(entry?.state, now);
  return "refused" in decision || decision.state === entry?.state ? decision : undefined;
}

interface Deciding {
  readonly decide: DecideEvent;
  readonly endsAt: number;
  readonly by: string | undefined;
}

async function decideNow(options: DecisionsOptions, id: EventId, deciding: Deciding): Promise<DecisionOutcome> {
  const { decide, endsAt } = deciding;
  while (performance.now() < endsAt) {
    const { entry, now } = await options.store.load(id);
    if (entry !== undefined && !entry.isLogged) {
      await within(endsAt, write(options, id, entry));
      continue;
    }
    const decision = await decide(entry?.state, now);
    if ("refused" in decision || decision.state === entry?.state) return decision;
    const outcome = await carryOut(options, id, entry, { ...deciding, state: decision.state });
    if (outcome === "done") return decision;
    if (outcome === "full") return { refused: "full", reason: "there are too many events" };
    if (outcome === "full of token") return { refused: "full", reason: "there are too many events of this token" };
  }
  throw unavailable("too many others are changing this event");
}

async function carryOut(
  options: DecisionsOptions,
  id: EventId,
  entry: StoredEvent | undefined,
  { state, endsAt, by }: Omit<Deciding, "decide"> & { readonly state: CurrentEvent },
) {
  const version = state?.version ?? (entry?.version ?? 0) + 1;
  const change: StoredChange = { token: randomUUID(), version, state };
  try {
    const put = await options.store.put(id, entry?.token, change, by);
    if (put !== "put") return put;
    return (await within(endsAt, write(options, id, change))) ? "done" : "changed";
  } catch (error) {
    await takeBack(options, id, entry, change);
    throw error;
  }
}

/**
 * Restores the state before the change. The caller is asked to repeat the request, and must then get the same order.
 */
function takeBack(options: DecisionsOptions, id: EventId, entry: StoredEvent | undefined, change: StoredChange) {
  const { token, version } = change;
  const state = entry?.state === undefined ? undefined : { ...entry.state, version: version + 1 };
  const before: StoredChange = { token: randomUUID(), version: version + 1, state };
  return insist(options, "take a decision back", () => options.store.put(id, token, before));
}

/**
 * Retries the work until it succeeds. The caller waits for at most INSIST_FOR_MS; the work then continues in the
 * background.
 */
async function insist(options: DecisionsOptions, what: string, work: () => Promise<unknown>): Promise<void> {
  const done = patiently(what, work, { log: options.log, signal: options.stopped });
  const failed = done.catch((error) => options.log.warn({ err: error, what }, "given up"));
  await Promise.race([failed, pause(INSIST_FOR_MS)]);
}

/** Rejects at `endsAt` when the work is not done; the work itself continues. */
async function within<T>(endsAt: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  work.catch(() => undefined);
  try {
    const late = pause(Math.max(endsAt - performance.now(), 0), over.signal).then(() => {
      throw unavailable("the log does not answer in time");
    });
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
