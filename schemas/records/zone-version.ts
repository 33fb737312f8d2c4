import { int, long, optional, record, string } from "../avro.ts";
import { type Zone, zone } from "../log/zones.ts";

/** A zone as it is from `offset` of camera-log `partition` on; null = gone from that data source. */
export interface ZoneVersion {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly zone: Zone | null;
  readonly partition: number;
  readonly offset: number;
}

export const zoneVersion = record<ZoneVersion>("ZoneVersion", {
  zoneId: string,
  dataSourceId: string,
  zone: optional(zone),
  partition: int,
  offset: long,
});
