// The fields that all kinds of chronicles have in common.
import { array, optional, record, string, word } from "../avro.ts";

/** The result of the validation of a chronicle. */
export interface ChronicleValidation {
  readonly status: "VALID" | "INVALID";
  /** Never empty when the status is INVALID. */
  readonly reason: string | null;
  readonly details: string | null;
}

const validation = record<ChronicleValidation>("ChronicleValidation", {
  status: word<ChronicleValidation["status"]>(),
  reason: optional(string),
  details: optional(string),
});

export interface AnyChronicleFields {
  readonly name: string;
  /** The producer's id, which no update changes. */
  readonly chronicleProducerId: string;
  readonly description: string | null;
  /** IANA name, for example `Europe/Berlin`. */
  readonly timezone: string | null;
  /** JSON text. */
  readonly metadata: string | null;
  readonly validation: ChronicleValidation | null;
  readonly priority: string | null;
  readonly status: string | null;
  readonly labels: readonly string[] | null;
  readonly locations: readonly string[] | null;
}

export const commonChronicleFields = {
  name: string,
  chronicleProducerId: string,
  description: string,
  timezone: string,
  metadata: string,
  validation,
  priority: string,
  status: string,
  labels: array(string),
  locations: array(string),
};
