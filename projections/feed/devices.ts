// The subscription `devices`: a device is created or changed.
import type { Changed } from "../../schemas/catalog/changed.ts";
import type { DeviceFields } from "../../schemas/catalog/device.ts";
import type { DeviceMessageState, FilterDeviceMessageInput } from "../../schemas/graphql/inputs.ts";
import { readMessage } from "../../schemas/read-message.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Device, fieldsOfDevice } from "../catalog/device.ts";
import { evolve } from "../catalog/evolve.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { equalTo } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import type { FeedKind, FeedMessage, FoldDeps, TopicFold } from "./kind.ts";

type DeviceChanged = Changed<DeviceFields>;

export interface DeviceMessage extends FeedMessage {
  readonly kind: "devices";
  readonly state: DeviceMessageState;
  readonly device: Device;
}

const fields: MemoryFields<FilterDeviceMessageInput, DeviceMessage> = {
  ...fieldsOfDevice,
  state: equalTo(({ state }) => state),
};

export const devices: FeedKind<DeviceMessage, FilterDeviceMessageInput> = {
  field: "devices",
  topic: "catalog",
  createFold,
  matches: (filter, message) => matches(fields, filter, message),
  mergeKey: ({ state, device }) => (state === "CREATE" ? undefined : device.id),
  rootValue: ({ device, state }) => ({ message: device, state }),
};

function createFold({ codec, catalog }: FoldDeps): TopicFold<DeviceChanged> {
  return {
    read({ value }) {
      const message = readMessage(codec, "catalog", value);
      return message.ok && message.type === "DeviceChanged" ? message.event : undefined;
    },
    fold(event) {
      const device = deviceAfter(event, catalog);
      if (device === undefined) return [];
      const state = event.change === "created" ? "CREATE" : "UPDATE";
      return [{ kind: "devices", index: 0, dataSourceId: device.dataSourceId, state, device }];
    },
  };
}

/**
 * The catalog in memory may be behind the event or ahead of it. Either way the fields that the event names are as the event
 * says. A creation that was repeated changed nothing, so subscribers hear nothing of it.
 */
function deviceAfter(event: DeviceChanged, catalog: Catalog): Device | undefined {
  const known = catalog.get("device", event.id);
  if (event.change !== "created") return evolve(known, event);
  return known === undefined || known.createdAt === event.at ? evolve(undefined, event) : undefined;
}
