// Folds a stretch of the log as the state machine does, with the session's subscription as the only one.
import type { CameraLogEvent, ZoneVersion } from "../../schemas/events.ts";
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import { forget } from "../live/forget.ts";
import {
  apply,
  applyTime,
  clearTouched,
  countTouched,
  createPartition,
  type LiveSettings,
  noOutputs,
  takeEndsOfForgotten,
} from "../live/partition.ts";
import type { RecordedEvent } from "../live/types.ts";
import { putZones } from "../live/zones-at.ts";
import type { Segment } from "./session.ts";

/** A detection of an asked track with the signals that it and what followed in its message raised. */
export interface Step {
  /** Event time of the detection, ms; null = the message has no detection of an asked track. */
  readonly detectedAt: number | null;
  readonly signals: readonly SignalRaised[];
}

export interface SegmentFold {
  /** Signals of the asked tracks only. */
  fold(recorded: RecordedEvent): Step[];
  /** Nothing more can come of the asked tracks. */
  isOver(): boolean;
  /** No asked track is there now. */
  isBetween(): boolean;
}

/** Ended tracks beside the asked ones that are remembered, 2.3 kB each: many sessions must fit into memory. */
const REMEMBERED_BESIDE = 2_000;
/** Clearing after each message would cost more than what is cleared. */
const MOST_TOUCHED = 1_000;

/** `zones`: the versions of its data sources' zones before the segment. */
export function createSegmentFold(
  segment: Segment,
  zones: readonly ZoneVersion[],
  settings: LiveSettings,
): SegmentFold {
  const state = createPartition(segment.partition);
  const asked = new Set(segment.trackIds);
  const sources = new Set(segment.dataSourceIds);
  putZones(state, zones, settings);

  const isHeld = () =>
    [...sources].some((id) => state.sources.get(id)?.held.some(({ trackId }) => asked.has(trackId)) === true);

  const isEmpty = () => segment.trackIds.every((id) => state.tracks.get(id)?.phase !== "live") && !isHeld();

  function forgetSome(): void {
    // Nobody stores the changes or writes the ends, so they need not be known.
    if (countTouched(state) > MOST_TOUCHED) clearTouched(state);
    takeEndsOfForgotten(state);
    const { resting } = state;
    const most = REMEMBERED_BESIDE + asked.size;
    for (let track = resting.first; track !== null && resting.size > most; ) {
      const next = track.next;
      if (!asked.has(track.trackId)) forget(state, track);
      track = next;
    }
  }

  return {
    fold(recorded) {
      const { message } = recorded;
      const out = noOutputs();
      const isConcerned = sources.has(sourceOf(message) ?? "");
      if (isConcerned) apply(state, recorded, settings, out);
      else applyTime(state, recorded, settings, out);
      forgetSome();
      const signals = out.signals.filter((signal) => asked.has(trackOf(signal)));
      const seen = isConcerned ? detectionsOf(message).filter(({ trackId }) => asked.has(trackId)) : [];
      return inSteps(signals, seen);
    },
    isOver: () => state.recordedAt > segment.lastAt && isEmpty(),
    isBetween: () =>
      !segment.recorded.some(({ from, to }) => from <= state.recordedAt && state.recordedAt < to) && isEmpty(),
  };
}

/** undefined: it concerns no track. */
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

/** The track, or the one whose detection or end changed the zone. */
function trackOf({ signal, subjectId, state }: SignalRaised): string {
  if (!signal.startsWith("zone_")) return subjectId;
  const { trigger_track_id: trackId } = JSON.parse(state);
  return typeof trackId === "string" ? trackId : "";
}

/** Each signal belongs to the detection that it tells of, or to the one that the fold had reached by then. */
function inSteps(signals: readonly SignalRaised[], seen: readonly Seen[]): Step[] {
  if (seen.length === 0) return signals.length === 0 ? [] : [{ detectedAt: null, signals }];
  const steps = seen.map((): SignalRaised[] => []);
  let at = 0;
  for (const signal of signals) {
    const trackId = trackOf(signal);
    const found = seen.findIndex(
      (each, i) => i >= at && each.trackId === trackId && each.timestamp === signal.timestamp,
    );
    if (found >= 0) at = found;
    steps[at]?.push(signal);
  }
  return seen.map(({ timestamp }, i) => ({ detectedAt: timestamp, signals: steps[i] ?? [] }));
}
