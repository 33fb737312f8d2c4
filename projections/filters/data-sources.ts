import type { FilterDataSourceInput } from "../../schemas/filters.ts";
import type { PlacedDataSource } from "../catalog/placed.ts";
import type { MemoryFields } from "./fields.ts";
import { list } from "./kinds/list.ts";
import { pointInMemory } from "./kinds/point.ts";
import { id, string } from "./kinds/string.ts";

export const dataSourceFields: MemoryFields<FilterDataSourceInput, PlacedDataSource> = {
  id: id({ value: (source) => source.id }),
  name: string({ value: (source) => source.name }),
  type: string({ value: (source) => source.type }),
  labels: list((source) => source.labels ?? []),
  position: pointInMemory(({ position }) => (position === null ? [] : [position])),
};
