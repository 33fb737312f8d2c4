// Zone signals. A subscription that hears every update is told at once. One that hears of changed compositions is told when
// its frame is over: all detections with one timestamp that follow one another in a message.
import type { SignalName } from "../../schemas/records/signal-raised.ts";
import type { Fold, LiveZone } from "../live/state.ts";
import type { ZoneUpdate } from "../live/views.ts";
import type { ZoneListener } from "./listeners.ts";
import { once, raise } from "./raise.ts";
import { tracksIn, zoneText } from "./state-text.ts";

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
export function tellZone(fold: Fold, zone: LiveZone, changes: readonly Change[], at: number): void {
  const texts = new Map<string, () => string>();
  for (const change of changes) {
    if (change.listener.heartbeatMs === null) judge(fold, zone, change, texts);
    else postpone(fold, zone, change, at);
  }
}

function postpone(fold: Fold, zone: LiveZone, change: Change, at: number): void {
  fold.frame ??= { at, zones: new Map() };
  const { zones } = fold.frame;
  const changes = zones.get(zone) ?? new Map<string, Change>();
  const { id } = change.listener;
  changes.set(id, { ...change, net: change.net + (changes.get(id)?.net ?? 0) });
  zones.set(zone, changes);
}

/** Compares the compositions of the zones in which something changed. */
export function closeFrame(fold: Fold): void {
  const { frame } = fold;
  fold.frame = undefined;
  for (const [zone, changes] of frame?.zones ?? []) {
    const texts = new Map<string, () => string>();
    for (const change of changes.values()) judge(fold, zone, change, texts);
  }
}

/** `texts`: the zone's state by the tags that a subscription wants. */
function judge(fold: Fold, zone: LiveZone, change: Change, texts: Map<string, () => string>): void {
  const { listener, net, update } = change;
  const count = countIn(fold, zone, listener);
  const before = count - net;
  if (count <= 0 && before <= 0) return;
  const signal: SignalName = before <= 0 ? "zone_occupied" : count === 0 ? "zone_empty" : "zone_updated";
  const emitReason = listener.heartbeatMs === null ? null : compare(fold, zone, change, signal);
  if (emitReason === undefined) return;
  const { tagsKey } = listener;
  const state = texts.get(tagsKey) ?? once(() => zoneText(fold, zone, listener, count, update));
  texts.set(tagsKey, state);
  raise(fold, listener, {
    ...{ signal, subjectId: zone.definition.zoneId, timestamp: update.updatedAt },
    ...{ state, emitReason },
  });
}

function countIn(fold: Fold, zone: LiveZone, listener: ZoneListener): number {
  if (listener.tags.size === 0) return zone.activeTracks.size;
  let count = 0;
  for (const _ of tracksIn(fold, zone, listener)) count++;
  return count;
}

/** Notes what the subscription is told; undefined = nothing, because it was told the same lately. */
function compare(fold: Fold, zone: LiveZone, { listener, update }: Change, signal: SignalName) {
  const { id, since, heartbeatMs } = listener;
  const known = zone.compositions?.get(id);
  if (signal === "zone_empty") {
    if (zone.compositions?.delete(id)) fold.state.dirtyZones.add(zone.definition.zoneId);
    return null;
  }
  const told = known?.since === since ? known : undefined;
  const at = update.updatedAt;
  const counts = compositionOf(fold, zone, listener);
  const isSame = signal === "zone_updated" && told?.counts === counts;
  // A clock that was set back must not silence the zone until it has caught up.
  if (isSame && told !== undefined && Math.abs(at - told.at) < (heartbeatMs ?? 0)) return undefined;
  zone.compositions = withoutThoseGone(fold, zone).set(id, { since, counts, at });
  fold.state.dirtyZones.add(zone.definition.zoneId);
  if (signal === "zone_occupied") return null;
  return isSame ? "heartbeat" : "composition_changed";
}

/** JSON of [tag, count], by tag. */
function compositionOf(fold: Fold, zone: LiveZone, listener: ZoneListener): string {
  const counts = new Map<string, number>();
  for (const { tag } of tracksIn(fold, zone, listener)) {
    const lower = tag.toLowerCase();
    counts.set(lower, (counts.get(lower) ?? 0) + 1);
  }
  return JSON.stringify([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutThoseGone({ listeners }: Fold, { compositions }: LiveZone): NonNullable<LiveZone["compositions"]> {
  if (compositions === null) return new Map();
  const present = new Set(listeners?.zones.map(({ id }) => id));
  for (const id of compositions.keys()) if (!present.has(id)) compositions.delete(id);
  return compositions;
}
