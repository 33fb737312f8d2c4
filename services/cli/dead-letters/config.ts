import { z } from "zod";
import { eventBoundsEnv } from "../../../schemas/bounds.ts";
import { kafkaEnv, namespaceEnv, registryEnv } from "../../common/config.ts";

export const deadLettersEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  /** The projector's bounds: with them the command knows which messages the projector would refuse again. */
  ...eventBoundsEnv.shape,
});
