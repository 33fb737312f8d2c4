// The zones topic in memory. A zone may move between data sources, whose logs have no common order. Within a data
// source the position in the camera-log orders the versions. Between data sources the topic orders them: the writer of
// a move creates the zone in the new log only after the topic has the version with which it left the old one.
import type { Zone, ZoneVersion } from "../../schemas/events.ts";
import { dropOldest } from "../drop-oldest.ts";

export interface ZonesView {
  /** The present zone. A zone that is moving is already at the data source to which it moves. */
  zone(id: string): Zone | undefined;
  /**
   * @returns true when the zone has left one data source's log and is not yet in the other's. Any later change of the
   * zone completes the move.
   */
  isOnItsWay(id: string): boolean;
  /** The last state of the zone, even if it is deleted: the history still refers to it. */
  lastKnown(id: string): Zone | undefined;
  /** All present zones, in no particular order. */
  zones(): Iterable<Zone>;
  /** The last states of all zones, including those that are deleted. */
  zonesEver(): Iterable<Zone>;
  zonesOf(dataSourceId: string): readonly Zone[];
  /**
   * Applies the next version of the topic. A repeated one changes nothing. `logId` is the camera-log of the version's
   * position; without it, the newest log is meant. A version of a newer log always counts.
   */
  apply(version: ZoneVersion, logId?: string): void;
  /** @returns true when a zone event at this position of the camera-log, if there is one, is part of the view. */
  hasSeen(partition: number, offset: number): boolean;
  /** Number of versions that have been applied. */
  versionCount(): number;
  /**
   * Returns the version that the zone event at this position gave. `since` is the result of `versionCount` before the
   * event was written: an earlier camera-log had the same positions, and its outcomes do not count.
   */
  outcome(partition: number, offset: number, since: number): ZoneVersion | undefined;
}

interface Known {
  readonly zone: Zone;
  readonly state: "here" | "on its way" | "gone";
}

/** Far more versions than the topic delivers while a writer waits for its outcome. */
const REMEMBERED_OUTCOMES = 10_000;

export function createZonesView(): ZonesView {
  const zones = createZoneStates();
  const versions = createZoneVersions();
  const earlierLogs = new Set<string>();
  let newestLog: string | undefined;

  /** Positions of the former log have no meaning in the new one. The view keeps the zones themselves. */
  function beginLog(logId: string): void {
    if (newestLog !== undefined) {
      earlierLogs.add(newestLog);
      zones.forgetPositions();
      versions.forgetPositions();
    }
    newestLog = logId;
  }

  return {
    zone: zones.zone,
    isOnItsWay: (id) => zones.known.get(id)?.state === "on its way",
    lastKnown: (id) => zones.known.get(id)?.zone,
    zones: zones.all,
    zonesEver: () => [...zones.known.values()].map(({ zone }) => zone),
    zonesOf: zones.ofSource,
    apply(version, logId) {
      if (logId !== undefined && earlierLogs.has(logId)) return;
      if (logId !== undefined && logId !== newestLog) beginLog(logId);
      zones.lay(version);
      versions.record(version);
    },
    hasSeen: versions.hasSeen,
    versionCount: versions.versionCount,
    outcome: versions.outcome,
  };
}

/** The zones with the versions that count. */
function createZoneStates() {
  const known = new Map<string, Known>();
  const current = new Map<string, Zone>();
  /** The same zones by data source. */
  const bySource = new Map<string, Map<string, Zone>>();
  /** Camera-log offset of the newest version of each zone, by data source. */
  const offsets = new Map<string, Map<string, number>>();

  function show(zoneId: string, after: Zone | undefined): void {
    const before = current.get(zoneId);
    if (before !== undefined && before.dataSourceId !== after?.dataSourceId) {
      const zones = bySource.get(before.dataSourceId);
      zones?.delete(zoneId);
      if (zones?.size === 0) bySource.delete(before.dataSourceId);
    }
    if (after === undefined) current.delete(zoneId);
    else {
      current.set(zoneId, after);
      const zones = bySource.get(after.dataSourceId) ?? new Map<string, Zone>();
      bySource.set(after.dataSourceId, zones.set(zoneId, after));
    }
  }

  return {
    known,
    zone: (id: string) => current.get(id),
    all: () => current.values(),
    ofSource: (dataSourceId: string) => [...(bySource.get(dataSourceId)?.values() ?? [])],
    forgetPositions: () => offsets.clear(),
    lay(version: ZoneVersion): void {
      const { zoneId, dataSourceId, offset } = version;
      const isFirstOfLog = !offsets.has(zoneId);
      const ofZone = offsets.get(zoneId) ?? new Map<string, number>();
      const newest = ofZone.get(dataSourceId) ?? -1;
      const before = known.get(zoneId);
      if (newest >= offset || (version.refusal !== null && !isOfJourney(before, version))) return;
      offsets.set(zoneId, ofZone.set(dataSourceId, offset));
      const after = follow(before, version, isFirstOfLog);
      if (after === undefined) return;
      known.set(zoneId, after);
      show(zoneId, after.state === "gone" ? undefined : after.zone);
    },
  };
}

/** The versions by their positions in the newest camera-log. */
function createZoneVersions() {
  const outcomes = new Map<string, { readonly version: ZoneVersion; readonly sequence: number }>();
  /** Newest camera-log offset in the topic, by partition. The topic has the versions of one partition in order. */
  const newest = new Map<number, number>();
  let count = 0;

  return {
    forgetPositions(): void {
      outcomes.clear();
      newest.clear();
    },
    record(version: ZoneVersion): void {
      count++;
      const { partition, offset } = version;
      const place = placeOf(partition, offset);
      outcomes.delete(place);
      outcomes.set(place, { version, sequence: count });
      dropOldest(outcomes, REMEMBERED_OUTCOMES);
      if (offset > (newest.get(partition) ?? -1)) newest.set(partition, offset);
    },
    hasSeen: (partition: number, offset: number) => offset <= (newest.get(partition) ?? -1),
    versionCount: () => count,
    outcome(partition: number, offset: number, since: number): ZoneVersion | undefined {
      const found = outcomes.get(placeOf(partition, offset));
      return found !== undefined && found.sequence > since ? found.version : undefined;
    },
  };
}

const placeOf = (partition: number, offset: number): string => `${partition}/${offset}`;

/**
 * @returns true for a refused version that completes a move: while a zone is moving, the new data source refuses its
 * deletion or next move, because the zone has not arrived there. The zone will then not arrive there any more.
 */
function isOfJourney(before: Known | undefined, { dataSourceId, movedTo, refusal }: ZoneVersion): boolean {
  const isExpected = before?.state === "on its way" && before.zone.dataSourceId === dataSourceId;
  return isExpected && refusal === "not_here" && movedTo !== null;
}

/**
 * A zone that moves to its own data source is deleted.
 * @returns undefined when the version does not change the place of the zone.
 */
function follow(
  before: Known | undefined,
  { dataSourceId, zone, movedTo }: ZoneVersion,
  isFirstOfLog: boolean,
): Known | undefined {
  const isElsewhere = !isFirstOfLog && before?.state === "here" && before.zone.dataSourceId !== dataSourceId;
  if (zone !== null) return isElsewhere && zone.updatedAt < before.zone.updatedAt ? undefined : { zone, state: "here" };
  if (before === undefined || before.zone.dataSourceId !== dataSourceId || before.state === "gone") return undefined;
  if (movedTo === null || movedTo === dataSourceId) return { zone: before.zone, state: "gone" };
  return { zone: { ...before.zone, dataSourceId: movedTo }, state: "on its way" };
}
