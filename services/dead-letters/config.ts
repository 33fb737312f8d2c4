import { z } from "zod";
import { integer, kafkaEnv, namespaceEnv, registryEnv } from "../common/config.ts";

export const deadLettersEnv = z.object({
  ...kafkaEnv.shape,
  ...registryEnv.shape,
  ...namespaceEnv.shape,
  /** The projector's: by it we know what it would send straight back. */
  MAX_FUTURE_MS: integer(300_000),
});
