// The states of events in Redis. Every change names the one that it was decided on, so that of several changes decided
// at the same time one is stored.
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { eventKey } from "../../../projections/event-state/check.ts";
import { dueAt } from "../../../projections/event-state/pass-time.ts";
import type { Known } from "../../../projections/event-state/types.ts";
import type { EventStateChanged } from "../../../schemas/events.ts";
import type { EventStateKeys } from "../../../schemas/redis-keys.ts";
import {
  DOUBT_SCRIPT,
  LOAD_SCRIPT,
  PUT_SCRIPT,
  RESTORE_SCRIPT,
  SETTLE_SCRIPT,
  TAKE_SCRIPT,
  WORKFLOWS_SCRIPT,
} from "./scripts.ts";
import type { Whole } from "./whole.ts";

export interface EventId {
  readonly scopeId: string;
  readonly workflowId: string;
}

/** A change as it is stored; its state is undefined when the event is to be forgotten. */
export interface Change {
  readonly token: string;
  readonly version: number;
  readonly state: Known;
}

export interface Entry extends Change {
  /** False: it may not be in the log, so nobody may rely on it yet. */
  readonly isLogged: boolean;
}

export interface Loaded {
  readonly entry: Entry | undefined;
  /** Redis' clock, so that all instances go by one. */
  readonly now: number;
}

/** `changed`: another change came first. `full of token`: of the events that began with the caller's token. */
export type Put = "put" | "changed" | "full" | "full of token";
/** `again`: another state was logged later, so this one must be as well. `other`: it is not the stored state any more. */
export type Settled = "settled" | "again" | "other";

export interface EventStore {
  load(id: EventId): Promise<Loaded>;
  /** `on`: token of the entry that the change was decided on. `by`: id of the caller's token; "" counts for nobody. */
  put(id: EventId, on: string | undefined, change: Change, by?: string): Promise<Put>;
  /** The change is in the log at this offset. */
  settle(id: EventId, change: Change, offset: number): Promise<Settled>;
  /** Some state of the event may be in the log after the stored one: that must be written again. */
  doubt(id: EventId): Promise<void>;
  /** At most two of the workflows with an event under the scope. */
  someWorkflows(scopeId: string): Promise<readonly string[]>;
  /** Events that time has changed, or that nobody has finished to write. Others get them a little later. */
  takeDue(count: number): Promise<readonly EventId[]>;
  /** The live events of tracks, those that were not looked at for longest first. */
  takeTracks(count: number): Promise<readonly EventStateChanged[]>;
}

export interface EventStoreOptions {
  readonly redis: Redis;
  readonly keys: EventStateKeys;
  readonly whole: Whole;
  readonly keepMs: number;
  readonly maxEvents: number;
  /** Those that began with one token. */
  readonly maxEventsPerToken: number;
}

/** Longer than a change takes from Redis to the log and back. */
const TAKE_UP_MS = 10_000;
const LOOK_AGAIN_MS = 1_000;

const reply = z.array(z.string().nullable());

type Arguments = readonly (string | number)[];

export function createEventStore(options: EventStoreOptions): EventStore {
  const { redis, keys, whole, keepMs, maxEvents, maxEventsPerToken } = options;
  const run = (script: string, on: readonly string[], args: Arguments) => redis.eval(script, on.length, ...on, ...args);

  /** Repeats what met a Redis that had lost states, when these are back. */
  async function ask(script: string, on: readonly string[], args: Arguments): Promise<readonly (string | null)[]> {
    for (;;) {
      const id = await whole.known();
      const [answer, ...values] = reply.parse(await run(script, [keys.marker, ...on], [id, ...args]));
      if (answer !== "lost") return [answer ?? "", ...values];
      whole.doubt(id);
    }
  }

  const keysOf = ({ scopeId, workflowId }: EventId) => [
    keys.event(eventKey(scopeId, workflowId)),
    ...[keys.due, keys.tracks, keys.scope(scopeId), keys.tokens],
  ];
  const namesOf = ({ scopeId, workflowId }: EventId) => [eventKey(scopeId, workflowId), workflowId];

  return {
    async load(id) {
      const [, now, ...fields] = await ask(LOAD_SCRIPT, keysOf(id), namesOf(id));
      return { now: Number(now), entry: entryOf(fields) };
    },

    async put(id, on, { token, version, state }, by = "") {
      const text = state === undefined ? "" : JSON.stringify(state);
      const change = [on ?? "", token, version, text, isLooked(state) ? 1 : 0, maxEvents, TAKE_UP_MS];
      const [answer] = await ask(PUT_SCRIPT, keysOf(id), [...namesOf(id), ...change, by, maxEventsPerToken]);
      return answer === "put" || answer === "full" || answer === "full of token" ? answer : "changed";
    },

    async settle(id, { token, state }, offset) {
      const due = state === undefined ? 0 : scoreOf(dueAt(state, { keepMs }));
      const args = [...namesOf(id), token, offset, due, randomUUID()];
      const [answer] = await ask(SETTLE_SCRIPT, keysOf(id), args);
      return answer === "settled" || answer === "again" ? answer : "other";
    },

    async doubt(id) {
      await ask(DOUBT_SCRIPT, keysOf(id), [...namesOf(id), randomUUID()]);
    },

    async someWorkflows(scopeId) {
      const [, ...workflows] = await ask(WORKFLOWS_SCRIPT, [keys.scope(scopeId)], []);
      return workflows.map((workflow) => workflow ?? "");
    },

    async takeDue(count) {
      return (await take(keys.due, count, TAKE_UP_MS)).map(readEventKey);
    },

    async takeTracks(count) {
      const members = await take(keys.tracks, count, LOOK_AGAIN_MS);
      const texts = await Promise.all(members.map((member) => redis.hget(keys.event(member), "state")));
      return texts.flatMap((text) => (text === null || text === "" ? [] : [parseState(text)]));
    },
  };

  async function take(set: string, count: number, putOffMs: number): Promise<readonly string[]> {
    return z.array(z.string()).parse(await run(TAKE_SCRIPT, [set], [count, putOffMs]));
  }
}

/** Puts a state back that the log has at this offset. */
export async function restoreState(
  redis: Redis,
  keys: EventStateKeys,
  { state, offset, keepMs }: { readonly state: EventStateChanged; readonly offset: number; readonly keepMs: number },
): Promise<void> {
  const { key, scopeId, workflowId, version } = state;
  const on = [keys.event(key), keys.due, keys.tracks, keys.scope(scopeId)];
  const change = [randomUUID(), version, JSON.stringify(state), offset, scoreOf(dueAt(state, { keepMs }))];
  await redis.eval(RESTORE_SCRIPT, on.length, ...on, key, workflowId, ...change, isLooked(state) ? 1 : 0);
}

function entryOf([token, logged, version, text]: readonly (string | null)[]): Entry | undefined {
  if (token == null) return undefined;
  const state = text ? parseState(text) : undefined;
  return { token, version: Number(version), state, isLogged: Number(logged) >= 0 };
}

const isLooked = (state: Known): boolean => state?.scopeType === "track" && state.state !== "closed";

const scoreOf = (time: number): string => (time === Number.POSITIVE_INFINITY ? "+inf" : String(time));

const parseState = (text: string): EventStateChanged => JSON.parse(text);

function readEventKey(key: string): EventId {
  const [scopeId = "", workflowId = ""] = z.array(z.string()).parse(JSON.parse(key));
  return { scopeId, workflowId };
}
