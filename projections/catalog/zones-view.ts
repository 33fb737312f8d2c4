// The zones topic in memory. A zone may move between data sources, whose logs have no common order: versions are kept
// per zone and data source, each ordered by its position in the camera-log.
import type { Zone, ZoneVersion } from "../../schemas/events.ts";

export interface ZonesView {
  /** The zone as it stands now. */
  zone(id: string): Zone | undefined;
  /** The zone as it last stood, also when it is gone: history speaks of deleted zones. */
  lastKnown(id: string): Zone | undefined;
  /** In no particular order. */
  zones(): Iterable<Zone>;
  zonesOf(dataSourceId: string): readonly Zone[];
  /** A version from the topic; any order, any number of times. */
  apply(version: ZoneVersion): void;
  /** What this instance wrote to the camera-log and the log acknowledged; stands until a version at or beyond it comes. */
  applyOwn(version: ZoneVersion): void;
  /** True when a zone event at this position of the camera-log, if there is one, is part of the view. */
  hasSeen(partition: number, offset: number): boolean;
}

export function createZonesView(): ZonesView {
  const versions = new Map<string, Map<string, ZoneVersion>>();
  const current = new Map<string, Zone>();
  const lastKnown = new Map<string, Zone>();
  /** Newest camera-log offset that the topic has told of, by partition: the versions of one come in its order. */
  const told = new Map<number, number>();
  /** Own writes that the topic has not told of yet. */
  const own = new Map<number, Set<number>>();

  function lay(version: ZoneVersion): void {
    const { zoneId, dataSourceId, zone } = version;
    const ofZone = versions.get(zoneId) ?? new Map<string, ZoneVersion>();
    versions.set(zoneId, ofZone);
    const known = ofZone.get(dataSourceId);
    if (known !== undefined && known.offset > version.offset) return;
    ofZone.set(dataSourceId, version);
    const newest = newestOf(ofZone.values());
    if (newest === undefined) current.delete(zoneId);
    else current.set(zoneId, newest);
    const before = lastKnown.get(zoneId);
    if (zone !== null && (before === undefined || before.updatedAt <= zone.updatedAt)) lastKnown.set(zoneId, zone);
  }

  return {
    zone: (id) => current.get(id),
    lastKnown: (id) => current.get(id) ?? lastKnown.get(id),
    zones: () => current.values(),
    zonesOf: (dataSourceId) => [...current.values()].filter((zone) => zone.dataSourceId === dataSourceId),
    apply(version) {
      const { partition, offset } = version;
      lay(version);
      if (offset > (told.get(partition) ?? -1)) told.set(partition, offset);
      for (const waiting of own.get(partition) ?? []) if (waiting <= offset) own.get(partition)?.delete(waiting);
    },
    applyOwn(version) {
      const { partition, offset } = version;
      lay(version);
      own.set(partition, (own.get(partition) ?? new Set()).add(offset));
    },
    hasSeen: (partition, offset) => offset <= (told.get(partition) ?? -1) || own.get(partition)?.has(offset) === true,
  };
}

/** Between a zone's deletion from one log and its creation in the other both may stand for a moment. */
function newestOf(versions: Iterable<ZoneVersion>): Zone | undefined {
  let newest: Zone | undefined;
  for (const { zone } of versions) {
    if (zone !== null && (newest === undefined || zone.updatedAt >= newest.updatedAt)) newest = zone;
  }
  return newest;
}
