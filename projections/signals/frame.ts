// Zone signals. A subscription that hears every update is told at once. One that hears of changed compositions is told when
// its frame is over: all detections with one timestamp that follow one another in a message.
import type { SignalName } from "../../schemas/records/signal-raised.ts";
import { isRestDue, type Steps } from "../live/pace.ts";
import type { Composition, Fold, LiveZone } from "../live/state.ts";
import type { ZoneUpdate } from "../live/views.ts";
import type { ZoneListener } from "./listeners.ts";
import { raise } from "./raise.ts";
import { createZoneViews, type ZoneView, type ZoneViews } from "./zone-view.ts";

export interface Frame {
  /** The timestamp of its detections; NaN = it has none. */
  readonly at: number;
  readonly zones: Map<LiveZone, Map<string, Change>>;
}

/** What happened in a zone, as a subscription sees it. */
export interface Change {
  readonly listener: ZoneListener;
  /** Tracks that entered, less those that left. */
  readonly net: number;
  /** The last of it. */
  readonly update: ZoneUpdate;
}

/** `at`: the timestamp of the detection that caused it; NaN = none did. */
export function* tellZone(fold: Fold, zone: LiveZone, changes: readonly Change[], at: number): Steps {
  const views = createZoneViews(fold, zone);
  for (const change of changes) {
    if (change.listener.heartbeatMs === null) judge(fold, zone, change, views);
    else postpone(fold, zone, change, at);
    if (isRestDue(fold)) yield;
  }
}

function postpone(fold: Fold, zone: LiveZone, change: Change, at: number): void {
  fold.frame ??= { at, zones: new Map() };
  const { zones } = fold.frame;
  const changes = zones.get(zone) ?? new Map<string, Change>();
  const { id } = change.listener;
  const earlier = changes.get(id);
  changes.set(id, earlier === undefined ? change : { ...change, net: earlier.net + change.net });
  zones.set(zone, changes);
}

/** Compares the compositions of the zones in which something changed. */
export function* closeFrame(fold: Fold): Steps {
  const { frame } = fold;
  fold.frame = undefined;
  for (const [zone, changes] of frame?.zones ?? []) {
    const views = createZoneViews(fold, zone);
    for (const change of changes.values()) {
      judge(fold, zone, change, views);
      if (isRestDue(fold)) yield;
    }
  }
}

function judge(fold: Fold, zone: LiveZone, change: Change, views: ZoneViews): void {
  const { listener, net, update } = change;
  const view = views(change);
  const before = view.count - net;
  if (view.count <= 0 && before <= 0) return;
  const signal: SignalName = before <= 0 ? "zone_occupied" : view.count === 0 ? "zone_empty" : "zone_updated";
  const emitReason = listener.heartbeatMs === null ? null : compare(fold, zone, { change, signal, view });
  if (emitReason === undefined) return;
  raise(fold, listener, {
    ...{ signal, subjectId: zone.definition.zoneId, timestamp: update.updatedAt },
    ...{ state: view.text, emitReason },
  });
}

interface Compared {
  readonly change: Change;
  readonly signal: SignalName;
  readonly view: ZoneView;
}

/** Notes what the subscription is told; undefined = nothing, because it was told the same lately. */
function compare(fold: Fold, zone: LiveZone, { change: { listener, update }, signal, view }: Compared) {
  const { id, since, heartbeatMs } = listener;
  const known = zone.compositions?.get(id);
  if (signal === "zone_empty") {
    if (zone.compositions?.delete(id)) fold.state.dirtyZones.add(zone.definition.zoneId);
    return null;
  }
  const told = known?.since === since ? known : undefined;
  const at = update.updatedAt;
  const counts = view.composition();
  const isSame = signal === "zone_updated" && told?.counts === counts;
  // A clock that was set back must not silence the zone until it has caught up.
  if (isSame && told !== undefined && Math.abs(at - told.at) < (heartbeatMs ?? 0)) return undefined;
  note(fold, zone, id, { since, counts, at });
  if (signal === "zone_occupied") return null;
  return isSame ? "heartbeat" : "composition_changed";
}

function note({ state, listeners }: Fold, zone: LiveZone, id: string, told: Composition): void {
  zone.compositions ??= new Map();
  zone.compositions.set(id, told);
  state.dirtyZones.add(zone.definition.zoneId);
  // Some are of subscriptions that are gone. Looking for them each time would cost as much as all subscriptions.
  if (zone.compositions.size > (listeners?.zones.length ?? 0))
    forgetThoseGone(zone.compositions, listeners?.zones ?? []);
}

function forgetThoseGone(compositions: Map<string, Composition>, present: readonly ZoneListener[]): void {
  const ids = new Set(present.map(({ id }) => id));
  for (const id of compositions.keys()) if (!ids.has(id)) compositions.delete(id);
}
