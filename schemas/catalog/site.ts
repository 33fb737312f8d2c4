import { string } from "../avro.ts";
import { type GeoPosition, position } from "../log/detections.ts";
import { changed } from "./changed.ts";
import { type Regions, regions } from "./regions.ts";

export interface SiteFields {
  readonly name: string;
  /** IANA name. */
  readonly timezone: string;
  readonly position: GeoPosition | null;
  readonly polygon: Regions | null;
}

export const siteChanged = changed<SiteFields>("Site", {
  name: string,
  timezone: string,
  position,
  polygon: regions,
});
