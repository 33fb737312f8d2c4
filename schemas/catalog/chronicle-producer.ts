import { array, boolean, string } from "../avro.ts";
import { changed } from "./changed.ts";

export interface ChronicleProducerFields {
  readonly name: string;
  readonly description: string | null;
  /** IANA name. */
  readonly timezone: string | null;
  readonly active: boolean;
  /** Suggestions to those who call a chronicle invalid. */
  readonly validationReasons: readonly string[];
  /** JSON text. */
  readonly metadata: string | null;
}

export const chronicleProducerChanged = changed<ChronicleProducerFields>("ChronicleProducer", {
  name: string,
  description: string,
  timezone: string,
  active: boolean,
  validationReasons: array(string),
  metadata: string,
});
