// The zones of a data source as they stood at a time of the log: the zones topic with its past.
import type { Zone, ZoneVersion } from "../../schemas/events.ts";

export interface ZonesAsOf {
  /** The next version of the topic; one that comes again changes nothing. */
  apply(version: ZoneVersion, from: VersionSource): void;
  /** The active ones; undefined: the versions of that time are no longer known. */
  zonesAt(dataSourceId: string, time: number): readonly Zone[] | undefined;
}

export interface VersionSource {
  /** When the topic took the version in, ms. It dates only a deletion: a zone itself says when it was written. */
  readonly recordedAt: number;
  /** The camera-log that the version's position belongs to. */
  readonly logId: string | undefined;
}

interface Dated {
  readonly since: number;
  /** null: the zone was not at the data source. */
  readonly zone: Zone | null;
}

/** The versions of one zone at one data source. */
interface Past {
  logId: string | undefined;
  /** Of the newest version in that camera-log. */
  offset: number;
  /** Ascending. */
  readonly versions: Dated[];
  /** Versions were dropped: what was before the first one is not known. */
  isCut: boolean;
}

/** A zone that a program moves all the time must not fill the memory. */
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
  // The topic has a deletion only after a while, perhaps later than the time at which the zone was made again.
  while ((versions.at(-1)?.since ?? dated.since) > dated.since) versions.pop();
  versions.push(dated);
  if (versions.length <= KEPT_VERSIONS) return;
  versions.shift();
  past.isCut = true;
}
