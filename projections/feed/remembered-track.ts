// A track as the feed remembers it, and the functions that apply headers and detections to it.
import type { Detection, TrackProperties } from "../../schemas/events.ts";
import { createSeen, type SeenPositions } from "../filters/seen-positions.ts";
import type { ShownTrack, TrackHeader } from "../track/header.ts";
import type { PatchField } from "../track/patch.ts";

export interface RememberedTrack {
  readonly trackId: string;
  readonly dataSourceId: string;
  tag: string;
  startTime: number;
  modelId: string | null;
  properties: TrackProperties | null;
  metadata: string | null;
  /**
   * True when the feed has read the creation. Otherwise the header came from a look-up, perhaps from further on in the
   * log.
   */
  started: boolean;
  /** True when the header came from a look-up, so a creation in the log no longer changes it. */
  found: boolean;
  /** True when no message about the track is older than the first one that the feed has read. */
  isWhole: boolean;
  /** The fields that an update has set. Their values outweigh those of every creation, even a later one. */
  readonly setFields: Set<PatchField>;
  /** Offset of the newest update that set or cleared the end. From then on the end of a creation no longer counts. */
  endSetAt: number | null;
  explicitEnd: number | null;
  /** The end of an expiry, newer than explicitEnd. Null when a later detection has refuted it. */
  expiredEnd: number | null;
  /** The end from a look-up. Messages contain it, but subscribers may not have been notified of it yet. */
  foundEnd: number | null;
  /** Timestamps of the newest detections, ascending. */
  readonly recent: number[];
  firstDetectionAt: number | null;
  /** The positions of the track. The memory replaces them by an empty object when it drops them. */
  seen: SeenPositions;
}

/** A detection that more than this many newer ones have overtaken counts as late. */
const RECENT = 32;

/** @returns false for a track of which the feed has seen only detections. */
export const hasHeader = (track: RememberedTrack | undefined): boolean =>
  track !== undefined && (track.started || track.tag !== "");

export function rememberedFrom(found: TrackHeader): RememberedTrack {
  const { endTime, ...header } = found;
  return {
    ...header,
    started: false,
    found: false,
    isWhole: false,
    setFields: new Set(),
    endSetAt: null,
    explicitEnd: null,
    expiredEnd: null,
    foundEnd: endTime,
    recent: [],
    firstDetectionAt: null,
    seen: createSeen(undefined),
  };
}

/** A track whose header is unknown. */
export function standInFor({
  trackId,
  dataSourceId,
  startTime,
}: Pick<TrackHeader, "trackId" | "dataSourceId" | "startTime">) {
  const nothing = { tag: "", endTime: null, modelId: null, properties: null, metadata: null };
  return rememberedFrom({ trackId, dataSourceId, startTime, ...nothing });
}

/** Follows the rule of the history: the newest end counts, and an expiry only if no later detection refutes it. */
export const endOf = ({ expiredEnd, explicitEnd }: RememberedTrack): number | null => expiredEnd ?? explicitEnd;

export function lastDetectionOf({ recent }: RememberedTrack): number {
  return recent.at(-1) ?? Number.NEGATIVE_INFINITY;
}

/**
 * Records the detection.
 * @returns "late" when the memory no longer knows whether a detection this old is a repetition.
 */
export function noteDetection(track: RememberedTrack, { timestamp }: Detection): "new" | "known" | "late" {
  const { recent } = track;
  // A late detection also counts here: the history has it, so queries for the track's detections must reach it.
  if (track.firstDetectionAt === null || timestamp < track.firstDetectionAt) track.firstDetectionAt = timestamp;
  if (timestamp > lastDetectionOf(track)) recent.push(timestamp);
  else if (recent.length >= RECENT && timestamp < (recent[0] ?? timestamp)) return "late";
  else if (!insert(recent, timestamp)) return "known";
  if (recent.length > RECENT) recent.shift();
  if (track.expiredEnd !== null && timestamp > track.expiredEnd) track.expiredEnd = null;
  track.foundEnd = null;
  return "new";
}

function insert(recent: number[], timestamp: number): boolean {
  let at = recent.length;
  while (at > 0 && (recent[at - 1] ?? timestamp) > timestamp) at--;
  if (recent[at - 1] === timestamp) return false;
  recent.splice(at, 0, timestamp);
  return true;
}

export function shownTrackOf(track: RememberedTrack): ShownTrack {
  const { trackId, dataSourceId, tag, startTime, modelId, properties, metadata } = track;
  const endTime = endOf(track) ?? track.foundEnd;
  const header = { trackId, dataSourceId, tag, startTime, endTime, modelId, properties, metadata };
  // An incomplete span is left out. With it, a query for the track's detections would miss the earlier ones.
  if (!track.isWhole) return header;
  return { ...header, firstDetectionAt: track.firstDetectionAt, lastDetectionAt: track.recent.at(-1) ?? null };
}
