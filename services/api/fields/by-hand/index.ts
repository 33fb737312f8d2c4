import type { CatalogKind } from "../../../../schemas/catalog/kinds.ts";
import type { ByHand } from "./by-hand.ts";
import { chronicleProducer } from "./chronicle-producer.ts";
import { dataSource } from "./data-source.ts";
import { device } from "./device.ts";
import { deviceCalibration } from "./device-calibration.ts";
import { geofence } from "./geofence.ts";
import { pointOfInterest } from "./point-of-interest.ts";
import { site } from "./site.ts";
import { tag } from "./tag.ts";

export const byHand: Readonly<Partial<Record<CatalogKind, ByHand>>> = {
  chronicleProducer,
  dataSource,
  device,
  deviceCalibration,
  geofence,
  pointOfInterest,
  site,
  tag,
};
