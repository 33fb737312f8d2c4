// The subscription `devices`: messages about created and changed devices, and heartbeats.
import type { Changed } from "../../schemas/catalog/changed.ts";
import type { DeviceFields } from "../../schemas/catalog/device.ts";
import type { DeviceMessageState, FilterDeviceMessageInput } from "../../schemas/graphql/inputs.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { createCollection } from "../catalog/collection.ts";
import { type Device, device as description, fieldsOfDevice } from "../catalog/device.ts";
import { entityFlaw, requiredOf } from "../catalog/evolve.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { equalTo } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import type { FeedFoldDeps, FeedKind, FeedMessage, TopicFold } from "./kind.ts";

type DeviceChanged = Changed<DeviceFields>;

export interface DeviceMessage extends FeedMessage {
  readonly kind: "devices";
  readonly state: DeviceMessageState;
  /** The device, with the heartbeat that the message reports. */
  readonly device: Device & { readonly lastHeartbeat?: number };
}

/**
 * Makes the message of a heartbeat. Heartbeats are not in the catalog topic, so only clients that follow the end of the
 * feed get them. A missed one is soon followed by the next.
 */
export const heartbeatMessage = (device: Device, lastHeartbeat: number): DeviceMessage => ({
  kind: "devices",
  index: 0,
  dataSourceId: device.dataSourceId,
  state: "HEARTBEAT",
  device: { ...device, lastHeartbeat },
});

const fields: MemoryFields<FilterDeviceMessageInput, DeviceMessage> = {
  ...fieldsOfDevice,
  state: equalTo(({ state }) => state),
};

export const devicesFeed: FeedKind<DeviceMessage, FilterDeviceMessageInput> = {
  field: "devices",
  topic: "catalog",
  readsAll: true,
  createFold,
  matches: (filter, message) => matches(fields, filter, message),
  mergeKey: ({ state, device }) => (state === "CREATE" ? undefined : `${state} ${device.id}`),
  rootValue: ({ device, state }) => ({ message: device, state }),
};

/** The fold reads the whole topic, because an update contains only its changes. */
function createFold({ codec }: FeedFoldDeps): TopicFold<DeviceChanged> {
  const required = requiredOf(description);
  const { current, apply } = createCollection(description);
  return {
    read({ value }) {
      const message = readMessage(codec, "catalog", value);
      return message.ok && message.type === "DeviceChanged" ? message.event : undefined;
    },
    fold(event, { offset }) {
      const before = current.get(event.id);
      if (entityFlaw(required, event) === undefined) apply(event, offset);
      // The cast is safe: the collection is folded only from the events of devices.
      const device = current.get(event.id) as Device | undefined;
      // Deletions give no message, nor do events without effect: a creation of an existing device, an update of a
      // deleted one, a refused event.
      if (device === undefined || device === before) return [];
      const state = before === undefined ? "CREATE" : "UPDATE";
      return [{ kind: "devices", index: 0, dataSourceId: device.dataSourceId, state, device }];
    },
  };
}
