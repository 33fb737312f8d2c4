// Event producers are the deprecated name of chronicle producers: one store behind both.
import {
  type ChronicleProducer,
  chronicleProducer as description,
  producerListing,
} from "../../../../projections/catalog/chronicle-producer.ts";
import { listOf, mutationFieldsOf, mutationsOf, queryOf, resolversOf } from "../entities.ts";
import type { ByHand } from "./by-hand.ts";

const eventProducers = listOf("chronicleProducer", {
  ...producerListing,
  sortValue: (producer, field) => producerListing.sortValue(producer, field === "ID" ? field : "NAME"),
});

export const chronicleProducer: ByHand = {
  queries: { eventProducer: queryOf("chronicleProducer"), eventProducers },
  moreMutations(deps) {
    const { create, update } = mutationsOf(description, deps, "eventProducer");
    return mutationFieldsOf("eventProducer", { create, update });
  },
  types: {
    EventProducer: {
      ...resolversOf(description),
      invalidReasons: ({ validationReasons }: ChronicleProducer) => validationReasons,
    },
  },
};
