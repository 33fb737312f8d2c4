import { z } from "zod";
import { eventBoundsEnv } from "../../../schemas/bounds.ts";
import { kafkaEnv, namespaceEnv, registryEnv } from "../../common/config.ts";

export const deadLettersEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  /** The projector's: by them we know what it would send straight back. */
  ...eventBoundsEnv.shape,
});
