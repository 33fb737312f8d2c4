import type { CatalogKind } from "../../../../schemas/catalog/kinds.ts";
import type { ByHand } from "./by-hand.ts";
import { chronicleProducerByHand } from "./chronicle-producer.ts";
import { dataSourceByHand } from "./data-source.ts";
import { deviceByHand } from "./device.ts";
import { deviceCalibrationByHand } from "./device-calibration.ts";
import { geofenceByHand } from "./geofence.ts";
import { pointOfInterestByHand } from "./point-of-interest.ts";
import { siteByHand } from "./site.ts";
import { tagByHand } from "./tag.ts";

export const byHand: Readonly<Partial<Record<CatalogKind, ByHand>>> = {
  chronicleProducer: chronicleProducerByHand,
  dataSource: dataSourceByHand,
  device: deviceByHand,
  deviceCalibration: deviceCalibrationByHand,
  geofence: geofenceByHand,
  pointOfInterest: pointOfInterestByHand,
  site: siteByHand,
  tag: tagByHand,
};
