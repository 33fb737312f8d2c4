// The list of all descriptions.
import type { CatalogKind } from "../../schemas/catalog/kinds.ts";
import { chronicleProducer } from "./chronicle-producer.ts";
import { dataSource } from "./data-source.ts";
import type { EntityDescription } from "./define-entity.ts";
import { device } from "./device.ts";
import { deviceCalibration } from "./device-calibration.ts";
import { geofence } from "./geofence.ts";
import { pointOfInterest } from "./point-of-interest.ts";
import { sensor } from "./sensor.ts";
import { site } from "./site.ts";
import { tag } from "./tag.ts";
import { token } from "./token.ts";

export const entities: { readonly [K in CatalogKind]: EntityDescription<K> } = {
  chronicleProducer,
  dataSource,
  device,
  deviceCalibration,
  geofence,
  pointOfInterest,
  sensor,
  site,
  tag,
  token,
};
