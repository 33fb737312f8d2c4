// The zones as of a place in the log, computed from their versions, for a fold that begins in the middle.
import type { ZoneVersion } from "../../schemas/events.ts";
import { apply } from "./fold.ts";
import { noOutputs } from "./outputs.ts";
import type { PartitionState } from "./state.ts";
import type { LiveSettings } from "./types.ts";

export interface KnownVersion extends ZoneVersion {
  /** The camera-log that `offset` belongs to. Undefined in versions written before the header existed. */
  readonly logId: string | undefined;
}

/** A version at `high`, the end of its partition, or later comes from an end that the log has lost. */
export const isOfLog = (version: KnownVersion, logId: string, high: number): boolean =>
  (version.logId ?? logId) === logId && version.offset < high;

/** The offset at which a fold begins, in a partition of the log with this id that ends at `high`. */
export interface FoldBeginning {
  readonly partition: number;
  readonly begin: number;
  readonly high: number;
  readonly logId: string;
}

/** Takes versions in the order of their topic, and keeps the newest of each zone before the beginning. */
export function createZonesAt({ partition, begin, high, logId }: FoldBeginning) {
  // Versions from an earlier log, or from an end that this log has lost, are older than all versions of this log.
  const older = new Map<string, ZoneVersion>();
  const ofThisLog = new Map<string, ZoneVersion>();
  return {
    add(version: KnownVersion): void {
      if (version.refusal !== null) return;
      if (version.partition !== partition || !isOfLog(version, logId, high)) older.set(version.zoneId, version);
      else if (version.offset < begin) ofThisLog.set(version.zoneId, version);
    },
    found: (): readonly ZoneVersion[] => [...older.values(), ...ofThisLog.values()],
  };
}

/** Puts the zones as of the offset where the fold begins into the state. */
export function putZones(state: PartitionState, versions: readonly ZoneVersion[], settings: LiveSettings): void {
  const taken = versions.filter(({ refusal }) => refusal === null);
  const zones = new Map(taken.map((version) => [version.zoneId, version]));
  // These zones were accepted before, so the present limit does not apply.
  const lettingIn = { ...settings, maxSourceVertices: Number.POSITIVE_INFINITY };
  const nowhere = noOutputs();
  for (const { zone, offset } of zones.values()) {
    if (zone === null) continue;
    const message = { type: "ZoneCreated", event: { zone } } as const;
    apply(state, { offset, recordedAt: zone.updatedAt, message }, lettingIn, nowhere);
  }
}
