import type { FilterDeviceInput, FilterDeviceMessageInput } from "../../schemas/graphql/inputs.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { boolean } from "../filters/kinds/boolean.ts";
import { id, string } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { byName, defineEntity, type EntityOf, type Listing } from "./define-entity.ts";
import { inSiteOfPoint } from "./point-of-interest.ts";
import { matchesSite, type Site } from "./site.ts";

export type Device = EntityOf<"device">;

/** `site`: null = the device has no site, so every filter on `site` fails. */
interface Subject {
  readonly device: Device;
  readonly site: Site | null;
}

/** What queries and subscriptions have in common. */
export const fieldsOfDevice: MemoryFields<Omit<FilterDeviceMessageInput, "state">, Pick<Subject, "device">> = {
  id: id({ value: ({ device }) => device.id }),
  uuid: id({ value: ({ device }) => device.id }),
  name: string({ value: ({ device }) => device.name }),
  externalId: string({ value: ({ device }) => device.externalId }),
  address: string({ value: ({ device }) => device.address }),
  enabled: boolean({ value: ({ device }) => device.enabled }),
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
