import { boolean, string } from "../avro.ts";
import { type GeoPosition, positionRecord } from "../log/detections.ts";
import { changedRecord } from "./changed.ts";

export interface DeviceFields {
  readonly name: string;
  /** True when the feed is persisted. */
  readonly enabled: boolean;
  readonly dataSourceId: string;
  readonly siteId: string | null;
  readonly pointOfInterestId: string | null;
  readonly transcoderId: string | null;
  readonly externalId: string | null;
  readonly address: string | null;
  readonly position: GeoPosition | null;
}

export const deviceChanged = changedRecord<DeviceFields>("Device", {
  name: string,
  enabled: boolean,
  dataSourceId: string,
  siteId: string,
  pointOfInterestId: string,
  transcoderId: string,
  externalId: string,
  address: string,
  position: positionRecord,
});
