// Folds a segment of the log as the state machine does, with the session's subscription as the only one.

import type { CameraLogEvent, ZoneVersion } from "../../schemas/events.ts";
import { derivedId } from "../../schemas/identity.ts";
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import { forget } from "../live/forget.ts";
import {
  apply,
  applyTime,
  clearTouched,
  countTouched,
  createPartition,
  dueExpiries,
  emptyLists,
  type LiveSettings,
  noOutputs,
  type PartitionState,
  takeEndsOfForgotten,
} from "../live/partition.ts";
import type { RecordedEvent } from "../live/types.ts";
import { putZones } from "../live/zones-at.ts";
import { type AskedPart, createAskedPart, type SeenDetection, trackOfSignal } from "./asked-part.ts";
import { asRecorded, type FoldRules, isFollowed, versionsWith, withZoneSettings } from "./fold-rules.ts";
import { inSteps, type PickedSignal, type ReplayStep } from "./in-steps.ts";
import type { Segment } from "./session.ts";
import { type RaisedBy, recordCauses } from "./signal-causes.ts";

export interface SegmentFold {
  /** Signals that are asked for only. */
  fold(recorded: RecordedEvent): ReplayStep[];
  /**
   * Must be called after the last message when the fold is not over. `nowMs` is a time up to which the segment has all
   * messages of the log: a later one would end tracks that go on after the segment.
   * @returns the ends of tracks that have expired by then, unless the log itself has them.
   */
  finish(nowMs: number): ReplayStep[];
  /** @returns true when no further signal that is asked for can follow. */
  isOver(): boolean;
  /**
   * @returns true when the state has nothing at present that is asked for. `nextAt` is the broker time of the next
   * message, ms.
   */
  isBetween(nextAt: number): boolean;
}

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
  { listener, ...others }: LiveSettings,
  rules = asRecorded,
): SegmentFold {
  const recorder = listener && recordCauses(listener);
  const settings = { ...others, listener: recorder?.listener };
  const state = stateAtBegin(segment, versionsWith(zones, rules), settings);
  const part = createAskedPart(segment, state, settings.trackTtlMs);
  const mostRemembered = REMEMBERED_BESIDE + (segment.asked.kind === "tracks" ? segment.asked.tracks.length : 0);
  const sources = new Set(segment.dataSourceIds);
  const out = noOutputs();

  function empty(): void {
    emptyLists(out);
    recorder?.empty();
  }

  /** Ends the tracks whose time to live is over by the clock of the log, as the state machine would have done. */
  function expire(recorded: Omit<RecordedEvent, "message">, caughtUp: boolean): void {
    const { offset, recordedAt: nowMs } = recorded;
    for (const event of dueExpiries(state, { nowMs, caughtUp, readUpTo: offset }, settings)) {
      apply(state, { ...recorded, message: { type: "TrackExpired", event } }, settings, out);
    }
  }

  const causes = () => recorder?.causesOf(out.lists.signals) ?? [];
  const raised = (offset: number) => pickSignals(out.lists.signals, causes(), { part, rules, offset });

  return {
    fold(recorded) {
      const { message, offset } = recorded;
      empty();
      if (!rules.followsExpiries) {
        applyTime(state, recorded, settings, out);
        expire(recorded, false);
      }
      const dataSourceId = sourceOf(message) ?? "";
      const isConcerned = sources.has(dataSourceId) && isFollowed(message, rules);
      if (isConcerned) apply(state, { ...recorded, message: withZoneSettings(message, rules) }, settings, out);
      else applyTime(state, recorded, settings, out);
      forgetSome(state, part, mostRemembered);
      const seen = isConcerned
        ? detectionsOf(message).filter((detection) => part.hasSeen(dataSourceId, detection, offset))
        : [];
      return inSteps(raised(offset), seen);
    },
    finish(nowMs) {
      if (rules.followsExpiries || segment.asked.kind === "offsets") return [];
      empty();
      expire({ offset: state.offset, recordedAt: nowMs }, true);
      return inSteps(raised(state.offset), []);
    },
    isOver: part.isOver,
    isBetween: part.isBetween,
  };
}

function stateAtBegin(
  { partition, begin }: Segment,
  zones: readonly ZoneVersion[],
  settings: LiveSettings,
): PartitionState {
  const state = createPartition(partition);
  putZones(state, zones, settings);
  // The zones bring the times and offsets of their versions, which may be later than the whole segment.
  return Object.assign(state, { offset: begin - 1, recordedAt: Number.NEGATIVE_INFINITY });
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

const detectionsOf = ({ event }: CameraLogEvent): readonly SeenDetection[] =>
  "detections" in event ? event.detections : [];

function forgetSome(state: PartitionState, part: AskedPart, most: number): void {
  // A replay neither stores the changes nor writes the ends, so it need not keep them.
  if (countTouched(state) > MOST_TOUCHED) clearTouched(state);
  takeEndsOfForgotten(state);
  const { resting } = state;
  for (let track = resting.first; track !== null && resting.size > most; ) {
    const next = track.next;
    const { trackId, source } = track;
    if (!part.keeps({ dataSourceId: source.dataSourceId, trackId })) forget(state, track);
    track = next;
  }
}

interface Picking {
  readonly part: AskedPart;
  readonly rules: FoldRules;
  /** That of the message. */
  readonly offset: number;
}

/** Picks the signals of a message that are asked for. */
function pickSignals(
  signals: readonly SignalRaised[],
  causes: readonly RaisedBy[],
  { part, rules, offset }: Picking,
): PickedSignal[] {
  const picked: PickedSignal[] = [];
  for (const [n, signal] of signals.entries()) {
    const cause = causes[n];
    if (cause === undefined || !part.hasRaised(signal, cause, offset)) continue;
    const { trackId } = trackOfSignal(signal, cause);
    picked.push({ trackId, signal: rules.followsExpiries ? signal : numbered(signal, n) });
  }
  return picked;
}

/**
 * The expiries of one moment and the message after them are folded one by one, and each counts its signals from 0. With
 * their common number `n` no two signals have the same id.
 */
function numbered(signal: SignalRaised, n: number): SignalRaised {
  return { ...signal, id: derivedId("replayed", signal.id, String(n)), cause: { ...signal.cause, index: n } };
}
