import {
  type DeviceCalibration,
  deviceCalibration as description,
} from "../../../../projections/catalog/device-calibration.ts";
import { badInput } from "../../../../schemas/errors.ts";
import { derivedId } from "../../../../schemas/identity.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { Input } from "../../write/input-fields.ts";
import { mutationsOf } from "../entity-mutations.ts";
import { toPoint } from "../types/geo.ts";
import type { ByHand } from "./by-hand.ts";

/**
 * Maximum number of calibrations of a device. A fixed camera has few; one that turns may have one for each direction.
 */
const MAX_CALIBRATIONS = 100;

export const deviceCalibrationByHand: ByHand = {
  moreMutations: calibrationMutations,
  types: {
    DeviceCalibration: {
      markers: ({ id, markers }: DeviceCalibration) =>
        markers.map(({ name, position, pixel }, i) => ({
          id: derivedId("calibration-marker", id, String(i)),
          name,
          position: toPoint(position),
          pixel: { type: "Point", coordinates: [pixel.x, pixel.y] },
        })),
    },
  },
};

function calibrationMutations(deps: MutationDeps) {
  const { create } = mutationsOf(description, deps, "calibration");
  return {
    createDeviceCalibration: (
      _root: unknown,
      { calibration }: { readonly calibration: Input },
      context: ApiContext,
    ) => {
      const { catalog } = context;
      const { length } = catalog.referring("deviceCalibration", "deviceId", String(calibration["deviceId"]));
      const isRepeated = catalog.get("deviceCalibration", String(calibration["id"])) !== undefined;
      if (length < MAX_CALIBRATIONS || isRepeated) return create(calibration, context);
      throw badInput(`a device has at most ${MAX_CALIBRATIONS} calibrations`, ["calibration", "deviceId"]);
    },
  };
}
