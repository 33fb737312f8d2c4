// Decides which detections and signals of a segment a session asks for, and whether more of them can follow.

import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import type { PartitionState, Source } from "../live/state.ts";
import type { AskedSignals, TrackName } from "./asked.ts";
import type { Segment } from "./session.ts";
import type { RaisedBy } from "./signal-causes.ts";

/** A detection of a message. */
export interface SeenDetection {
  readonly trackId: string;
  readonly timestamp: number;
}

export interface AskedPart {
  /** `offset` is that of the message. */
  hasSeen(dataSourceId: string, detection: SeenDetection, offset: number): boolean;
  hasRaised(signal: SignalRaised, cause: RaisedBy, offset: number): boolean;
  /** @returns true when the fold must remember the track after its end, however many others end. */
  keeps(track: TrackName): boolean;
  /** @returns true when no further signal can follow that is asked for. */
  isOver(): boolean;
  /**
   * @returns true when nothing is present that is asked for, so that the session need not wait for the next message.
   * `nextAt` is the broker time of that message, ms.
   */
  isBetween(nextAt: number): boolean;
}

export function createAskedPart(segment: Segment, state: PartitionState, trackTtlMs: number): AskedPart {
  const { asked } = segment;
  switch (asked.kind) {
    case "tracks":
      return partOfTracks(asked, segment, state);
    case "window":
      return partOfWindow(asked, segment, { state, trackTtlMs });
    case "offsets":
      return partOfOffsets(asked, { state, trackTtlMs });
    default:
      return asked satisfies never;
  }
}

type Of<Kind extends AskedSignals["kind"]> = Extract<AskedSignals, { readonly kind: Kind }>;

function partOfTracks({ tracks }: Of<"tracks">, segment: Segment, state: PartitionState): AskedPart {
  const bySource = Map.groupBy(tracks, ({ dataSourceId }) => dataSourceId);
  const asked = new Map(Array.from(bySource, ([id, own]) => [id, new Set(own.map(({ trackId }) => trackId))]));
  const keeps = ({ dataSourceId, trackId }: TrackName) => asked.get(dataSourceId)?.has(trackId) === true;
  const isLive = ({ dataSourceId, trackId }: TrackName) =>
    state.sources.get(dataSourceId)?.tracks.get(trackId)?.phase === "live";
  const isHeld = () =>
    [...asked].some(
      ([id, trackIds]) => state.sources.get(id)?.held.some(({ trackId }) => trackIds.has(trackId)) === true,
    );
  const isEmpty = () => !tracks.some(isLive) && !isHeld();
  return {
    keeps,
    hasSeen: (dataSourceId, { trackId }) => keeps({ dataSourceId, trackId }),
    hasRaised: (signal, cause) => keeps(trackOfSignal(signal, cause)),
    isOver: () => state.recordedAt > segment.lastAt && isEmpty(),
    isBetween: () =>
      !segment.recorded.some(({ from, to }) => from <= state.recordedAt && state.recordedAt < to) && isEmpty(),
  };
}

interface Folding {
  readonly state: PartitionState;
  readonly trackTtlMs: number;
}

/**
 * A signal of a detection counts by its event time. That of an end counts by the last detection before it: the end of a
 * track that was last seen in the window comes later.
 */
function partOfWindow({ from, to }: Of<"window">, { lastAt }: Segment, { state, trackTtlMs }: Folding): AskedPart {
  let askedAt = Number.NEGATIVE_INFINITY;
  const isWithin = (at: number) => from <= at && at < to;
  const isEmpty = () => !hasLive(state, isWithin) && !hasHeld(state, isWithin);
  return {
    keeps: () => false,
    hasSeen(_dataSourceId, { timestamp }) {
      if (!isWithin(timestamp)) return false;
      askedAt = state.recordedAt;
      return true;
    },
    hasRaised: (_signal, { lastSeen }) => isWithin(lastSeen),
    isOver: () => state.recordedAt > lastAt && isEmpty(),
    isBetween: (nextAt) => nextAt > askedAt + trackTtlMs && isEmpty(),
  };
}

function partOfOffsets({ spans }: Of<"offsets">, { state, trackTtlMs }: Folding): AskedPart {
  let askedAt = Number.NEGATIVE_INFINITY;
  const end = Math.max(0, ...spans.map(({ to }) => to));
  const isWithin = (offset: number) => spans.some(({ from, to }) => from <= offset && offset < to);
  return {
    keeps: () => false,
    hasSeen(_dataSourceId, _detection, offset) {
      if (!isWithin(offset)) return false;
      askedAt = state.recordedAt;
      return true;
    },
    hasRaised: (_signal, _cause, offset) => isWithin(offset),
    isOver: () => state.offset >= end,
    isBetween: (nextAt) => !isWithin(state.offset) || (nextAt > askedAt + trackTtlMs && state.live.size === 0),
  };
}

/** The tracks that were silent for the longest time come first, so an asked one is found soon. */
function hasLive(state: PartitionState, isAsked: (lastSeen: number) => boolean): boolean {
  for (let track = state.live.first; track !== null; track = track.next) if (isAsked(track.lastSeen)) return true;
  return false;
}

function hasHeld(state: PartitionState, isAsked: (at: number) => boolean): boolean {
  const holds = ({ held }: Source) => held.some(({ at }) => isAsked(at));
  for (const source of state.sources.values()) if (holds(source)) return true;
  return false;
}

/** The track of the signal. For a zone it is the track whose detection or end changed the zone. */
export function trackOfSignal({ signal, subjectId, dataSourceId, state }: SignalRaised, cause: RaisedBy): TrackName {
  if (!signal.startsWith("zone_")) return { dataSourceId: dataSourceId ?? cause.dataSourceId, trackId: subjectId };
  if (!cause.isOfFrame) return cause;
  const { trigger_track_id: trackId, datasource_id: ofZone } = JSON.parse(state);
  return { dataSourceId: ofZone, trackId: typeof trackId === "string" ? trackId : "" };
}
