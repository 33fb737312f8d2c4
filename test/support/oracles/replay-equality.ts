// Compares the signals of replays with those of the live fold over the same log: all members, ids and causes included.
import { hash } from "node:crypto";
import { apply, createPartition, noOutputs } from "../../../projections/live/partition.ts";
import type { RecordedEvent } from "../../../projections/live/types.ts";
import type { AskedSignals } from "../../../projections/replay/asked.ts";
import { createSegmentFold } from "../../../projections/replay/fold-segment.ts";
import type { Segment } from "../../../projections/replay/session.ts";
import { createSignalListener } from "../../../projections/webhooks/signals/signal-listener.ts";
import { type Subscribed, subscribersOf } from "../../../projections/webhooks/signals/subscribers.ts";
import type { CameraLogEvent, Detection, Zone } from "../../../schemas/events.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import { liveSettings } from "../running/live-settings.ts";
import { noFilters } from "../scenes/no-filters.ts";
import { askedOfCam } from "../scenes/segment-tracks.ts";

const common: Omit<Subscribed, "key"> = {
  ...{ mode: "streaming", signalType: "zone_state", filters: noFilters, zoneEmitMode: "all", createdAt: 0 },
  ...{ heartbeatSeconds: 2, pixelProximityThreshold: 50, geoProximityThresholdM: 5 },
};

const subscriptions: readonly Subscribed[] = [
  { ...common, key: "tracks", signalType: "track_state" },
  { ...common, key: "zones" },
  { ...common, key: "compositions", zoneEmitMode: "composition" },
  { ...common, key: "batches", mode: "batch", signalType: "track_state" },
];

/** A box of a track at a time, ms. */
export interface Box {
  readonly trackId: string;
  readonly at: number;
  readonly ring: readonly number[];
}

/**
 * Writes one message for each time, a track's creation before its first box, and its expiry when the time to live has
 * passed.
 */
export function logOf(boxes: readonly Box[], zones: readonly Zone[]): RecordedEvent[] {
  const log: RecordedEvent[] = [];
  const lastSeen = new Map<string, number>();
  const add = (recordedAt: number, message: CameraLogEvent) => log.push({ offset: log.length, recordedAt, message });
  const expire = (before: number) => {
    for (const [trackId, endTime] of lastSeen) {
      const dueAt = endTime + liveSettings.trackTtlMs + 1;
      if (dueAt >= before) continue;
      lastSeen.delete(trackId);
      add(dueAt, {
        type: "TrackExpired",
        event: { trackId, dataSourceId, endTime, reason: "expired", readUpTo: null },
      });
    }
  };
  const dataSourceId = zones[0]?.dataSourceId ?? "cam";
  const times = Map.groupBy(boxes, ({ at }) => at);
  for (const zone of zones) add(0, { type: "ZoneCreated", event: { zone } });
  for (const [at, seen] of [...times].sort(([a], [b]) => a - b)) {
    expire(at);
    for (const { trackId } of seen) {
      if (!lastSeen.has(trackId)) add(at, creation(trackId, dataSourceId, at));
      lastSeen.set(trackId, at);
    }
    add(at, { type: "DetectionsRecorded", event: { dataSourceId, detections: seen.map(detectionOf) } });
  }
  expire(Number.POSITIVE_INFINITY);
  return log;
}

const creation = (trackId: string, dataSourceId: string, startTime: number): CameraLogEvent => ({
  type: "TrackCreated",
  event: {
    ...{ trackId, dataSourceId, tag: `tag${trackId.length % 3}`, startTime, endTime: null, modelId: null },
    ...{ properties: null, metadata: null, detections: [] },
  },
});

const detectionOf = ({ trackId, at, ring }: Box): Detection => ({
  ...{ trackId, timestamp: at, polygon: { rings: [ring], crs: null }, position: null, direction: null, metadata: null },
});

export interface Compared {
  readonly signals: number;
  /** The first difference, undefined when all signals are equal. */
  readonly difference: string | undefined;
}

/** `asked`: the tracks of each session. */
export function compareReplays(log: readonly RecordedEvent[], asked: readonly (readonly string[])[]): Compared {
  const extents = extentsOf(log);
  const sessions = asked.map((trackIds): Session => {
    const own = trackIds.map((id) => extents.get(id) ?? NOWHERE);
    const wanted = new Set(trackIds);
    return {
      name: trackIds.join(),
      asked: askedOfCam(...trackIds),
      from: Math.min(...own.map(({ first }) => first)),
      last: Math.max(...own.map(({ last }) => last)),
      isWanted: ({ trackId }) => wanted.has(trackId),
    };
  });
  return compareSessions(log, sessions);
}

/** Each session has the detections of an event time, or the messages of a span of offsets; `to` is exclusive. */
export function compareStretches(
  log: readonly RecordedEvent[],
  asked: readonly Exclude<AskedSignals, { readonly kind: "tracks" }>[],
): Compared {
  return compareSessions(
    log,
    asked.map((each) => (each.kind === "window" ? windowOf(each, log) : spansOf(each))),
  );
}

function windowOf(asked: Extract<AskedSignals, { readonly kind: "window" }>, log: readonly RecordedEvent[]): Session {
  const isWithin = (at: number) => asked.from <= at && at < asked.to;
  const within = log.filter(
    ({ message: { event } }) => "detections" in event && event.detections.some(({ timestamp }) => isWithin(timestamp)),
  );
  const { offset: from = 0 } = within.at(0) ?? {};
  const { offset: last = 0 } = within.at(-1) ?? {};
  return { name: JSON.stringify(asked), asked, from, last, isWanted: ({ seenAt }) => isWithin(seenAt) };
}

