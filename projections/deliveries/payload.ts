// What a receiver is sent. Member names are those of the State Machine API.
import { isoTime } from "../../schemas/identity.ts";
import type { SubscriptionSet } from "../../schemas/records/subscription.ts";
import type { Entities } from "../catalog/define-entity.ts";
import type { Parcel, WaitingSignal } from "./waiting.ts";

type Json = Readonly<Record<string, unknown>>;

export interface Context {
  readonly subscription: SubscriptionSet;
  readonly catalog: Entities;
  /** When it is sent, ms. */
  readonly now: number;
}

/** The text that is sent: an object; to a subscription in batch mode always an array of them. */
export function bodyOf({ signals, merged, isBatch }: Parcel, context: Context): string {
  const payloads = signals.map((each) => payloadOf(each, merged, context));
  const isArray = isBatch || context.subscription.mode === "batch";
  return JSON.stringify(isArray ? payloads : payloads[0]);
}

/** `merged`: how many earlier updates it took the place of. */
export function payloadOf(waiting: WaitingSignal, merged: number, context: Context): Json {
  const { signal, emitReason, expiredBy } = waiting;
  return {
    signal,
    ...subjectOf(waiting, context),
    ...(emitReason === null ? {} : { emit_reason: emitReason }),
    ...(expiredBy === null ? {} : { expired_by: expiredBy }),
    ...(merged === 0 ? {} : { merged }),
    trigger_config: triggerConfig(context.subscription),
  };
}

/** Shows that a receiver can be reached and knows the secret. */
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

/** The signal says which data source it is of; what that is called, and where it is, the catalog knows. */
function withNames(state: Json, catalog: Entities): Json {
  const id = state["datasource_id"];
  if (typeof id !== "string") return state;
  const [device] = catalog.referring("device", "dataSourceId", id);
  const siteId = device?.siteId ?? null;
  return {
    ...state,
    datasource_name: catalog.get("dataSource", id)?.name ?? null,
    device_id: device?.id ?? null,
    site_id: siteId,
    site_name: siteId === null ? null : (catalog.get("site", siteId)?.name ?? null),
  };
}

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
