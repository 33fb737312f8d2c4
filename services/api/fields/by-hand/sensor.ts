import { sensor as description } from "../../../../projections/catalog/sensor.ts";
import { mutationsOf } from "../entities.ts";
import type { ByHand } from "./by-hand.ts";

export const sensor: ByHand = {
  /** A sensor is never deleted: its measurements stay. */
  mutations(deps) {
    const { create, update } = mutationsOf(description, deps);
    return { create, update };
  },
};
