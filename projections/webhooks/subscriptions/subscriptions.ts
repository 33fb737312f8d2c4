// The subscriptions as the topic has them. A message contains everything under its key, so of two messages the one with
// the higher offset counts, in whatever order they arrive: a process applies its own acknowledged writes before the
// topic delivers them.
import type { Typed } from "../../../schemas/events.ts";
import type { SignalType, StopReason, SubscriptionSet } from "../../../schemas/records/subscription.ts";
import type { RecordOf } from "../../../schemas/topics.ts";
import { createBySource } from "./by-source.ts";

export interface Subscription extends SubscriptionSet {
  /** Undefined while signals are delivered. */
  readonly stopped: Stopped | undefined;
}

export interface Stopped {
  readonly reason: StopReason;
  readonly detail: string;
  readonly at: number;
}

export type SubscriptionRecord = Typed<RecordOf<"subscriptions">>;

/** `before` is undefined when the subscription did not exist before, `after` when it no longer exists. */
export type OnSubscriptionChange = (
  id: string,
  before: Subscription | undefined,
  after: Subscription | undefined,
) => void;

export interface Subscriptions {
  /** @returns undefined also for a deleted subscription. */
  get(id: string): Subscription | undefined;
  /** All subscriptions, in no particular order, including those that are stopped. */
  all(): Iterable<Subscription>;
  active(): readonly Subscription[];
  count(): number;
  /** The number of subscriptions with the token's credentials. */
  countOfToken(tokenId: string): number;
  /**
   * The active subscriptions that a signal of this data source may concern, sorted by id. Costs one look-up when there
   * are none.
   */
  matching(signalType: SignalType, dataSourceId: string): readonly Subscription[];
  /** The view calls the listener at once, after it has changed. */
  onChange(listener: OnSubscriptionChange): void;
  /** Applies the next message of the topic. A repeated one changes nothing. */
  apply(record: SubscriptionRecord, offset: number): undefined;
  /** Applies a write of this process that the log has acknowledged. The topic will deliver it once more. */
  applyOwn(record: SubscriptionRecord, offset: number): void;
}

interface At<Event> {
  readonly offset: number;
  readonly event: Event;
}

type SetAt = At<SubscriptionSet>;
type StopAt = At<Extract<SubscriptionRecord, { type: "SubscriptionStopped" }>["event"]>;

export function createSubscriptions(): Subscriptions {
  const sets = new Map<string, SetAt>();
  const stops = new Map<string, StopAt>();
  const current = new Map<string, Subscription>();
  const perToken = createCounts();
  const bySource = createBySource();
  const listeners: OnSubscriptionChange[] = [];
  /** Offset after the newest message that the topic has delivered. */
  let next = 0;

  function put(record: SubscriptionRecord, offset: number): void {
    const isStop = record.type === "SubscriptionStopped";
    const isNew = isStop
      ? keepNewest(stops, record.event.id, { offset, event: record.event })
      : keepNewest(sets, record.event.key, { offset, event: record.event });
    if (isNew) show(isStop ? record.event.id : record.event.key);
  }

  function show(id: string): void {
    const before = current.get(id);
    const after = shownAs(sets.get(id)?.event, stops.get(id)?.event);
    if (after === undefined) current.delete(id);
    else current.set(id, after);
    perToken.add(before?.tokenId, -1);
    perToken.add(after?.tokenId, 1);
    bySource.replace(before, after);
    if (before !== undefined || after !== undefined) for (const listener of listeners) listener(id, before, after);
  }

  /** A deleted subscription is remembered until the topic has delivered everything older. */
  function forgetDeleted(id: string, offset: number): void {
    const set = sets.get(id);
    if (set === undefined || !set.event.deleted || set.offset > offset) return;
    sets.delete(id);
    stops.delete(id);
  }

  return {
    get: (id) => current.get(id),
    all: () => current.values(),
    active: () => [...current.values()].filter(({ stopped }) => stopped === undefined),
    count: () => current.size,
    countOfToken: perToken.of,
    matching: bySource.matching,
    onChange: (listener) => void listeners.push(listener),
    apply(record, offset) {
      if (offset < next) return;
      next = offset + 1;
      put(record, offset);
      if (record.type === "SubscriptionSet") forgetDeleted(record.event.key, offset);
    },
    applyOwn(record, offset) {
      if (offset >= next) put(record, offset);
    },
  };
}

/** @returns false when the message is not newer than the one that is there. */
function keepNewest<Event>(messages: Map<string, At<Event>>, id: string, message: At<Event>): boolean {
  const before = messages.get(id);
  if (before !== undefined && before.offset >= message.offset) return false;
  messages.set(id, message);
  return true;
}

function createCounts() {
  const counts = new Map<string, number>();
  return {
    of: (key: string) => counts.get(key) ?? 0,
    add(key: string | undefined, by: 1 | -1): void {
      if (key === undefined) return;
      const counted = (counts.get(key) ?? 0) + by;
      if (counted === 0) counts.delete(key);
      else counts.set(key, counted);
    },
  };
}

/** A stop counts for the version that it names, so setting a subscription again lifts the stop. */
function shownAs(set: SubscriptionSet | undefined, stop: StopAt["event"] | undefined): Subscription | undefined {
  if (set === undefined || set.deleted) return undefined;
  if (stop === undefined || stop.version !== set.version || stop.reason === null) return { ...set, stopped: undefined };
  return { ...set, stopped: { reason: stop.reason, detail: stop.detail, at: stop.at } };
}