function spansOf(asked: Extract<AskedSignals, { readonly kind: "offsets" }>): Session {
  const { spans } = asked;
  return {
    name: JSON.stringify(asked),
    asked,
    from: spans[0]?.from ?? 0,
    last: spans.at(-1)?.to ?? 0,
    isWanted: ({ offset }) => spans.some(({ from, to }) => from <= offset && offset < to),
  };
}

interface Session {
  readonly name: string;
  readonly asked: AskedSignals;
  /** Offsets of the first message that is asked for, and of the last detection. */
  readonly from: number;
  readonly last: number;
  readonly isWanted: (signal: LiveSignal) => boolean;
}

function compareSessions(log: readonly RecordedEvent[], sessions: readonly Session[]): Compared {
  let signals = 0;
  const extents = extentsOf(log);
  for (const subscription of subscriptions) {
    const live = liveSignals(log, subscription);
    for (const session of sessions) {
      const expected = live.filter(session.isWanted).map(({ text }) => text);
      const found = replayed(log, { session, subscription, extents });
      signals += found.length;
      const at = expected.findIndex((text, i) => text !== found[i]);
      if (at < 0 && found.length === expected.length) continue;
      const counts = `${found.length} for ${expected.length} signals`;
      const difference = `${subscription.key} of ${session.name}: ${counts}; at ${at} ${found[at]} for ${expected[at]}`;
      return { signals, difference };
    }
  }
  return { signals, difference: undefined };
}

/** Only a hash of the state is kept: those of crowded zones are long. */
const textOf = ({ state, ...rest }: SignalRaised): string => JSON.stringify({ ...rest, state: hash("sha1", state) });

function trackOf({ signal, subjectId, state }: SignalRaised): string {
  return signal.startsWith("zone_") ? String(JSON.parse(state).trigger_track_id) : subjectId;
}

interface LiveSignal {
  readonly trackId: string;
  readonly offset: number;
  /** Event time of the detection, or of the last one before an end. */
  readonly seenAt: number;
  readonly text: string;
}

const seenAt = ({ signal, state, timestamp }: SignalRaised): number =>
  signal === "track_expired" ? Date.parse(JSON.parse(state).last_seen) : timestamp;

function liveSignals(log: readonly RecordedEvent[], subscription: Subscribed): LiveSignal[] {
  const state = createPartition(0);
  const subscribers = subscribersOf([subscription]);
  const settings = { ...liveSettings, listener: createSignalListener({ of: () => subscribers }) };
  return log.flatMap((recorded) => {
    const out = noOutputs();
    apply(state, recorded, settings, out);
    return out.lists.signals.map((signal) => {
      return { trackId: trackOf(signal), offset: recorded.offset, seenAt: seenAt(signal), text: textOf(signal) };
    });
  });
}

interface Replayed {
  readonly session: Session;
  readonly subscription: Subscribed;
  readonly extents: ReturnType<typeof extentsOf>;
}

const NOWHERE = { first: 0, last: 0, ends: 0 };

/** From the first message of a track that was there when the first of the asked ones came. */
function replayed(log: readonly RecordedEvent[], { session, subscription, extents }: Replayed): string[] {
  const { asked, from, last } = session;
  const beside = [...extents.values()].filter(({ first, ends }) => first < from && ends >= from);
  const begin = Math.min(from, ...beside.map(({ first }) => first));
  const segment: Segment = {
    ...{ partition: 0, asked, dataSourceIds: ["cam"], log: "topic", begin, end: log.length },
    ...{ beginAt: 0, lastAt: log[last]?.recordedAt ?? 0, recorded: [], eventFrom: 0, eventTo: 0 },
  };
  const subscribers = subscribersOf([subscription]);
  const versions = log.slice(0, begin).flatMap(({ offset, message }) => {
    if (message.type !== "ZoneCreated") return [];
    const { zone } = message.event;
    const { zoneId, dataSourceId } = zone;
    return [{ zoneId, dataSourceId, zone, movedTo: null, refusal: null, partition: 0, offset }];
  });
  const fold = createSegmentFold(segment, versions, {
    ...liveSettings,
    listener: createSignalListener({ of: () => subscribers }),
  });
  const found: string[] = [];
  for (const recorded of log.slice(begin)) {
    if (fold.isOver()) break;
    for (const step of fold.fold(recorded)) found.push(...step.signals.map(textOf));
  }
  return found;
}

/** Offsets of the first message of each track, of its last detection, and of its last message. */
function extentsOf(log: readonly RecordedEvent[]) {
  const extents = new Map<string, { first: number; last: number; ends: number }>();
  for (const { offset, message } of log) {
    const isEnd = message.type === "TrackExpired";
    const ids = "detections" in message.event ? message.event.detections.map(({ trackId }) => trackId) : [];
    if ("trackId" in message.event) ids.push(message.event.trackId);
    for (const id of ids) {
      const known = extents.get(id) ?? { first: offset, last: offset, ends: offset };
      extents.set(id, { ...known, last: isEnd ? known.last : offset, ends: offset });
    }
  }
  return extents;
}
