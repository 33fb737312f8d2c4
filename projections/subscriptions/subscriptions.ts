// The subscriptions as the topic has them. A message says all that is to be known under its key, so of two messages the
// one with the higher offset counts, in whatever order they come: a process lays its own acknowledged writes over the
// view before the topic brings them.
import type { Typed } from "../../schemas/events.ts";
import type { SignalType, StopReason, SubscriptionSet } from "../../schemas/records/subscription.ts";
import type { RecordOf } from "../../schemas/topics.ts";
import { createBySource } from "./by-source.ts";

export interface Subscription extends SubscriptionSet {
  /** undefined = signals are delivered. */
  readonly stopped: Stopped | undefined;
}

export interface Stopped {
  readonly reason: StopReason;
  readonly detail: string;
  readonly at: number;
}

export type SubscriptionRecord = Typed<RecordOf<"subscriptions">>;

/** `before` or `after` is undefined when the subscription did not exist before, or does not exist any more. */
export type OnSubscriptionChange = (
  id: string,
  before: Subscription | undefined,
  after: Subscription | undefined,
) => void;

export interface Subscriptions {
  /** undefined also for a deleted one. */
  get(id: string): Subscription | undefined;
  /** In no particular order, with those that are stopped. */
  all(): Iterable<Subscription>;
  active(): readonly Subscription[];
  count(): number;
  /** How many have the token's credentials. */
  countOfToken(tokenId: string): number;
  /** Active ones that a signal of this data source may concern, by id. Costs one look-up when there is none. */
  matching(signalType: SignalType, dataSourceId: string): readonly Subscription[];
  /** Called at once, after the view has changed. */
  onChange(listener: OnSubscriptionChange): void;
  /** Takes the next message of the topic; a repeated one changes nothing. */
  apply(record: SubscriptionRecord, offset: number): undefined;
  /** Takes a write of this process that the log has acknowledged; the topic will bring it once more. */
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
  const perToken = new Map<string, number>();
  const bySource = createBySource();
  const listeners: OnSubscriptionChange[] = [];
  /** Offset after the newest message that the topic has brought. */
  let next = 0;

  function put(record: SubscriptionRecord, offset: number): void {
    if (record.type === "SubscriptionStopped") {
      if (!isNewer(stops.get(record.event.id), offset)) return;
      stops.set(record.event.id, { offset, event: record.event });
      show(record.event.id);
    } else {
      if (!isNewer(sets.get(record.event.key), offset)) return;
      sets.set(record.event.key, { offset, event: record.event });
      show(record.event.key);
    }
  }

  function show(id: string): void {
    const before = current.get(id);
    const after = shownAs(sets.get(id)?.event, stops.get(id)?.event);
    if (after === undefined) current.delete(id);
    else current.set(id, after);
    count(before, -1);
    count(after, 1);
    bySource.replace(before, after);
    if (before !== undefined || after !== undefined) for (const listener of listeners) listener(id, before, after);
  }

  function count(subscription: Subscription | undefined, by: 1 | -1): void {
    if (subscription === undefined) return;
    const { tokenId } = subscription;
    const counted = (perToken.get(tokenId) ?? 0) + by;
    if (counted === 0) perToken.delete(tokenId);
    else perToken.set(tokenId, counted);
  }

  /** A deleted one is remembered until the topic has brought all that is older. */
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
    countOfToken: (tokenId) => perToken.get(tokenId) ?? 0,
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

const isNewer = (known: { readonly offset: number } | undefined, offset: number): boolean =>
  known === undefined || known.offset < offset;

/** A stop counts for the version that it names: whoever sets a subscription again lifts it. */
function shownAs(set: SubscriptionSet | undefined, stop: StopAt["event"] | undefined): Subscription | undefined {
  if (set === undefined || set.deleted) return undefined;
  if (stop === undefined || stop.version !== set.version || stop.reason === null) return { ...set, stopped: undefined };
  return { ...set, stopped: { reason: stop.reason, detail: stop.detail, at: stop.at } };
}
