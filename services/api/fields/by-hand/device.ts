import { v7 } from "uuid";
import { dataSource } from "../../../../projections/catalog/data-source.ts";
import { type Device, device as description } from "../../../../projections/catalog/device.ts";
import { deviceCalibration } from "../../../../projections/catalog/device-calibration.ts";
import { badInput, notFound } from "../../../../schemas/errors.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { Input } from "../../write/input-fields.ts";
import { acceptId } from "../../write/text.ts";
import { checkInstant, doorBounds } from "../../write/time.ts";
import { isDue } from "../../write/traffic.ts";
import type { EntityMutations } from "../entities.ts";
import { mutationsOf } from "../entity-mutations.ts";
import type { ByHand } from "./by-hand.ts";

/** In a subscription's message, a device carries the heartbeat of that message. */
type ShownDevice = Device & { readonly lastHeartbeat?: number };

export const deviceByHand: ByHand = {
  mutations: deviceMutations,
  moreMutations: (deps) => ({ deviceHeartbeat: deviceHeartbeat(deps) }),
  fields: {
    uuid: ({ id }: { readonly id: string }) => id,
    calibrations: ({ id }: Device, _args: unknown, { catalog }: ApiContext) =>
      catalog.referring("deviceCalibration", "deviceId", id).toSorted((a, b) => a.timestamp - b.timestamp),
    lastHeartbeat: ({ id, lastHeartbeat }: ShownDevice, _args: unknown, { heartbeats }: ApiContext) =>
      lastHeartbeat ?? heartbeats.lastOf(id) ?? null,
  },
};

function deviceMutations(deps: MutationDeps): EntityMutations {
  const devices = mutationsOf(description, deps);
  const sources = mutationsOf(dataSource, deps);
  const calibrating = mutationsOf(deviceCalibration, deps);

  const partsOf = (id: string, { catalog }: ApiContext) =>
    catalog.referring("deviceCalibration", "deviceId", id).map((each) => each.id);

  async function removeParts(ids: readonly string[], context: ApiContext): Promise<void> {
    // Another caller may have deleted some of them meanwhile.
    const left = ids.filter((id) => context.catalog.get("deviceCalibration", id) !== undefined);
    await Promise.all(left.map((id) => calibrating.remove(id, context)));
  }

  return {
    ...devices,
    /**
     * Deletes the device, and then its calibrations, which have no meaning without it. If a deletion stopped half-way,
     * a repetition removes the remaining calibrations.
     */
    async remove(id, context) {
      const { catalog } = context;
      const parts = partsOf(id, context);
      const isHalfDone = parts.length > 0 && catalog.get("device", id) === undefined;
      const removed = isHalfDone ? catalog.lastKnown("device", id) : await devices.remove(id, context, parts);
      await removeParts(parts, context);
      return removed;
    },
    /** The data source is written with the device, so that neither exists without the other. */
    async create(asked, context) {
      const input = withSite(asked, context);
      const id = typeof input["id"] === "string" ? acceptId(input["id"], ["device", "id"]) : v7();
      const source = input["dataSourceId"];
      const wanted = typeof source === "string" ? source : id;
      if (context.catalog.get("device", id) !== undefined) {
        return devices.create({ ...input, id }, context, { events: [], refersTo: { dataSourceId: wanted } });
      }
      const [other] = context.catalog.referring("device", "dataSourceId", wanted).filter((each) => each.id !== id);
      if (other !== undefined) {
        const path = ["device", typeof source === "string" ? "dataSourceId" : "id"];
        throw badInput(`data source ${wanted} is that of another device`, path);
      }
      // Calibrations may remain of an earlier device with this id, if its deletion stopped half-way.
      if (context.catalog.get("device", id) === undefined) await removeParts(partsOf(id, context), context);
      if (typeof source === "string") return devices.create({ ...input, id, dataSourceId: source }, context);
      const events = [sources.creation({ id, name: input["name"], type: "VIDEO_DEVICE" }, context)];
      return devices.create({ ...input, id }, context, { events, refersTo: { dataSourceId: id } });
    },
  };
}

/** Without a site of its own, a device at a point of interest is in the site of that point. */
function withSite(input: Input, { catalog }: ApiContext): Input {
  const { siteId, pointOfInterestId: id } = input;
  if (siteId != null || typeof id !== "string") return input;
  return { ...input, siteId: catalog.get("pointOfInterest", id)?.siteId ?? null };
}

/** A heartbeat that is not due, or not newer than the last, changes nothing. */
const deviceHeartbeat =
  (deps: MutationDeps) =>
  async (_root: unknown, { id, timestamp }: HeartbeatArgs, context: ApiContext): Promise<Device> => {
    const { catalog, heartbeats, write } = context;
    const device = catalog.get("device", id);
    if (device === undefined) throw notFound("device", id, ["id"]);
    const now = deps.clock.now() ?? deps.now();
    checkInstant(timestamp ?? now, doorBounds(deps), ["timestamp"]);
    // A heartbeat in the future would make the device count as alive until then, even without traffic.
    const at = Math.min(timestamp ?? now, now);
    if (!isDue(heartbeats, id, at, deps.heartbeatMs)) return device;
    const event = { deviceId: id, timestamp: at };
    await write([{ type: "DeviceHeartbeat", event }]);
    heartbeats.apply(event);
    return device;
  };

interface HeartbeatArgs {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly timestamp?: number | null;
}
