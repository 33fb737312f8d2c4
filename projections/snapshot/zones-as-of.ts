// The zones of a data source as of a time of the log, from the zones topic with its past.
import type { Zone, ZoneVersion } from "../../schemas/events.ts";

export interface ZonesAsOf {
  /** Applies the next version of the topic. A repeated one changes nothing. */
  apply(version: ZoneVersion, from: VersionSource): void;
  /**
   * The active zones.
   * @returns undefined when the versions of that time are no longer known.
   */
  zonesAt(dataSourceId: string, time: number): readonly Zone[] | undefined;
}

export interface VersionSource {
  /** Broker time of the version, ms. It dates only deletions: a zone has the time of its own change. */
  readonly recordedAt: number;
  /** Id of the camera-log in which the version's position is. */
  readonly logId: string | undefined;
}

interface Dated {
  readonly since: number;
  /** Null when the zone was not at the data source. */
  readonly zone: Zone | null;
}

/** The versions of one zone at one data source. */
interface Past {
  logId: string | undefined;
  /** Offset of the newest version in that camera-log. */
  offset: number;
  /** The versions in ascending order of time. */
  readonly versions: Dated[];
  /** True when versions were dropped, so the time before the first one is unknown. */
  isCut: boolean;
}

/** Without this limit a zone that a program moves all the time would fill the memory. */
const KEPT_VERSIONS = 200;

export function createZonesAsOf(): ZonesAsOf {
  const sources = new Map<string, Map<string, Past>>();

  function pastOf({ dataSourceId, zoneId }: ZoneVersion): Past {
    const zones = sources.get(dataSourceId) ?? new Map<string, Past>();
    sources.set(dataSourceId, zones);
    const past = zones.get(zoneId) ?? { logId: undefined, offset: -1, versions: [], isCut: false };
    zones.set(zoneId, past);
    return past;
  }

  return {
    apply(version, { recordedAt, logId }) {
      const { zone, refusal, offset } = version;
      if (refusal !== null) return;
      const past = pastOf(version);
      if (past.logId === logId && offset <= past.offset) return;
      Object.assign(past, { logId, offset });
      append(past, { since: zone?.updatedAt ?? recordedAt, zone });
    },
    zonesAt(dataSourceId, time) {
      const found: Zone[] = [];
      for (const { versions, isCut } of sources.get(dataSourceId)?.values() ?? []) {
        const version = versions.findLast(({ since }) => since <= time);
        if (version === undefined && isCut) return undefined;
        if (version?.zone?.active === true) found.push(version.zone);
      }
      return found;
    },
  };
}

function append(past: Past, dated: Dated): void {
  const { versions } = past;
  // The topic receives a deletion after a delay, perhaps later than the time at which the zone was created again.
  while ((versions.at(-1)?.since ?? dated.since) > dated.since) versions.pop();
  versions.push(dated);
  if (versions.length <= KEPT_VERSIONS) return;
  versions.shift();
  past.isCut = true;
}
