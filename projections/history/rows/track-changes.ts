// Folds a part of the log into partial rows of tracks_v1. Every member is a maximum or minimum, so parts may overlap,
// repeat and arrive in any order: folding here and folding in ClickHouse are the same operation.
import type { TrackCreated, TrackExpired, TrackProperties, TrackUpdated } from "../../../schemas/events.ts";
import { createdRank, updatedRank } from "../../rank.ts";
import { patchOf } from "../../track/patch.ts";
import type { RecordedAt } from "../table.ts";
import { createByPair } from "./by-pair.ts";

type Ranked<T> = readonly [rank: number, value: T];
type End = readonly [rank: number, isSet: boolean, value: number];

/** The changes of one track. Without a detection, `first` is after `last`. */
export interface TrackChange {
  readonly dataSourceId: string;
  readonly trackId: string;
  tag: Ranked<string>;
  start: Ranked<number>;
  explicitEnd: End;
  expiredEnd: Ranked<number>;
  modelId: Ranked<string | null>;
  properties: Ranked<string | null>;
  metadata: Ranked<string | null>;
  first: number;
  last: number;
  createdAt: number;
  updatedAt: number;
  partition: number;
  lastOffset: number;
}

const NO_TEXT: Ranked<string> = [0, ""];
const NOTHING: Ranked<null> = [0, null];
const NO_TIME: Ranked<number> = [0, 0];
const NO_END: End = [0, false, 0];

export interface TrackChanges {
  created(event: TrackCreated, recorded: RecordedAt): void;
  updated(event: TrackUpdated, recorded: RecordedAt): void;
  ended(event: TrackExpired, recorded: RecordedAt): void;
  detected(dataSourceId: string, trackId: string, timestamp: number, recorded: RecordedAt): void;
  /** @returns one change per track. */
  changes(): TrackChange[];
}

export function createTrackChanges(): TrackChanges {
  const tracks = createByPair(untouched);

  function touch(dataSourceId: string, trackId: string, { partition, offset, recordedAt }: RecordedAt): TrackChange {
    const change = tracks.of(dataSourceId, trackId);
    if (recordedAt < change.createdAt) change.createdAt = recordedAt;
    if (recordedAt > change.updatedAt) change.updatedAt = recordedAt;
    if (offset >= change.lastOffset) change.lastOffset = offset;
    change.partition = partition;
    return change;
  }

  return {
    created(event, recorded) {
      const change = touch(event.dataSourceId, event.trackId, recorded);
      const rank = createdRank(recorded.offset);
      change.tag = higher(change.tag, [rank, event.tag]);
      change.start = higher(change.start, [rank, event.startTime]);
      if (event.endTime !== null) change.explicitEnd = higher(change.explicitEnd, [rank, true, event.endTime]);
      change.modelId = higher(change.modelId, [rank, event.modelId]);
      change.properties = higher(change.properties, [rank, toText(event.properties)]);
      change.metadata = higher(change.metadata, [rank, event.metadata]);
    },

    updated(event, recorded) {
      const change = touch(event.dataSourceId, event.trackId, recorded);
      const rank = updatedRank(recorded.offset);
      const { tag, startTime, endTime, properties, metadata } = patchOf(event);
      if (tag !== undefined) change.tag = higher(change.tag, [rank, tag]);
      if (startTime !== undefined) change.start = higher(change.start, [rank, startTime]);
      if (endTime !== undefined)
        change.explicitEnd = higher(change.explicitEnd, [rank, endTime !== null, endTime ?? 0]);
      if (properties !== undefined) change.properties = higher(change.properties, [rank, toText(properties)]);
      if (metadata !== undefined) change.metadata = higher(change.metadata, [rank, metadata]);
    },

    ended(event, recorded) {
      const change = touch(event.dataSourceId, event.trackId, recorded);
      // An expiry gets the rank of the last message that its author had read (`readUpTo`). So an author that lagged, or
      // woke late, does not outweigh messages that it had not read. When two authors had read equally far, ClickHouse
      // takes the greater tuple, and this code must do the same.
      const rank = updatedRank(Math.min(event.readUpTo ?? recorded.offset, recorded.offset));
      const [knownRank, knownEnd] = change.expiredEnd;
      if (rank > knownRank || (rank === knownRank && event.endTime > knownEnd))
        change.expiredEnd = [rank, event.endTime];
    },

    detected(dataSourceId, trackId, timestamp, recorded) {
      const change = touch(dataSourceId, trackId, recorded);
      if (timestamp < change.first) change.first = timestamp;
      if (timestamp > change.last) change.last = timestamp;
    },

    changes: () => tracks.all(),
  };
}

function untouched(dataSourceId: string, trackId: string): TrackChange {
  return {
    dataSourceId,
    trackId,
    tag: NO_TEXT,
    start: NO_TIME,
    explicitEnd: NO_END,
    expiredEnd: NO_TIME,
    modelId: NOTHING,
    properties: NOTHING,
    metadata: NOTHING,
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
    createdAt: Number.POSITIVE_INFINITY,
    updatedAt: Number.NEGATIVE_INFINITY,
    partition: 0,
    lastOffset: 0,
  };
}

const higher = <T extends readonly [rank: number, ...rest: unknown[]]>(known: T, next: T): T =>
  next[0] > known[0] ? next : known;

const toText = (properties: TrackProperties | null): string | null =>
  properties === null ? null : JSON.stringify(properties);
