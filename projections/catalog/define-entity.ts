// What the catalog knows about a kind of entity. Readers and writers go by these tables; whatever does not fit them is
// written by hand beside them.
import type { CatalogFields, CatalogKind } from "../../schemas/catalog/kinds.ts";

export type Entity<Fields> = Readonly<Fields> & {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type EntityOf<K extends CatalogKind> = Entity<CatalogFields[K]>;

/** How a value is checked at the door and given out. `name`: a text that is not empty; `word`: one of an enumeration. */
export type FieldType = "name" | "text" | "word" | "names" | "flag" | "time" | "timezone" | "point" | "regions";

export interface FieldDescription<T = unknown> {
  readonly type: FieldType;
  /** It may be missing, and an update may clear it. */
  readonly nullable: null extends T ? true : false;
  /** What a creation means that does not give it. */
  readonly initial?: NonNullable<T>;
  /** The value is the id of an entity of this kind. */
  readonly refersTo?: CatalogKind;
}

/** Other entities, as far as an answer about one of them needs them. */
export interface Entities {
  get<K extends CatalogKind>(kind: K, id: string): EntityOf<K> | undefined;
  /** Those of the kind whose field is the id; the field refers to entities. */
  referring<K extends CatalogKind>(kind: K, field: keyof CatalogFields[K] & string, id: string): readonly EntityOf<K>[];
}

/** How the entities of a kind are listed. */
export interface Listing<K extends CatalogKind, Filter extends object = object> {
  readonly plural: string;
  matches(filter: Filter, entity: EntityOf<K>, entities: Entities): boolean;
  /** The value of a sort field. */
  sortValue(entity: EntityOf<K>, field: string): string | number;
}

export interface EntityDescription<K extends CatalogKind = CatalogKind> {
  readonly kind: K;
  /** As messages to callers say it. */
  readonly name: string;
  readonly fields: { readonly [F in keyof CatalogFields[K]]-?: FieldDescription<CatalogFields[K][F]> };
  /** undefined = nobody lists them. */
  readonly listing?: Listing<K>;
}

/** The description of any kind, where the kind does not matter. */
export interface AnyDescription {
  readonly kind: CatalogKind;
  readonly name: string;
  readonly fields: object;
}

/** Most kinds are sorted by ID and NAME. */
export const byName = ({ id, name }: { readonly id: string; readonly name: string }, field: string): string =>
  field === "NAME" ? name : id;

export const defineEntity = <K extends CatalogKind>(description: EntityDescription<K>): EntityDescription<K> =>
  description;

/** The fields as a list. */
export const fieldsOf = ({ fields }: AnyDescription): readonly (readonly [string, FieldDescription])[] =>
  Object.entries(fields);
