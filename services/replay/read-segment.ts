// The fold of a segment, and the events that it is to be given.
import type { LiveSettings } from "../../projections/live/partition.ts";
import type { RecordedEvent } from "../../projections/live/types.ts";
import { splitVersions } from "../../projections/live/zones-at.ts";
import { createSegmentFold, type SegmentFold } from "../../projections/replay/fold-segment.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { WrittenVersion } from "./known-zones.ts";
import { type ReadHistoryDeps, readHistory } from "./read-history.ts";
import { type ReadTopicDeps, readTopic } from "./read-topic.ts";

export interface ReadDeps extends ReadTopicDeps, Omit<ReadHistoryDeps, "zoneChanges"> {
  /** With the session's subscription. */
  readonly settings: LiveSettings;
  readonly leaveRoom: () => Promise<void>;
  readonly zones: readonly WrittenVersion[];
  /** Of the camera-log as it is now. */
  readonly logId: string;
}

export interface OpenSegment {
  readonly fold: SegmentFold;
  readonly events: AsyncGenerator<RecordedEvent, void>;
}

export function openSegment(segment: Segment, deps: ReadDeps): OpenSegment {
  return segment.log === "topic" ? ofTopic(segment, deps) : ofHistory(segment, deps);
}

function ofTopic(segment: Segment, deps: ReadDeps): OpenSegment {
  const { partition, begin, end } = segment;
  const here = deps.zones.filter((version) => version.partition === partition);
  const { older, ofThisLog } = splitVersions(here, deps.logId, end);
  const before = [...older, ...ofThisLog.filter(({ offset }) => offset < begin)];
  return { fold: createSegmentFold(segment, before, deps.settings), events: readTopic(segment, deps) };
}

/** Offsets of the history may be those of an earlier log, so zones are found by time. */
function ofHistory(segment: Segment, deps: ReadDeps): OpenSegment {
  const sources = new Set(segment.dataSourceIds);
  const here = deps.zones.filter(({ dataSourceId, refusal }) => sources.has(dataSourceId) && refusal === null);
  const isBefore = ({ writtenAt }: WrittenVersion) => writtenAt < segment.beginAt;
  const zoneChanges = here.filter((version) => !isBefore(version));
  return {
    fold: createSegmentFold(segment, here.filter(isBefore), deps.settings),
    events: readHistory(segment, { ...deps, zoneChanges }),
  };
}
