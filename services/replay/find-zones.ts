// The zones of all segments of a session, found in one reading of their topic: it has every version of every zone, also of
// other cameras.
import { createZonesAt } from "../../projections/live/zones-at.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { ZoneVersion } from "../../schemas/events.ts";
import type { Stretch } from "./read-messages.ts";
import { type ReadZonesDeps, readZones, type WrittenVersion } from "./read-zones.ts";

export interface FindZonesDeps extends ReadZonesDeps {
  /** Of the camera-log as it is now. */
  readonly logId: string;
  /** Its ends by partition. Every version of a zone that is read is of a message before them, or of a lost one. */
  readonly highs: readonly number[];
  readonly trackTtlMs: number;
}

export interface SegmentZones {
  /** The versions at its beginning. */
  readonly before: readonly ZoneVersion[];
  /** Where the later ones are that it needs; empty for a segment of the log, which has the changes itself. */
  readonly changes: Stretch;
}

export interface FoundZones {
  /** Once for each segment: what it had is forgotten. */
  take(segment: Segment): SegmentZones;
}

interface Finding {
  add(version: WrittenVersion): void;
  found(): SegmentZones;
}

export async function findZones(plan: readonly Segment[], deps: FindZonesDeps): Promise<FoundZones> {
  const findings = new Map<Segment, Finding>();
  const bySource = new Map<string, Finding[]>();
  for (const segment of plan) {
    const finding = segment.log === "topic" ? findOfTopic(segment, deps) : findOfHistory(segment, deps);
    findings.set(segment, finding);
    for (const id of segment.dataSourceIds) bySource.set(id, [...(bySource.get(id) ?? []), finding]);
  }
  for await (const version of readZones([...bySource.keys()], deps)) {
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

function findOfTopic({ partition, begin }: Segment, deps: FindZonesDeps): Finding {
  const { add, found } = createZonesAt({ partition, begin, high: deps.highs[partition] ?? 0, logId: deps.logId });
  return { add, found: () => ({ before: found(), changes: nothing(deps) }) };
}

/** Offsets of the history may be those of an earlier log, so zones are found by time. */
function findOfHistory({ beginAt, lastAt }: Segment, deps: FindZonesDeps): Finding {
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

const nothing = ({ zones }: FindZonesDeps): Stretch => ({ ...zones, begin: 0, end: 0 });
