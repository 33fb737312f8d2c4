// Event producers are chronicle producers under their deprecated name: both show the same objects.
import {
  type ChronicleProducer,
  chronicleProducer as description,
  producerListing,
} from "../../../../projections/catalog/chronicle-producer.ts";
import { listField, mutationFieldsOf, queryOf, resolversOf } from "../entities.ts";
import { mutationsOf } from "../entity-mutations.ts";
import type { ByHand } from "./by-hand.ts";

const eventProducers = listField("chronicleProducer", {
  ...producerListing,
  sortValue: (producer, field) => producerListing.sortValue(producer, field === "ID" ? field : "NAME"),
});

export const chronicleProducerByHand: ByHand = {
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
