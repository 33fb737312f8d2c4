// The tables that describe the kinds of chronicles. Columns, folds, inputs and answers follow them.
import type { CatalogKind } from "../../schemas/catalog/kinds.ts";
import type { ChronicleFields, ChronicleKind } from "../../schemas/chronicles/kinds.ts";
import type { Entity } from "../catalog/define-entity.ts";

/** A chronicle with all its fields. */
export type Chronicle<K extends ChronicleKind> = Entity<ChronicleFields[K]>;

/** The type decides how a value is checked, stored and read. `texts` and `ids` are lists; `json` is JSON text. */
export type ChronicleFieldType =
  | "name"
  | "text"
  | "id"
  | "timezone"
  | "json"
  | "texts"
  | "ids"
  | "time"
  | "flag"
  | "point"
  | "validation"
  | "clips";

export interface ChronicleField<T = unknown> {
  readonly type: ChronicleFieldType;
  /** True when the field may be missing, and an update may clear it. */
  readonly nullable: null extends T ? true : false;
  /** The kind of object whose id, or list of ids, the value is. */
  readonly refersTo?: CatalogKind | ChronicleKind | "track" | "image";
  /** True when items may be added to the list, besides setting the whole list. */
  readonly grows?: true;
}

export interface ChronicleDescription<K extends ChronicleKind = ChronicleKind> {
  readonly kind: K;
  /** The word for the kind in messages to callers. */
  readonly name: string;
  readonly plural: string;
  readonly fields: { readonly [F in keyof ChronicleFields[K]]-?: ChronicleField<ChronicleFields[K][F]> };
  /** The time by which clients usually list chronicles of the kind. */
  readonly start: keyof ChronicleFields[K] & string;
  /** The time that must not be before the start. */
  readonly end?: keyof ChronicleFields[K] & string;
}

/** A description for code that handles every kind alike. */
export interface AnyChronicleDescription {
  readonly kind: ChronicleKind;
  readonly name: string;
  readonly plural: string;
  readonly fields: object;
  readonly start: string;
  readonly end?: string;
}

export const defineChronicle = <K extends ChronicleKind>(
  description: ChronicleDescription<K>,
): ChronicleDescription<K> => description;

export const chronicleFieldsOf = ({
  fields,
}: AnyChronicleDescription): readonly (readonly [string, ChronicleField])[] => Object.entries(fields);

/** The fields that all kinds have. */
export const chronicleFilterFields = {
  name: { type: "name", nullable: false },
  chronicleProducerId: { type: "id", nullable: false, refersTo: "chronicleProducer" },
  description: { type: "text", nullable: true },
  timezone: { type: "timezone", nullable: true },
  metadata: { type: "json", nullable: true },
  validation: { type: "validation", nullable: true },
  priority: { type: "text", nullable: true },
  status: { type: "text", nullable: true },
  labels: { type: "texts", nullable: true },
  locations: { type: "texts", nullable: true },
} as const;
