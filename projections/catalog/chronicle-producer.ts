import type { FilterChronicleProducerInput } from "../../schemas/graphql/inputs.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { boolean } from "../filters/kinds/boolean.ts";
import { id, string } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { byName, defineEntity, type EntityOf, type Listing } from "./define-entity.ts";

export type ChronicleProducer = EntityOf<"chronicleProducer">;

const filterFields: MemoryFields<FilterChronicleProducerInput, ChronicleProducer> = {
  id: id({ value: (producer) => producer.id }),
  name: string({ value: (producer) => producer.name }),
  active: boolean({ value: (producer) => producer.active }),
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
