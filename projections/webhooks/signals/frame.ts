// Zone signals. A subscription to every update gets its signal at once. A subscription to changed compositions gets its
// signal when the frame is over: a frame is all detections with one timestamp that follow one another in a message.
import type { SignalName } from "../../../schemas/records/signal-raised.ts";
import { isRestDue, type Steps } from "../../live/pace.ts";
import type { LiveZone } from "../../live/state.ts";
import { type Composition, compositionsOf, ZoneCompositions } from "./compositions.ts";
import { raise } from "./raise.ts";
import type { Frame, SignalContext, ZoneChange } from "./signal-context.ts";
import type { ZoneSubscriber } from "./subscribers.ts";
import { createZoneViews, type ZoneView, type ZoneViews } from "./zone-view.ts";

/** `at` is the timestamp of the detection that caused the changes; NaN when none did. */
export function* raiseZone(context: SignalContext, zone: LiveZone, changes: readonly ZoneChange[], at: number): Steps {
  const { fold } = context;
  const views = createZoneViews(fold, zone);
  for (const change of changes) {
    if (change.subscriber.heartbeatMs === null) signalZone(context, zone, change, views);
    else postpone(context, zone, change, at);
    if (isRestDue(fold)) yield;
  }
}

function postpone(context: SignalContext, zone: LiveZone, change: ZoneChange, at: number): void {
  context.frame ??= { at, zones: new Map() };
  const { zones } = context.frame;
  const changes = zones.get(zone) ?? new Map<string, ZoneChange>();
  const { id } = change.subscriber;
  const earlier = changes.get(id);
  changes.set(id, earlier === undefined ? change : { ...change, net: earlier.net + change.net });
  zones.set(zone, changes);
}

/** Compares the compositions of the zones in which something has changed, unless the frame continues at `nextAt`. */
export function closeFrame(context: SignalContext, nextAt: number): Steps | undefined {
  const { frame } = context;
  if (frame === undefined || frame.at === nextAt) return undefined;
  context.frame = undefined;
  return compareZones(context, frame);
}

function* compareZones(context: SignalContext, frame: Frame): Steps {
  const { fold } = context;
  for (const [zone, changes] of frame.zones) {
    const views = createZoneViews(fold, zone);
    for (const change of changes.values()) {
      signalZone(context, zone, change, views);
      if (isRestDue(fold)) yield;
    }
  }
}

function signalZone(context: SignalContext, zone: LiveZone, change: ZoneChange, views: ZoneViews): void {
  const { subscriber, net, update } = change;
  const view = views(change);
  const before = view.count - net;
  if (view.count <= 0 && before <= 0) return;
  const signal: SignalName = before <= 0 ? "zone_occupied" : view.count === 0 ? "zone_empty" : "zone_updated";
  const emitReason = subscriber.heartbeatMs === null ? null : compare(context, zone, { change, signal, view });
  if (emitReason === undefined) return;
  raise(context.fold, subscriber, {
    signal,
    subjectId: zone.definition.zoneId,
    timestamp: update.updatedAt,
    state: view.text,
    emitReason,
  });
}

interface Compared {
  readonly change: ZoneChange;
  readonly signal: SignalName;
  readonly view: ZoneView;
}

/**
 * Records the composition for which the subscription gets a signal.
 * @returns undefined when it gets none, because it had the same composition recently.
 */
function compare(context: SignalContext, zone: LiveZone, { change: { subscriber, update }, signal, view }: Compared) {
  const { id, since, heartbeatMs } = subscriber;
  const compositions = compositionsOf(zone);
  const known = compositions?.get(id);
  if (signal === "zone_empty") {
    if (compositions?.delete(id)) context.fold.state.dirtyZones.add(zone.definition.zoneId);
    return null;
  }
  const lastSignalled = known?.since === since ? known : undefined;
  const at = update.updatedAt;
  const counts = view.composition();
  const isSame = signal === "zone_updated" && lastSignalled?.counts === counts;
  // The absolute difference keeps a clock that was set back from silencing the zone until the clock has caught up.
  if (isSame && lastSignalled !== undefined && Math.abs(at - lastSignalled.at) < (heartbeatMs ?? 0)) return undefined;
  storeComposition(context, zone, id, { since, counts, at });
  if (signal === "zone_occupied") return null;
  return isSame ? "heartbeat" : "composition_changed";
}

function storeComposition(
  { fold, subscribers }: SignalContext,
  zone: LiveZone,
  id: string,
  composition: Composition,
): void {
  const compositions = compositionsOf(zone) ?? new ZoneCompositions();
  zone.slot = compositions;
  compositions.set(id, composition);
  fold.state.dirtyZones.add(zone.definition.zoneId);
  // When there are more compositions than subscriptions, some belong to subscriptions that are gone. They are searched
  // only then, because a search costs as much as all subscriptions.
  if (compositions.size > subscribers.zones.length) forgetThoseGone(compositions, subscribers.zones);
}

function forgetThoseGone(compositions: Map<string, Composition>, present: readonly ZoneSubscriber[]): void {
  const ids = new Set(present.map(({ id }) => id));
  for (const id of compositions.keys()) if (!ids.has(id)) compositions.delete(id);
}
