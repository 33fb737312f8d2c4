// Folds a segment of the log as the state machine does, with the session's subscription as the only one.
import type { CameraLogEvent, ZoneVersion } from "../../schemas/events.ts";
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import { forget } from "../live/forget.ts";
import {
  apply,
  applyTime,
  clearTouched,
  countTouched,
  createPartition,
  emptyLists,
  type LiveSettings,
  noOutputs,
  takeEndsOfForgotten,
} from "../live/partition.ts";
import type { RecordedEvent } from "../live/types.ts";
import { putZones } from "../live/zones-at.ts";
import type { Segment } from "./session.ts";

/** A detection of an asked track with the signals that it raised, and those after it in its message. */
export interface ReplayStep {
  /** Event time of the detection, ms. Null when the message has no detection of an asked track. */
  readonly detectedAt: number | null;
  readonly signals: readonly SignalRaised[];
}

export interface SegmentFold {
  /** Signals of the asked tracks only. */
  fold(recorded: RecordedEvent): ReplayStep[];
  /** @returns true when no further signal of the asked tracks can follow. */
  isOver(): boolean;
  /** @returns true when the state has no asked track at present. */
  isBetween(): boolean;
}

type TrackName = Segment["tracks"][number];

/**
 * The maximum number of ended tracks, in addition to the asked ones, that are remembered. Each takes 2.3 kB, and many
 * sessions must fit into memory.
 */
const REMEMBERED_BESIDE = 2_000;
/**
 * The number of changed texts above which the changes are cleared: clearing them after each message would cost more
 * than it frees.
 */
const MOST_TOUCHED = 1_000;

/** `zones` are the versions of the data sources' zones before the segment. */
export function createSegmentFold(
  segment: Segment,
  zones: readonly ZoneVersion[],
  settings: LiveSettings,
): SegmentFold {
  const state = createPartition(segment.partition);
  const asked = askedOf(segment);
  const sources = new Set(segment.dataSourceIds);
  const out = noOutputs();
  putZones(state, zones, settings);

  const isHeld = () =>
    [...asked].some(
      ([id, trackIds]) => state.sources.get(id)?.held.some(({ trackId }) => trackIds.has(trackId)) === true,
    );

  const isLive = ({ dataSourceId, trackId }: TrackName) =>
    state.sources.get(dataSourceId)?.tracks.get(trackId)?.phase === "live";

  const isEmpty = () => !segment.tracks.some(isLive) && !isHeld();

  const isRequested = ({ dataSourceId, trackId }: TrackName) => asked.get(dataSourceId)?.has(trackId) === true;

  function forgetSome(): void {
    // A replay neither stores the changes nor writes the ends, so it need not keep them.
    if (countTouched(state) > MOST_TOUCHED) clearTouched(state);
    takeEndsOfForgotten(state);
    const { resting } = state;
    const most = REMEMBERED_BESIDE + segment.tracks.length;
    for (let track = resting.first; track !== null && resting.size > most; ) {
      const next = track.next;
      const { trackId, source } = track;
      if (!isRequested({ dataSourceId: source.dataSourceId, trackId })) forget(state, track);
      track = next;
    }
  }

  return {
    fold(recorded) {
      const { message } = recorded;
      emptyLists(out);
      const dataSourceId = sourceOf(message) ?? "";
      const isConcerned = sources.has(dataSourceId);
      if (isConcerned) apply(state, recorded, settings, out);
      else applyTime(state, recorded, settings, out);
      forgetSome();
      const signals = out.lists.signals.filter((signal) => isRequested(trackOf(signal)));
      const seen = isConcerned
        ? detectionsOf(message).filter(({ trackId }) => isRequested({ dataSourceId, trackId }))
        : [];
      return inSteps(signals, seen);
    },
    isOver: () => state.recordedAt > segment.lastAt && isEmpty(),
    isBetween: () =>
      !segment.recorded.some(({ from, to }) => from <= state.recordedAt && state.recordedAt < to) && isEmpty(),
  };
}

/** Ids of the asked tracks by their data sources. */
function askedOf({ tracks }: Segment): ReadonlyMap<string, ReadonlySet<string>> {
  const bySource = Map.groupBy(tracks, ({ dataSourceId }) => dataSourceId);
  return new Map(Array.from(bySource, ([id, own]) => [id, new Set(own.map(({ trackId }) => trackId))]));
}

/** @returns undefined when the message concerns no track. */
function sourceOf(message: CameraLogEvent): string | undefined {
  switch (message.type) {
    case "ZoneCreated":
      return message.event.zone.dataSourceId;
    case "GeofencesAdvanced":
      return undefined;
    default:
      return message.event.dataSourceId;
  }
}

interface Seen {
  readonly trackId: string;
  readonly timestamp: number;
}

const detectionsOf = ({ event }: CameraLogEvent): readonly Seen[] => ("detections" in event ? event.detections : []);

/** The track of the signal. For a zone it is the track whose detection or end changed the zone. */
function trackOf({ signal, subjectId, dataSourceId, state }: SignalRaised): TrackName {
  if (!signal.startsWith("zone_") && dataSourceId !== null) return { dataSourceId, trackId: subjectId };
  const { trigger_track_id: trackId, datasource_id: ofZone } = JSON.parse(state);
  return { dataSourceId: ofZone, trackId: typeof trackId === "string" ? trackId : "" };
}

/** Assigns each signal to the detection that it reports, or to the one that the fold had reached by then. */
function inSteps(signals: readonly SignalRaised[], seen: readonly Seen[]): ReplayStep[] {
  if (seen.length === 0) return signals.length === 0 ? [] : [{ detectedAt: null, signals }];
  const steps = seen.map((): SignalRaised[] => []);
  let at = 0;
  for (const signal of signals) {
    const { trackId } = trackOf(signal);
    const found = seen.findIndex(
      (each, i) => i >= at && each.trackId === trackId && each.timestamp === signal.timestamp,
    );
    if (found >= 0) at = found;
    steps[at]?.push(signal);
  }
  return seen.map(({ timestamp }, i) => ({ detectedAt: timestamp, signals: steps[i] ?? [] }));
}
