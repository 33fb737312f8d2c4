// States of events in Redis. Every change names the state that it was decided on, so that of several simultaneous
// changes only one is stored.
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { eventKey } from "../../../projections/event-state/check.ts";
import { dueAt } from "../../../projections/event-state/pass-time.ts";
import type { CurrentEvent } from "../../../projections/event-state/types.ts";
import type { EventStateChanged } from "../../../schemas/events.ts";
import type { EventStateKeys } from "../../../schemas/redis-keys.ts";
import type { RestoredStates } from "./restored-states.ts";
import { eventScripts } from "./scripts.ts";

export interface EventId {
  readonly scopeId: string;
  readonly workflowId: string;
}

/** A change as it is stored; its state is undefined when the event must be forgotten. */
export interface StoredChange {
  readonly token: string;
  readonly version: number;
  readonly state: CurrentEvent;
}

export interface StoredEvent extends StoredChange {
  /** When false, the change may not be in the log, so no caller may rely on it yet. */
  readonly isLogged: boolean;
}

export interface LoadedEvent {
  readonly entry: StoredEvent | undefined;
  /** Time of Redis' clock, which all instances share. */
  readonly now: number;
}

/**
 * "changed" means that another change came first, "full of token" that too many events began with the caller's token.
 */
export type Put = "put" | "changed" | "full" | "full of token";
/**
 * "again" means that another state was logged later, so this one must be logged again as well; "other" means that it is
 * no longer the stored state.
 */
export type Settled = "settled" | "again" | "other";

export interface EventStore {
  load(id: EventId): Promise<LoadedEvent>;
  /**
   * `on` is the token of the entry that the change was decided on. `by` is the id of the caller's token; "" counts for
   * none.
   */
  put(id: EventId, on: string | undefined, change: StoredChange, by?: string): Promise<Put>;
  /** Records that the change is in the log at this offset. */
  settle(id: EventId, change: StoredChange, offset: number): Promise<Settled>;
  /** Records that the log may have a state of the event after the stored one, which must then be written again. */
  unsettle(id: EventId): Promise<void>;
  /** Returns at most two of the workflows with an event under the scope. */
  someWorkflows(scopeId: string): Promise<readonly string[]>;
  /**
   * Takes events that time has changed, or whose change was not written completely. Other callers get them a little
   * later.
   */
  takeDue(count: number): Promise<readonly EventId[]>;
  /** Takes the live events of tracks, those that were checked longest ago first. */
  takeTracks(count: number): Promise<readonly EventStateChanged[]>;
}

export interface EventStoreOptions {
  readonly redis: Redis;
  readonly keys: EventStateKeys;
  readonly restored: RestoredStates;
  readonly keepMs: number;
  readonly maxEvents: number;
  /** Events that began with one token. */
  readonly maxEventsPerToken: number;
}

/** Longer than a change takes from Redis to the log and back. */
const TAKE_UP_MS = 10_000;
const CHECK_AGAIN_MS = 1_000;
/**
 * Shortest interval between recounts. Redis counts 100 000 events in a tenth of a second, and does nothing else
 * meanwhile.
 */
const RECOUNT_EVERY_MS = 600_000;

