import { string } from "../avro.ts";
import { type GeoPosition, positionRecord } from "../log/detections.ts";
import { changedRecord } from "./changed.ts";
import { type Regions, regions } from "./regions.ts";

export interface SiteFields {
  readonly name: string;
  /** IANA name, for example `Europe/Berlin`. */
  readonly timezone: string;
  readonly position: GeoPosition | null;
  readonly polygon: Regions | null;
}

export const siteChanged = changedRecord<SiteFields>("Site", {
  name: string,
  timezone: string,
  position: positionRecord,
  polygon: regions,
});
