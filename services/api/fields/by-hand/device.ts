import { v7 } from "uuid";
import { dataSource } from "../../../../projections/catalog/data-source.ts";
import { type Device, device as description } from "../../../../projections/catalog/device.ts";
import { deviceCalibration } from "../../../../projections/catalog/device-calibration.ts";
import { badInput } from "../../../../schemas/errors.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { Input } from "../../write/said.ts";
import { acceptId } from "../../write/text.ts";
import { type EntityMutations, mutationsOf } from "../entities.ts";
import type { ByHand } from "./by-hand.ts";

export const device: ByHand = {
  mutations: deviceMutations,
  fields: {
    uuid: ({ id }: { readonly id: string }) => id,
    calibrations: ({ id }: Device, _args: unknown, { catalog }: ApiContext) =>
      catalog.referring("deviceCalibration", "deviceId", id).toSorted((a, b) => a.timestamp - b.timestamp),
    lastHeartbeat: () => null,
  },
};

function deviceMutations(deps: MutationDeps): EntityMutations {
  const devices = mutationsOf(description, deps);
  const sources = mutationsOf(dataSource, deps);
  const calibrating = mutationsOf(deviceCalibration, deps);

  return {
    ...devices,
    /** Its calibrations go with it. */
    async remove(id, context) {
      const { catalog } = context;
      const calibrations = catalog.referring("deviceCalibration", "deviceId", id);
      await Promise.all(calibrations.map((each) => calibrating.remove(each.id, context)));
      return devices.remove(id, context);
    },
    /** Creates the data source first: a repeated mutation could not complete a device without one. */
    async create(asked, context) {
      const input = withSite(asked, context);
      const id = typeof input["id"] === "string" ? acceptId(input["id"], ["device", "id"]) : v7();
      const given = input["dataSourceId"];
      // A repetition must not make a data source beside the one that the device has.
      const source = given ?? context.catalog.get("device", id)?.dataSourceId;
      const wanted = typeof source === "string" ? source : id;
      const [other] = context.catalog.referring("device", "dataSourceId", wanted).filter((each) => each.id !== id);
      if (other !== undefined) {
        const path = ["device", typeof given === "string" ? "dataSourceId" : "id"];
        throw badInput(`data source ${wanted} is that of device ${other.id}`, path);
      }
      if (typeof source === "string") return devices.create({ ...input, id, dataSourceId: source }, context);
      devices.checkCreation(input, context);
      await sources.create({ id, name: input["name"], type: "VIDEO_DEVICE" }, context);
      return devices.create({ ...input, id, dataSourceId: id }, context);
    },
  };
}

/** Without a site of its own, a device at a point of interest is in the site of that point. */
function withSite(input: Input, { catalog }: ApiContext): Input {
  const { siteId, pointOfInterestId: id } = input;
  if (siteId != null || typeof id !== "string") return input;
  return { ...input, siteId: catalog.get("pointOfInterest", id)?.siteId ?? null };
}
