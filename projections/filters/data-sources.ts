import type { FilterDataSourceInput } from "../../schemas/filters.ts";
import type { PlacedDataSource } from "../catalog/placed.ts";
import type { MemoryFields } from "./fields.ts";
import { list } from "./kinds/list.ts";
import { pointInMemory } from "./kinds/point.ts";
import { idField, stringField } from "./kinds/string.ts";

export const dataSourceFields: MemoryFields<FilterDataSourceInput, PlacedDataSource> = {
  id: idField({ value: (source) => source.id }),
  name: stringField({ value: (source) => source.name }),
  type: stringField({ value: (source) => source.type }),
  labels: list((source) => source.labels ?? []),
  position: pointInMemory(({ position }) => (position === null ? [] : [position])),
};
