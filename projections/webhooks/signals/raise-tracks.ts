// The signals of a data source's subscriptions for a detection, a track's end and a track's new tag.
import type { ExpiredBy } from "../../../schemas/records/signal-raised.ts";
import { activeZones } from "../../live/intersections.ts";
import { isRestDue, type Steps } from "../../live/pace.ts";
import type { LiveZone, Track } from "../../live/state.ts";
import { countWork } from "./count-work.ts";
import { recordEncounters } from "./encounters.ts";
import { isSubscribedAt, once, raise, wants } from "./raise.ts";
import { raiseZones } from "./raise-zones.ts";
import type { SignalContext } from "./signal-context.ts";
import { batchText, trackText } from "./state-text.ts";

export function raiseDetection(
  context: SignalContext,
  track: Track,
  before: readonly LiveZone[],
  begins: boolean,
): Steps | undefined {
  const { fold, subscribers } = context;
  if (subscribers.batches.length > 0) recordEncounters(fold, track, subscribers.proximity);
  const isInZones = before.length > 0 || activeZones(track).length > 0;
  const concernsZones = isInZones && subscribers.zones.length > 0;
  return concernsZones || isWanted(context, track) ? raiseUpdate(context, track, before, begins) : undefined;
}

function isWanted({ fold, subscribers: { tracks } }: SignalContext, { tag }: Track): boolean {
  countWork(fold, tracks.length);
  const lowerCase = tag.toLowerCase();
  return tracks.some((subscriber) => wants(subscriber, lowerCase));
}

function* raiseUpdate(context: SignalContext, track: Track, before: readonly LiveZone[], begins: boolean): Steps {
  const { tracks, zones } = context.subscribers;
  if (tracks.length > 0) yield* raiseTrackSignals(context, track, begins ? "track_created" : "track_updated");
  if (zones.length > 0) yield* raiseZones(context, track, { before, isDetection: true, tagBefore: track.tag });
}

/** Signals that the track has ended. It has left the zones that it was in. */
export function* raiseEnd(
  context: SignalContext,
  track: Track,
  before: readonly LiveZone[],
  expiredBy: ExpiredBy,
): Steps {
  yield* raiseTrackSignals(context, track, "track_expired", expiredBy);
  yield* raiseBatchSignals(context, track, expiredBy);
  yield* raiseZones(context, track, { before, isDetection: false, tagBefore: track.tag });
}

function* raiseTrackSignals(
  { fold, subscribers: { tracks: subscribers } }: SignalContext,
  track: Track,
  signal: "track_created" | "track_updated" | "track_expired",
  expiredBy: ExpiredBy | null = null,
): Steps {
  const tag = track.tag.toLowerCase();
  const state = once(() => trackText(track));
  const subject = { subjectId: track.trackId, dataSourceId: track.source.dataSourceId };
  const timestamp = signal === "track_expired" ? track.trackEnd : track.lastSeen;
  countWork(fold, subscribers.length);
  for (const subscriber of subscribers) {
    if (!wants(subscriber, tag) || !isSubscribedAt(fold, subscriber)) continue;
    raise(fold, subscriber, { ...subject, signal, timestamp, state, expiredBy });
    if (isRestDue(fold)) yield;
  }
}

function* raiseBatchSignals({ fold, subscribers }: SignalContext, track: Track, expiredBy: ExpiredBy): Steps {
  const tag = track.tag.toLowerCase();
  const subject = { subjectId: track.trackId, dataSourceId: track.source.dataSourceId };
  const signalFields = { ...subject, signal: "track_expired", timestamp: track.trackEnd, expiredBy } as const;
  /** The texts by the values on which a batch's interactions depend. */
  const states = new Map<string, () => string>();
  for (const batch of subscribers.batches) {
    if (!wants(batch, tag) || !isSubscribedAt(fold, batch)) continue;
    const key = `${batch.thresholds.key} ${batch.tagsKey}`;
    const state = states.get(key) ?? once(() => batchText(track, batch));
    states.set(key, state);
    raise(fold, batch, { ...signalFields, state });
    if (isRestDue(fold)) yield;
  }
}
