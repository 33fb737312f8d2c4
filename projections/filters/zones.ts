import type { Zone } from "../../schemas/events.ts";
import type { FilterZoneInput } from "../../schemas/filters.ts";
import type { MemoryFields } from "./fields.ts";
import { boolean } from "./kinds/boolean.ts";
import { time } from "./kinds/number.ts";
import { id, string } from "./kinds/string.ts";

export const zoneFields: MemoryFields<FilterZoneInput, Zone> = {
  id: id({ value: (zone) => zone.zoneId }),
  name: string({ value: (zone) => zone.name }),
  dataSourceId: id({ value: (zone) => zone.dataSourceId }),
  active: boolean({ value: (zone) => zone.active }),
  createdAt: time({ value: (zone) => zone.createdAt }),
  updatedAt: time({ value: (zone) => zone.updatedAt }),
};
