// Finds the zones of all segments of a session in one reading of their topic: it has every version of every zone, also
// of other cameras.
import { createZonesAt } from "../../projections/live/zones-at.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { ZoneVersion } from "../../schemas/events.ts";
import type { LogStretch } from "./read-messages.ts";
import { type ReadZonesDeps, readZoneVersions, type WrittenVersion } from "./read-zones.ts";

export interface FindZonesDeps extends ReadZonesDeps {
  /** Id of the present camera-log. */
  readonly logId: string;
  /** Ends of the camera-log by partition. Every version read belongs to a message before them, or to a lost one. */
  readonly highs: readonly number[];
  readonly trackTtlMs: number;
}

export interface SegmentZones {
  /** Versions of the zones at the beginning of the segment. */
  readonly before: readonly ZoneVersion[];
  /**
   * Range of the zones' topic with the later versions that the segment needs. It is empty for a segment of the log,
   * which has the changes itself.
   */
  readonly changes: LogStretch;
}

export interface FoundZones {
  /** May be called once for each segment: its data is then dropped. */
  take(segment: Segment): SegmentZones;
}

interface ZoneFinding {
  add(version: WrittenVersion): void;
  found(): SegmentZones;
}

export async function findZones(plan: readonly Segment[], deps: FindZonesDeps): Promise<FoundZones> {
  const findings = new Map<Segment, ZoneFinding>();
  const bySource = new Map<string, ZoneFinding[]>();
  for (const segment of plan) {
    const finding = findZonesOf(segment, deps);
    findings.set(segment, finding);
    for (const id of segment.dataSourceIds) bySource.set(id, [...(bySource.get(id) ?? []), finding]);
  }
  for await (const version of readZoneVersions([...bySource.keys()], deps)) {
    for (const finding of bySource.get(version.dataSourceId) ?? []) finding.add(version);
  }
  bySource.clear();
  return {
    take(segment) {
      const finding = findings.get(segment);
      findings.delete(segment);
      return finding?.found() ?? { before: [], changes: nothing(deps) };
    },
  };
}

/** Finds the zones as they are at the end of their topic, for segments that do not follow their changes. */
export async function findPresentZones(plan: readonly Segment[], deps: FindZonesDeps): Promise<FoundZones> {
  const present = new Map<string, Map<string, ZoneVersion>>();
  for (const id of plan.flatMap(({ dataSourceIds }) => dataSourceIds)) present.set(id, new Map());
  for await (const version of readZoneVersions([...present.keys()], deps)) {
    const { zoneId, dataSourceId, zone } = version;
    if (zone === null) present.get(dataSourceId)?.delete(zoneId);
    else present.get(dataSourceId)?.set(zoneId, version);
  }
  return {
    take: ({ dataSourceIds }) => ({
      before: dataSourceIds.flatMap((id) => [...(present.get(id)?.values() ?? [])]),
      changes: nothing(deps),
    }),
  };
}

/** Gets the versions of the data sources of the segment, in the order of the topic. */
export const findZonesOf = (segment: Segment, deps: FindZonesDeps): ZoneFinding =>
  segment.log === "topic" ? findOfTopic(segment, deps) : findOfHistory(segment, deps);

function findOfTopic({ partition, begin }: Segment, deps: FindZonesDeps): ZoneFinding {
  const { add, found } = createZonesAt({ partition, begin, high: deps.highs[partition] ?? 0, logId: deps.logId });
  return { add, found: () => ({ before: found(), changes: nothing(deps) }) };
}

/** Offsets of the history may be those of an earlier log, so zones are found by time. */
function findOfHistory({ beginAt, lastAt }: Segment, deps: FindZonesDeps): ZoneFinding {
  const before = new Map<string, ZoneVersion>();
  const overAt = lastAt + deps.trackTtlMs;
  let changes = nothing(deps);
  return {
    add(version) {
      const { place, writtenAt } = version;
      const isBefore = changes.begin === changes.end && writtenAt < beginAt;
      if (isBefore) before.set(version.zoneId, version);
      else if (writtenAt <= overAt) {
        const begin = changes.begin === changes.end ? place : changes.begin;
        changes = { ...changes, begin, end: place + 1 };
      }
    },
    found: () => ({ before: [...before.values()], changes }),
  };
}

const nothing = ({ zones }: FindZonesDeps): LogStretch => ({ ...zones, begin: 0, end: 0 });
