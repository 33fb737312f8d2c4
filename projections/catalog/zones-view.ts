// The zones topic in memory. A zone may move between data sources, whose logs have no common order. Within a data
// source the position in the camera-log orders the versions. Between data sources the topic orders them: the writer of
// a move creates the zone in the new log only after the topic has the version with which it left the old one.
import type { Zone, ZoneVersion } from "../../schemas/events.ts";

export interface ZonesView {
  /** The zone as it is now; a zone on its way is already at the data source to which it moves. */
  zone(id: string): Zone | undefined;
  /** The zone left one data source's log and is not in the other's yet. Any later change of it completes the move. */
  isOnItsWay(id: string): boolean;
  /** The zone as it last was, even if it is deleted: the history still refers to it. */
  lastKnown(id: string): Zone | undefined;
  /** In no particular order. */
  zones(): Iterable<Zone>;
  /** As lastKnown: also those that are deleted. */
  zonesEver(): Iterable<Zone>;
  zonesOf(dataSourceId: string): readonly Zone[];
  /**
   * The next version of the topic; one that comes again changes nothing. `logId`: the camera-log that its position belongs to;
   * undefined = the newest one. A version of a newer log always counts.
   */
  apply(version: ZoneVersion, logId?: string): void;
  /** True when a zone event at this position of the camera-log, if there is one, is part of the view. */
  hasSeen(partition: number, offset: number): boolean;
  /** How many versions were read. */
  heard(): number;
  /**
   * What became of the zone event at this position; undefined when it was not heard of lately. `since`: what `heard` said
   * before the event was written, because an earlier camera-log had the same positions.
   */
  outcome(partition: number, offset: number, since: number): ZoneVersion | undefined;
}

interface Known {
  readonly zone: Zone;
  readonly state: "here" | "on its way" | "gone";
}

/** Far more than the topic brings while a writer waits for its outcome. */
const REMEMBERED_OUTCOMES = 10_000;

export function createZonesView(): ZonesView {
  const known = new Map<string, Known>();
  const current = new Map<string, Zone>();
  /** The same, by data source. */
  const bySource = new Map<string, Map<string, Zone>>();
  /** Camera-log offset of the newest version of each zone, by data source. */
  const offsets = new Map<string, Map<string, number>>();
  const outcomes = new Map<string, { readonly version: ZoneVersion; readonly heardAt: number }>();
  /** Newest camera-log offset in the topic, by partition: the versions of one come in its order. */
  const told = new Map<number, number>();
  const earlierLogs = new Set<string>();
  let newestLog: string | undefined;
  let heard = 0;

  /** Positions of the former log mean nothing in the new one. What is known of the zones stays. */
  function beginLog(logId: string): void {
    if (newestLog !== undefined) {
      earlierLogs.add(newestLog);
      for (const positions of [offsets, outcomes, told]) positions.clear();
    }
    newestLog = logId;
  }

  function lay(version: ZoneVersion): void {
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
  }

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

  function remember(version: ZoneVersion): void {
    const place = placeOf(version.partition, version.offset);
    outcomes.delete(place);
    outcomes.set(place, { version, heardAt: heard });
    for (const oldest of outcomes.keys()) {
      if (outcomes.size <= REMEMBERED_OUTCOMES) break;
      outcomes.delete(oldest);
    }
  }

  return {
    zone: (id) => current.get(id),
    isOnItsWay: (id) => known.get(id)?.state === "on its way",
    lastKnown: (id) => known.get(id)?.zone,
    zones: () => current.values(),
    zonesEver: () => [...known.values()].map(({ zone }) => zone),
    zonesOf: (dataSourceId) => [...(bySource.get(dataSourceId)?.values() ?? [])],
    apply(version, logId) {
      if (logId !== undefined && earlierLogs.has(logId)) return;
      if (logId !== undefined && logId !== newestLog) beginLog(logId);
      heard++;
      const { partition, offset } = version;
      lay(version);
      remember(version);
      if (offset > (told.get(partition) ?? -1)) told.set(partition, offset);
    },
    hasSeen: (partition, offset) => offset <= (told.get(partition) ?? -1),
    heard: () => heard,
    outcome(partition, offset, since) {
      const found = outcomes.get(placeOf(partition, offset));
      return found !== undefined && found.heardAt > since ? found.version : undefined;
    },
  };
}

const placeOf = (partition: number, offset: number): string => `${partition}/${offset}`;

/** What is refused changes nothing, but for a zone on its way: there is nothing to delete yet, and it does not arrive here. */
function isOfJourney(before: Known | undefined, { dataSourceId, movedTo, refusal }: ZoneVersion): boolean {
  const isExpected = before?.state === "on its way" && before.zone.dataSourceId === dataSourceId;
  return isExpected && refusal === "not_here" && movedTo !== null;
}

/** undefined = the version says nothing about where the zone is now. A zone that moves to where it is, is deleted. */
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
