// The list of all kinds of entities in the catalog.
import type { AvroSchema } from "../avro.ts";
import type { Changed } from "./changed.ts";
import { type ChronicleProducerFields, chronicleProducerChanged } from "./chronicle-producer.ts";
import { type DataSourceFields, dataSourceChanged } from "./data-source.ts";
import { type DeviceFields, deviceChanged } from "./device.ts";
import { type DeviceCalibrationFields, deviceCalibrationChanged } from "./device-calibration.ts";
import { type GeofenceFields, geofenceChanged } from "./geofence.ts";
import { type PointOfInterestFields, pointOfInterestChanged } from "./point-of-interest.ts";
import { type SensorFields, sensorChanged } from "./sensor.ts";
import { type SiteFields, siteChanged } from "./site.ts";
import { type TagFields, tagChanged } from "./tag.ts";
import { type TokenFields, tokenChanged } from "./token.ts";

export interface CatalogFields {
  chronicleProducer: ChronicleProducerFields;
  dataSource: DataSourceFields;
  device: DeviceFields;
  deviceCalibration: DeviceCalibrationFields;
  geofence: GeofenceFields;
  pointOfInterest: PointOfInterestFields;
  sensor: SensorFields;
  site: SiteFields;
  tag: TagFields;
  token: TokenFields;
}

export type CatalogKind = keyof CatalogFields;

/** The event type of a kind. */
export type ChangedType<K extends CatalogKind> = `${Capitalize<K>}Changed`;

export type CatalogEvents = { [K in CatalogKind as ChangedType<K>]: Changed<CatalogFields[K]> };

export type CatalogType = keyof CatalogEvents;

export const catalogRecords: { readonly [T in CatalogType]: AvroSchema<CatalogEvents[T]> } = {
  ChronicleProducerChanged: chronicleProducerChanged.schema,
  DataSourceChanged: dataSourceChanged.schema,
  DeviceChanged: deviceChanged.schema,
  DeviceCalibrationChanged: deviceCalibrationChanged.schema,
  GeofenceChanged: geofenceChanged.schema,
  PointOfInterestChanged: pointOfInterestChanged.schema,
  SensorChanged: sensorChanged.schema,
  SiteChanged: siteChanged.schema,
  TagChanged: tagChanged.schema,
  TokenChanged: tokenChanged.schema,
};

export const catalogTypes = Object.keys(catalogRecords) as readonly CatalogType[];
