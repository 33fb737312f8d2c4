// The types of the descriptions, one for each kind of entity. Readers and writers of the catalog follow the
// descriptions. Rules that do not fit into a description are functions beside it.

import type { CatalogFields, CatalogKind } from "../../schemas/catalog/kinds.ts";
import type { AppError } from "../../schemas/errors.ts";

export type Entity<Fields> = Readonly<Fields> & {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type AnyEntity = Entity<object>;

export type EntityOf<K extends CatalogKind> = Entity<CatalogFields[K]>;

/**
 * The type decides how the API checks a value and answers with it. `name` is a text that is not empty; `word` one of an
 * enumeration; `json` any JSON, stored as its text; `region` one polygon in degrees, `regions` several.
 */
export type FieldType =
  | "name"
  | "text"
  | "word"
  | "names"
  | "flag"
  | "number"
  | "time"
  | "timezone"
  | "json"
  | "point"
  | "region"
  | "bounds"
  | "regions"
  | "markers";

export interface FieldDescription<T = unknown> {
  readonly type: FieldType;
  /** True when the field may be missing, and an update may clear it. */
  readonly nullable: null extends T ? true : false;
  /** The value when a creation gives none. */
  readonly initial?: NonNullable<T>;
  /** True when no two entities of the kind may have the same value: readers refuse the later event in the log. */
  readonly unique?: true;
  /** The value is the id of an entity of this kind. */
  readonly refersTo?: CatalogKind;
}

/** Look-ups of the other entities that an answer about one entity needs. */
export interface Entities {
  get<K extends CatalogKind>(kind: K, id: string): EntityOf<K> | undefined;
  /** The entities of the kind whose field is the id; the field must be one that refers to entities. */
  referring<K extends CatalogKind>(kind: K, field: keyof CatalogFields[K] & string, id: string): readonly EntityOf<K>[];
}

/** The rules by which the entities of a kind are listed. */
export interface Listing<K extends CatalogKind, Filter extends object = object> {
  readonly plural: string;
  matches(filter: Filter, entity: EntityOf<K>, entities: Entities): boolean;
  /** The value of a sort field. */
  sortValue(entity: EntityOf<K>, field: string): string | number;
}

export interface EntityDescription<K extends CatalogKind = CatalogKind> {
  readonly kind: K;
  /** The word for the kind in messages to callers. */
  readonly name: string;
  readonly fields: { readonly [F in keyof CatalogFields[K]]-?: FieldDescription<CatalogFields[K][F]> };
  /**
   * Checks an entity against other entities. The fields are checked before.
   * @returns undefined when the entity obeys the rule.
   */
  rule?(entity: EntityOf<K>, entities: Entities): AppError | undefined;
  /** True when an entity is never deleted, because records refer to it for ever. */
  readonly isKept?: true;
  /** Undefined when no query lists the entities. */
  readonly listing?: Listing<K>;
}

/** A description for code that handles every kind alike. */
export interface AnyDescription {
  readonly kind: CatalogKind;
  readonly name: string;
  readonly fields: object;
}

/** Most kinds can be sorted by ID and NAME. */
export const byName = ({ id, name }: { readonly id: string; readonly name: string }, field: string): string =>
  field === "NAME" ? name : id;

export const defineEntity = <K extends CatalogKind>(description: EntityDescription<K>): EntityDescription<K> =>
  description;

export const fieldsOf = ({ fields }: AnyDescription): readonly (readonly [string, FieldDescription])[] =>
  Object.entries(fields);
