// The fold of a segment, and the events for it.
import type { LiveSettings } from "../../projections/live/partition.ts";
import type { RecordedEvent } from "../../projections/live/types.ts";
import { createSegmentFold, type SegmentFold } from "../../projections/replay/fold-segment.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { FindZonesDeps, SegmentZones } from "./find-zones.ts";
import { type ReadHistoryDeps, readHistory } from "./read-history.ts";
import { type ReadTopicDeps, readTopic } from "./read-topic.ts";
import { readZoneVersions } from "./read-zones.ts";

export interface ReadDeps extends ReadTopicDeps, FindZonesDeps, Omit<ReadHistoryDeps, "nextZone"> {
  /** Includes the session's subscription. */
  readonly settings: LiveSettings;
}

export interface OpenSegment {
  readonly fold: SegmentFold;
  readonly events: AsyncGenerator<RecordedEvent, void>;
}

export function openSegment(segment: Segment, { before, changes }: SegmentZones, deps: ReadDeps): OpenSegment {
  const fold = createSegmentFold(segment, before, deps.settings);
  if (segment.log === "topic") return { fold, events: readTopic(segment, deps) };
  const versions = readZoneVersions(segment.dataSourceIds, deps, changes);
  const nextZone = async () => (await versions.next()).value;
  return { fold, events: readHistory(segment, { ...deps, nextZone }) };
}
