// The body that a receiver gets. Member names are those of the State Machine API.
import { messageOf } from "../../../schemas/errors.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import type { Entities } from "../../catalog/define-entity.ts";
import { locationOf } from "../../catalog/place-of.ts";
import type { Parcel, WaitingSignal } from "./waiting.ts";

type Json = Readonly<Record<string, unknown>>;

export interface Context {
  readonly subscription: SubscriptionSet;
  readonly catalog: Entities;
  /** Time at which the body is sent, ms. */
  readonly now: number;
}

export type Body = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/**
 * A body contains the filters up to this number of characters, which is several times the size that a queue allows for
 * one batch. A body may exceed it when the subscription was set again with longer filters after the queue counted the
 * batch.
 */
const FILTERS_UP_TO = 8 * 1024 * 1024;
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * Returns the text to send: one object or, for a batch and for a subscription in batch mode, an array of objects. Each
 * item repeats the filters. When they would make the text too long, they are left out, and the member `truncated` of
 * `trigger_config` says so.
 */
export function bodyOf(parcel: Parcel, context: Context): Body {
  try {
    const { subscription } = context;
    const isShort = charactersOf(parcel) + parcel.signals.length * configBytes(subscription) > FILTERS_UP_TO;
    return joined(parcel, context, isShort ? shortConfig(subscription) : triggerConfig(subscription));
  } catch (error) {
    // Nothing here depends on a store, so a body that cannot be made now never can be.
    return { ok: false, reason: `the body cannot be made: ${messageOf(error)}` };
  }
}

function joined({ signals, merged, isBatch }: Parcel, context: Context, config: Json): Body {
  const items: string[] = [];
  let characters = 0;
  for (const each of signals) {
    const item = JSON.stringify(payloadOf(each, merged, context, config));
    characters += item.length;
    if (characters > MOST_CHARACTERS) {
      return { ok: false, reason: `the body would have more than ${MOST_CHARACTERS} characters` };
    }
    items.push(item);
  }
  const isArray = isBatch || context.subscription.mode === "batch";
  return { ok: true, text: isArray ? `[${items.join(",")}]` : (items[0] ?? "") };
}

const charactersOf = ({ signals }: Parcel): number => signals.reduce((sum, { state }) => sum + state.length, 0);

const bytesOfConfigs = new WeakMap<SubscriptionSet, number>();

/**
 * Returns the bytes of the trigger config, which each item of a body repeats. The number is cached, because each signal
 * of a batch needs it.
 */
export function configBytes(subscription: SubscriptionSet): number {
  const known = bytesOfConfigs.get(subscription);
  if (known !== undefined) return known;
  const bytes = Buffer.byteLength(JSON.stringify(triggerConfig(subscription)));
  bytesOfConfigs.set(subscription, bytes);
  return bytes;
}

/** `merged` is the number of earlier updates that the signal replaced. */
export function payloadOf(
  waiting: WaitingSignal,
  merged: number,
  context: Context,
  config = triggerConfig(context.subscription),
): Json {
  const { signal, emitReason, expiredBy } = waiting;
  return {
    signal,
    ...subjectOf(waiting, context),
    ...(emitReason === null ? {} : { emit_reason: emitReason }),
    ...(expiredBy === null ? {} : { expired_by: expiredBy }),
    ...(merged === 0 ? {} : { merged }),
    trigger_config: config,
  };
}

/** The test shows that the receiver can be reached and knows the secret. */
export const testPayload = ({ subscription, now }: Context): Json => ({
  signal: "test",
  timestamp: isoTime(now),
  trigger_config: triggerConfig(subscription),
});

function subjectOf({ signal, state }: WaitingSignal, { catalog, now }: Context): Json {
  if (signal.startsWith("chronicle_")) return { chronicle: JSON.parse(state), timestamp: isoTime(now) };
  const named = withNames(JSON.parse(state), catalog);
  return signal.startsWith("zone_") ? { zone_state: named } : { track_state: named };
}

/** Adds the names and the place of the data source, which the catalog has; the signal has only its id. */
function withNames(state: Json, catalog: Entities): Json {
  const id = state["datasource_id"];
  if (typeof id !== "string") return state;
  return { ...state, ...locationOf(id, catalog) };
}

const NO_FILTERS = { siteIds: [], dataSourceIds: [], zoneIds: [], tags: [] };

const shortConfig = (subscription: SubscriptionSet): Json => ({
  ...triggerConfig({ ...subscription, filters: { ...subscription.filters, ...NO_FILTERS } }),
  truncated: true,
});

function triggerConfig(subscription: SubscriptionSet): Json {
  const { mode, signalType, batchInterval, filters, triggerOn, workflowId, workflowName } = subscription;
  const workflow = { id: workflowId, name: workflowName };
  if (signalType === "activity_chronicle") return { signal_type: signalType, trigger_on: triggerOn, workflow };
  return {
    mode,
    signal_type: signalType,
    ...(mode === "batch" ? { batch_interval: batchInterval } : {}),
    filters: {
      site_id: filters.siteIds[0] ?? null,
      datasource_ids: filters.dataSourceIds,
      zone_ids: filters.zoneIds,
      tags: filters.tags,
    },
    workflow,
  };
}
