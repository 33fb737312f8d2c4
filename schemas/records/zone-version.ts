import { int, long, optional, record, string, word } from "../avro.ts";
import { type Zone, zoneRecord } from "../log/zones.ts";

/**
 * The reason why a zone event changed nothing: the zone is not at that data source, the data source has reached its
 * limit, or the zone is no longer the one of `ifUpdatedAt`.
 */
export type ZoneRefusal = "not_here" | "no_room" | "changed";

/** The outcome of the zone event at `offset` of camera-log `partition`. */
export interface ZoneVersion {
  readonly zoneId: string;
  readonly dataSourceId: string;
  /** The zone from that offset on. Null when it is not at that data source. */
  readonly zone: Zone | null;
  /** The data source to which the zone moves. */
  readonly movedTo: string | null;
  readonly refusal: ZoneRefusal | null;
  readonly partition: number;
  readonly offset: number;
}

export const zoneVersion = record<ZoneVersion>("ZoneVersion", {
  zoneId: string,
  dataSourceId: string,
  zone: optional(zoneRecord),
  movedTo: optional(string),
  refusal: optional(word<ZoneRefusal>()),
  partition: int,
  offset: long,
});
