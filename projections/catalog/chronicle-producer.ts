import type { FilterChronicleProducerInput } from "../../schemas/graphql/inputs.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { booleanField } from "../filters/kinds/boolean.ts";
import { idField, stringField } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { byName, defineEntity, type EntityOf, type Listing } from "./define-entity.ts";

export type ChronicleProducer = EntityOf<"chronicleProducer">;

const filterFields: MemoryFields<FilterChronicleProducerInput, ChronicleProducer> = {
  id: idField({ value: (producer) => producer.id }),
  name: stringField({ value: (producer) => producer.name }),
  active: booleanField({ value: (producer) => producer.active }),
};

export const producerListing: Listing<"chronicleProducer", FilterChronicleProducerInput> = {
  plural: "chronicleProducers",
  matches: (filter, producer) => matches(filterFields, filter, producer),
  sortValue: byName,
};

export const chronicleProducer = defineEntity({
  kind: "chronicleProducer",
  name: "chronicle producer",
  fields: {
    name: { type: "name", nullable: false },
    description: { type: "text", nullable: true },
    timezone: { type: "timezone", nullable: true },
    active: { type: "flag", nullable: false, initial: true },
    validationReasons: { type: "names", nullable: false, initial: [] },
    metadata: { type: "json", nullable: true },
  },
  listing: producerListing,
});
