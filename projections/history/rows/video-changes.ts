// Folds a part of the log into partial rows of videos_v1. Every member is a maximum, so parts may overlap, repeat and
// arrive in any order: folding here and folding in ClickHouse are the same operation.
import type { VideoChanged, VideoFields } from "../../../schemas/records/video-changed.ts";
import { createdRank, updatedRank } from "../../rank.ts";
import type { RecordedAt } from "../table.ts";
import { createByPair } from "./by-pair.ts";

type Ranked = readonly [rank: number, value: string | number | null];

/** The changes of one video. */
export interface VideoChange {
  readonly id: string;
  readonly dataSourceId: string;
  /** The broker's time of the first creation, which is used because the clocks of the writers may differ. */
  created: Ranked;
  readonly set: Map<keyof VideoFields, Ranked>;
}

export interface VideoChanges {
  changed(event: VideoChanged, recorded: RecordedAt): void;
  /** @returns one change per video. */
  changes(): VideoChange[];
}

export function createVideoChanges(): VideoChanges {
  const videos = createByPair((dataSourceId, id) => untouched(id, dataSourceId));

  return {
    changed(event, { offset, recordedAt }) {
      const change = videos.of(event.dataSourceId, event.id);
      const isCreation = event.change === "created";
      const rank = isCreation ? createdRank(offset) : updatedRank(offset);
      if (isCreation && rank > change.created[0]) change.created = [rank, recordedAt];
      const cleared: readonly string[] = event.cleared;
      for (const field of fields) {
        const value = event.set[field];
        // A creation sets every field, so that a missing value is null.
        const isSet = value !== null || isCreation || cleared.includes(field);
        if (isSet && rank > storedFieldOf(change, field)[0]) change.set.set(field, [rank, value ?? nothing[field]]);
      }
    },
    changes: () => videos.all(),
  };
}

/** The value of a field's column. */
export const storedFieldOf = ({ set }: VideoChange, field: keyof VideoFields): Ranked =>
  set.get(field) ?? [0, nothing[field]];

/** The values in a row that does not set the field. A start and a path are never missing. */
const nothing: VideoFields = {
  startTime: 0,
  endTime: null,
  path: "",
  thumbnailPath: null,
  displayName: null,
  frameRate: null,
  resolutionHeight: null,
  resolutionWidth: null,
};

const fields = Object.keys(nothing) as (keyof VideoFields)[];

const untouched = (id: string, dataSourceId: string): VideoChange => ({
  id,
  dataSourceId,
  created: [0, 0],
  set: new Map(),
});
