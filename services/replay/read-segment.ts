// The fold of a segment, and the events that it is to be given.
import type { LiveSettings } from "../../projections/live/partition.ts";
import type { RecordedEvent } from "../../projections/live/types.ts";
import { isOfLog } from "../../projections/live/zones-at.ts";
import { createSegmentFold, type SegmentFold } from "../../projections/replay/fold-segment.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { ZoneVersion } from "../../schemas/events.ts";
import { type ReadHistoryDeps, readHistory } from "./read-history.ts";
import { type ReadTopicDeps, readTopic } from "./read-topic.ts";
import { type ReadZonesDeps, readZones } from "./read-zones.ts";

export interface ReadDeps extends ReadTopicDeps, ReadZonesDeps, Omit<ReadHistoryDeps, "zoneChanges"> {
  /** With the session's subscription. */
  readonly settings: LiveSettings;
  /** Of the camera-log as it is now. */
  readonly logId: string;
  /** Its ends by partition. Every version of a zone that is read is of a message before them, or of a lost one. */
  readonly highs: readonly number[];
}

export interface OpenSegment {
  readonly fold: SegmentFold;
  readonly events: AsyncGenerator<RecordedEvent, void>;
}

export function openSegment(segment: Segment, deps: ReadDeps): Promise<OpenSegment> {
  return segment.log === "topic" ? ofTopic(segment, deps) : ofHistory(segment, deps);
}

async function ofTopic(segment: Segment, deps: ReadDeps): Promise<OpenSegment> {
  const { partition, dataSourceIds, begin } = segment;
  const high = deps.highs[partition] ?? 0;
  const older = new Map<string, ZoneVersion>();
  const ofThisLog = new Map<string, ZoneVersion>();
  for await (const version of readZones(dataSourceIds, deps)) {
    if (version.partition !== partition || !isOfLog(version, deps.logId, high)) older.set(version.zoneId, version);
    else if (version.offset < begin) ofThisLog.set(version.zoneId, version);
  }
  const before = [...older.values(), ...ofThisLog.values()];
  return { fold: createSegmentFold(segment, before, deps.settings), events: readTopic(segment, deps) };
}

/** Offsets of the history may be those of an earlier log, so zones are found by time. */
async function ofHistory(segment: Segment, deps: ReadDeps): Promise<OpenSegment> {
  const versions = readZones(segment.dataSourceIds, deps);
  const before = new Map<string, ZoneVersion>();
  const later = async () => (await versions.next()).value;
  let version = await later();
  for (; version !== undefined && version.writtenAt < segment.beginAt; version = await later()) {
    before.set(version.zoneId, version);
  }
  return {
    fold: createSegmentFold(segment, [...before.values()], deps.settings),
    events: readHistory(segment, { ...deps, zoneChanges: { first: version, later } }),
  };
}
