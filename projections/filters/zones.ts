import type { Zone } from "../../schemas/events.ts";
import type { FilterZoneInput } from "../../schemas/filters.ts";
import type { MemoryFields } from "./fields.ts";
import { booleanField } from "./kinds/boolean.ts";
import { timeField } from "./kinds/number.ts";
import { idField, stringField } from "./kinds/string.ts";

export const zoneFields: MemoryFields<FilterZoneInput, Zone> = {
  id: idField({ value: (zone) => zone.zoneId }),
  name: stringField({ value: (zone) => zone.name }),
  dataSourceId: idField({ value: (zone) => zone.dataSourceId }),
  active: booleanField({ value: (zone) => zone.active }),
  createdAt: timeField({ value: (zone) => zone.createdAt }),
  updatedAt: timeField({ value: (zone) => zone.updatedAt }),
};
