// The subscription `devices`: a device is created, changed or heard of.
import type { Changed } from "../../schemas/catalog/changed.ts";
import type { DeviceFields } from "../../schemas/catalog/device.ts";
import type { DeviceMessageState, FilterDeviceMessageInput } from "../../schemas/graphql/inputs.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { createCollection } from "../catalog/collection.ts";
import { type Device, device as description, fieldsOfDevice } from "../catalog/device.ts";
import { refusalOf, requiredOf } from "../catalog/evolve.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { equalTo } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import type { FeedKind, FeedMessage, FoldDeps, TopicFold } from "./kind.ts";

type DeviceChanged = Changed<DeviceFields>;

export interface DeviceMessage extends FeedMessage {
  readonly kind: "devices";
  readonly state: DeviceMessageState;
  /** With the heartbeat that is told of. */
  readonly device: Device & { readonly lastHeartbeat?: number };
}

/** Heartbeats are no part of the catalog. Only those who follow its tail hear of them: the next one comes soon. */
export const heartbeatMessage = (device: Device, lastHeartbeat: number): DeviceMessage => ({
  ...{ kind: "devices", index: 0, dataSourceId: device.dataSourceId },
  ...{ state: "HEARTBEAT", device: { ...device, lastHeartbeat } },
});

const fields: MemoryFields<FilterDeviceMessageInput, DeviceMessage> = {
  ...fieldsOfDevice,
  state: equalTo(({ state }) => state),
};

export const devices: FeedKind<DeviceMessage, FilterDeviceMessageInput> = {
  field: "devices",
  topic: "catalog",
  readsAll: true,
  createFold,
  matches: (filter, message) => matches(fields, filter, message),
  mergeKey: ({ state, device }) => (state === "CREATE" ? undefined : `${state} ${device.id}`),
  rootValue: ({ device, state }) => ({ message: device, state }),
};

/** Of the whole topic: an update says only what it changes. */
function createFold({ codec }: FoldDeps): TopicFold<DeviceChanged> {
  const required = requiredOf(description);
  const { current, apply } = createCollection(description);
  return {
    read({ value }) {
      const message = readMessage(codec, "catalog", value);
      return message.ok && message.type === "DeviceChanged" ? message.event : undefined;
    },
    fold(event, { offset }) {
      const before = current.get(event.id);
      if (refusalOf(required, event) === undefined) apply(event, offset);
      // The collection is folded only from the events of devices.
      const device = current.get(event.id) as Device | undefined;
      // A deletion, and what changed nothing: a creation of what is there, an update of what is gone, a refused event.
      if (device === undefined || device === before) return [];
      const state = before === undefined ? "CREATE" : "UPDATE";
      return [{ kind: "devices", index: 0, dataSourceId: device.dataSourceId, state, device }];
    },
  };
}