export function createEventStore(options: EventStoreOptions): EventStore {
  const { redis, keys, keepMs, maxEvents, maxEventsPerToken } = options;
  const own = (guard: Guard, id: EventId) => ({ ...guard, ...placesOf(options, id) });
  let recountedAt = Number.NEGATIVE_INFINITY;

  return {
    async load(id) {
      const [, now, ...fields] = await ask(options, (guard) => eventScripts.load(redis, own(guard, id)));
      return { now: Number(now), entry: entryOf(fields) };
    },

    async put(id, on = "", { token, version, state }, by = "") {
      const text = state === undefined ? "" : JSON.stringify(state);
      const change = { on, token, version, state: text, isTrackChecked: needsTrackCheck(state) ? 1 : 0 };
      const bounds = { maxEvents, maxEventsPerToken, takeUpMs: TAKE_UP_MS };
      const attempt = () =>
        ask(options, (guard) => eventScripts.put(redis, { ...own(guard, id), ...change, ...bounds, by }));
      let [answer] = await attempt();
      if (answer === "full of token" && performance.now() - recountedAt >= RECOUNT_EVERY_MS) {
        recountedAt = performance.now();
        await recountTokens(redis, keys);
        [answer] = await attempt();
      }
      return answer === "put" || answer === "full" || answer === "full of token" ? answer : "changed";
    },

    async settle(id, { token, state }, offset) {
      const due = state === undefined ? 0 : scoreOf(dueAt(state, { keepMs }));
      const logged = { token, offset, dueAt: due, newToken: randomUUID() };
      const [answer] = await ask(options, (guard) => eventScripts.settle(redis, { ...own(guard, id), ...logged }));
      return answer === "settled" || answer === "again" ? answer : "other";
    },

    async unsettle(id) {
      const newToken = randomUUID();
      await ask(options, (guard) => eventScripts.unsettle(redis, { ...own(guard, id), newToken }));
    },

    someWorkflows: (scopeId) => someWorkflows(options, scopeId),

    async takeDue(count) {
      const members = await eventScripts.takeDue(redis, { set: keys.due, count, postponeMs: TAKE_UP_MS });
      return members.map(readEventKey);
    },

    async takeTracks(count) {
      const members = await eventScripts.takeDue(redis, { set: keys.tracks, count, postponeMs: CHECK_AGAIN_MS });
      const texts = await Promise.all(members.map((member) => redis.hget(keys.event(member), "state")));
      return texts.flatMap((text) => (text === null || text === "" ? [] : [parseState(text)]));
    },
  };
}

async function someWorkflows(options: EventStoreOptions, scopeId: string): Promise<readonly string[]> {
  const scope = options.keys.scope(scopeId);
  const [, ...workflows] = await ask(options, (guard) => eventScripts.workflows(options.redis, { ...guard, scope }));
  return workflows.map((workflow) => workflow ?? "");
}

/** When Redis has lost states, repeats the script after they are restored. */
async function ask(
  { restored, keys }: EventStoreOptions,
  script: (guard: Guard) => Promise<readonly (string | null)[]>,
): Promise<readonly (string | null)[]> {
  for (;;) {
    const markerValue = await restored.markerValue();
    const [answer, ...values] = await script({ marker: keys.marker, markerValue });
    if (answer !== "lost") return [answer ?? "", ...values];
    restored.lost(markerValue);
  }
}

/** The keys of an event, and its names in the sets. */
function placesOf({ keys }: EventStoreOptions, { scopeId, workflowId }: EventId) {
  const eventName = eventKey(scopeId, workflowId);
  const { due, tracks, tokens } = keys;
  return { event: keys.event(eventName), due, tracks, scope: keys.scope(scopeId), tokens, eventName, workflowId };
}

/** Arguments of every script that checks whether Redis may have lost states. */
type Guard = Readonly<Record<"marker" | "markerValue", string>>;

/** Corrects a wrong count of events per token. */
export async function recountTokens(redis: Redis, keys: EventStateKeys): Promise<void> {
  await eventScripts.recount(redis, { due: keys.due, tokens: keys.tokens, prefix: keys.event("") });
}

/** Restores a state that the log has at this offset. */
export async function restoreState(
  redis: Redis,
  keys: EventStateKeys,
  { state, offset, keepMs }: { readonly state: EventStateChanged; readonly offset: number; readonly keepMs: number },
): Promise<void> {
  const { key, scopeId, workflowId, version } = state;
  await eventScripts.restore(redis, {
    event: keys.event(key),
    due: keys.due,
    tracks: keys.tracks,
    scope: keys.scope(scopeId),
    eventName: key,
    workflowId,
    token: randomUUID(),
    version,
    state: JSON.stringify(state),
    offset,
    dueAt: scoreOf(dueAt(state, { keepMs })),
    isTrackChecked: needsTrackCheck(state) ? 1 : 0,
  });
}

function entryOf([token, logged, version, text]: readonly (string | null)[]): StoredEvent | undefined {
  if (token == null) return undefined;
  const state = text ? parseState(text) : undefined;
  return { token, version: Number(version), state, isLogged: Number(logged) >= 0 };
}

const needsTrackCheck = (state: CurrentEvent): boolean => state?.scopeType === "track" && state.state !== "closed";

const scoreOf = (time: number): string => (time === Number.POSITIVE_INFINITY ? "+inf" : String(time));

const parseState = (text: string): EventStateChanged => JSON.parse(text);

function readEventKey(key: string): EventId {
  const [scopeId = "", workflowId = ""] = z.array(z.string()).parse(JSON.parse(key));
  return { scopeId, workflowId };
}
