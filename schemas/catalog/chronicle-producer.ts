import { array, boolean, string } from "../avro.ts";
import { changedRecord } from "./changed.ts";

export interface ChronicleProducerFields {
  readonly name: string;
  readonly description: string | null;
  /** IANA name, for example `Europe/Berlin`. */
  readonly timezone: string | null;
  readonly active: boolean;
  /** Suggested reasons for marking a chronicle as invalid. */
  readonly validationReasons: readonly string[];
  /** JSON text. */
  readonly metadata: string | null;
}

export const chronicleProducerChanged = changedRecord<ChronicleProducerFields>("ChronicleProducer", {
  name: string,
  description: string,
  timezone: string,
  active: boolean,
  validationReasons: array(string),
  metadata: string,
});
