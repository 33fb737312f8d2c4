// The fold of a segment, and the events for it, from the stores.
import type { LiveSettings } from "../../projections/live/partition.ts";
import type { RecordedEvent } from "../../projections/live/types.ts";
import { createSegmentFold, type SegmentFold } from "../../projections/replay/fold-segment.ts";
import type { Segment } from "../../projections/replay/session.ts";
import { type FindZonesDeps, findZones, type SegmentZones } from "./find-zones.ts";
import { type ReadHistoryDeps, readHistory } from "./read-history.ts";
import { type ReadTopicDeps, readTopic } from "./read-topic.ts";
import { readZoneVersions } from "./read-zones.ts";

export interface ReadDeps extends ReadTopicDeps, FindZonesDeps, Omit<ReadHistoryDeps, "nextZone"> {
  /** Includes the listener, which raises the signals. */
  readonly settings: LiveSettings;
}

export interface OpenSegment {
  readonly fold: SegmentFold;
  readonly events: AsyncGenerator<RecordedEvent, void>;
}

/** Finds out what the segments of a plan need. Resolves with the function that opens each of them, once. */
export type PrepareSegments = (plan: readonly Segment[]) => Promise<(segment: Segment) => OpenSegment>;

export const storedSegments =
  (deps: ReadDeps): PrepareSegments =>
  async (plan) => {
    const zones = await findZones(plan, deps);
    return (segment) => openSegment(segment, zones.take(segment), deps);
  };

export function openSegment(segment: Segment, { before, changes }: SegmentZones, deps: ReadDeps): OpenSegment {
  const fold = createSegmentFold(segment, before, deps.settings);
  if (segment.log === "topic") return { fold, events: readTopic(segment, deps) };
  const versions = readZoneVersions(segment.dataSourceIds, deps, changes);
  const nextZone = async () => (await versions.next()).value;
  return { fold, events: readHistory(segment, { ...deps, nextZone }) };
}
