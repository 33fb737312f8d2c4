// The fields of the entities in the catalog, one implementation for every kind.
import {
  type AnyDescription,
  type EntityDescription,
  type EntityOf,
  type FieldType,
  fieldsOf,
  type Listing,
} from "../../../projections/catalog/define-entity.ts";
import { entities } from "../../../projections/catalog/entities.ts";
import type { CatalogKind } from "../../../schemas/catalog/kinds.ts";
import type { Polygon } from "../../../schemas/events.ts";
import type { Sort } from "../../../schemas/filters.ts";
import type { ApiContext } from "../graphql/context.ts";
import type { Resolver, ResolverMap } from "../graphql/schema.ts";
import { memoryPage, type PageArgs } from "../read/connection.ts";
import type { Input } from "../write/input-fields.ts";
import { parseNullableJson, toMultiPolygon, toPoint, toPolygon } from "./types/geo.ts";

export type ListArgs = PageArgs<object | null | undefined, Sort<string>>;

/** Returns the root fields of Query for a kind: one entity by its id, and pages of all of them. */
export function queriesOf<K extends CatalogKind>({ kind, listing }: EntityDescription<K>) {
  return listing === undefined ? {} : { [kind]: queryOf(kind), [listing.plural]: listField(kind, listing) };
}

export const queryOf =
  (kind: CatalogKind) =>
  async (_root: unknown, { id }: { readonly id: string }, context: ApiContext) => {
    await context.catalogReached();
    return context.catalog.get(kind, id) ?? null;
  };

export const listField =
  <K extends CatalogKind>(kind: K, listing: Listing<K>) =>
  (_root: unknown, args: ListArgs, context: ApiContext) => {
    const { catalog } = context;
    return memoryPage(args, context, {
      reached: context.catalogReached,
      all: () => catalog.all(kind),
      matches: (filter: object, entity) => listing.matches(filter, entity, catalog),
      value: (entity: EntityOf<K>, field) => listing.sortValue(entity, field),
      id: ({ id }) => id,
    });
  };

export interface EntityMutations {
  create(input: Input, context: ApiContext): Promise<unknown>;
  update(input: Input, context: ApiContext): Promise<unknown>;
  /** Absent when entities of this kind cannot be deleted. */
  remove?(id: string, context: ApiContext): Promise<unknown>;
}

/**
 * Returns the root fields of the Mutation type that write the entities of a kind. `argument` is the name of the input.
 */
export function mutationFieldsOf(argument: string, { create, update, remove }: EntityMutations): ResolverMap[string] {
  const type = typeName(argument);
  return {
    [`create${type}`]: (_root: unknown, args: Readonly<Record<string, Input>>, context: ApiContext) =>
      create(args[argument] ?? {}, context),
    [`update${type}`]: (_root: unknown, args: Readonly<Record<string, Input>>, context: ApiContext) =>
      update(args[argument] ?? {}, context),
    ...(remove === undefined
      ? {}
      : {
          [`delete${type}`]: (_root: unknown, { id }: { readonly id: string }, context: ApiContext) =>
            remove(id, context),
        }),
  };
}

const outputs: Readonly<Partial<Record<FieldType, (value: never) => unknown>>> = {
  json: parseNullableJson,
  point: toPoint,
  region: toPolygon,
  bounds: (polygon: Polygon) => ({ polygon: toPolygon(polygon), height: null }),
  regions: toMultiPolygon,
};

/** Returns resolvers of the fields that differ from the stored form: places, JSON, and for `siteId` the `site`. */
export function resolversOf(description: AnyDescription): Readonly<Record<string, Resolver>> {
  const resolvers: Record<string, Resolver> = {};
  for (const [name, { type, refersTo, nullable }] of fieldsOf(description)) {
    const output = outputs[type];
    if (refersTo !== undefined) resolvers[name.replace(/Id$/, "")] = referred(name, refersTo, nullable);
    else if (output !== undefined) resolvers[name] = converted(name, output);
  }
  return resolvers;
}

type AnyEntity = Readonly<Record<string, unknown>>;

const converted = (field: string, output: (value: never) => unknown) => (entity: AnyEntity) =>
  entity[field] === null ? null : output(entity[field] as never);

/**
 * Returns the resolver of a reference. Its entity may have been deleted while the reference was written. A nullable
 * field is then null, and any other shows the last version of the entity.
 */
const referred =
  (field: string, kind: CatalogKind, nullable: boolean) =>
  (entity: AnyEntity, _args: unknown, { catalog }: ApiContext) => {
    const id = entity[field];
    if (typeof id !== "string") return null;
    const found = catalog.get(kind, id);
    if (found !== undefined || nullable) return found ?? null;
    return catalog.past(kind).findLast(({ entity: gone }) => gone.id === id)?.entity ?? null;
  };

/** Returns the name of the kind's type in GraphQL. */
export const typeName = (kind: string): string => `${kind[0]?.toUpperCase()}${kind.slice(1)}`;

/** Kinds that callers see: those with a listing. */
export const listed = Object.values(entities).filter(({ listing }) => listing !== undefined);
