import type { FilterDeviceInput, FilterDeviceMessageInput } from "../../schemas/graphql/inputs.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { booleanField } from "../filters/kinds/boolean.ts";
import { idField, stringField } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { byName, defineEntity, type EntityOf, type Listing } from "./define-entity.ts";
import { inSiteOfPoint } from "./point-of-interest.ts";
import { matchesSite, type Site } from "./site.ts";

export type Device = EntityOf<"device">;

/** A device with its site. `site` is null when the device has none; then every filter on `site` fails. */
interface Subject {
  readonly device: Device;
  readonly site: Site | null;
}

/** The fields that the filters of queries and of subscriptions have in common. */
export const fieldsOfDevice: MemoryFields<Omit<FilterDeviceMessageInput, "state">, Pick<Subject, "device">> = {
  id: idField({ value: ({ device }) => device.id }),
  uuid: idField({ value: ({ device }) => device.id }),
  name: stringField({ value: ({ device }) => device.name }),
  externalId: stringField({ value: ({ device }) => device.externalId }),
  address: stringField({ value: ({ device }) => device.address }),
  enabled: booleanField({ value: ({ device }) => device.enabled }),
};

const filterFields: MemoryFields<FilterDeviceInput, Subject> = {
  ...fieldsOfDevice,
  site: {
    test:
      (filter) =>
      ({ site }) =>
        site !== null && matchesSite(filter, site),
  },
};

const listing: Listing<"device", FilterDeviceInput> = {
  plural: "devices",
  matches: (filter, device, entities) => {
    const site = device.siteId === null ? undefined : entities.get("site", device.siteId);
    return matches(filterFields, filter, { device, site: site ?? null });
  },
  sortValue: byName,
};

export const device = defineEntity({
  kind: "device",
  name: "device",
  fields: {
    name: { type: "name", nullable: false },
    enabled: { type: "flag", nullable: false },
    dataSourceId: { type: "text", nullable: false, unique: true, refersTo: "dataSource" },
    siteId: { type: "text", nullable: true, refersTo: "site" },
    pointOfInterestId: { type: "text", nullable: true, refersTo: "pointOfInterest" },
    transcoderId: { type: "text", nullable: true },
    externalId: { type: "text", nullable: true },
    address: { type: "text", nullable: true },
    position: { type: "point", nullable: true },
  },
  rule: inSiteOfPoint,
  listing,
});
