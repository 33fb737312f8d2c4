import type { FilterSensorInput } from "../../schemas/graphql/inputs.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { pointInMemory } from "../filters/kinds/point.ts";
import { idField, stringField } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { byName, defineEntity, type EntityOf } from "./define-entity.ts";

export type Sensor = EntityOf<"sensor">;

const filterFields: MemoryFields<FilterSensorInput, Sensor> = {
  id: idField({ value: (sensor) => sensor.id }),
  name: stringField({ value: (sensor) => sensor.name }),
  type: stringField({ value: (sensor) => sensor.type }),
  position: pointInMemory(({ position }) => (position === null ? [] : [position])),
};

export const matchesSensor = (filter: FilterSensorInput, each: Sensor): boolean => matches(filterFields, filter, each);

export const sensor = defineEntity({
  kind: "sensor",
  name: "sensor",
  fields: {
    name: { type: "name", nullable: false },
    description: { type: "text", nullable: true },
    type: { type: "word", nullable: false },
    position: { type: "point", nullable: true },
    address: { type: "text", nullable: true },
    metadata: { type: "json", nullable: true },
  },
  isKept: true,
  listing: {
    plural: "sensors",
    matches: matchesSensor,
    sortValue: byName,
  },
});
