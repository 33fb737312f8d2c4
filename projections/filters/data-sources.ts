import type { DataSourceEntry } from "../../schemas/events.ts";
import type { FilterDataSourceInput } from "../../schemas/filters.ts";
import type { MemoryFields } from "./fields.ts";
import { list } from "./kinds/list.ts";
import { pointInMemory } from "./kinds/point.ts";
import { id, string } from "./kinds/string.ts";

export const dataSourceFields: MemoryFields<FilterDataSourceInput, DataSourceEntry> = {
  id: id({ value: (source) => source.dataSourceId }),
  name: string({ value: (source) => source.name }),
  type: string({ value: (source) => source.type }),
  labels: list((source) => source.labels ?? []),
  // The position is that of the device, and no data source has one yet.
  position: pointInMemory(() => []),
};
