// Queries and mutations of the entities in the catalog, one implementation for every kind.
import { v7 } from "uuid";
import {
  type AnyDescription,
  type EntityDescription,
  type EntityOf,
  type FieldType,
  fieldsOf,
  type Listing,
} from "../../../projections/catalog/define-entity.ts";
import { entities } from "../../../projections/catalog/entities.ts";
import { evolve } from "../../../projections/catalog/evolve.ts";
import type { AnyChanged } from "../../../schemas/catalog/changed.ts";
import type { CatalogFields, CatalogKind } from "../../../schemas/catalog/kinds.ts";
import { AppError, conflict, notFound, refusedAt } from "../../../schemas/errors.ts";
import type { CatalogEvent, Polygon } from "../../../schemas/events.ts";
import type { Sort } from "../../../schemas/filters.ts";
import type { ApiContext } from "../graphql/context.ts";
import type { Resolver, ResolverMap } from "../graphql/schema.ts";
import { memoryPage, type PageArgs } from "../read/connection.ts";
import type { MutationDeps } from "../write/deps.ts";
import { type Input, saysNothing } from "../write/said.ts";
import { acceptId } from "../write/text.ts";
import { createdFields, updatedFields } from "./entity-inputs.ts";
import { parseJson, toMultiPolygon, toPoint, toPolygon } from "./types/geo.ts";

export type ListArgs = PageArgs<object | null | undefined, Sort<string>>;

/** One entity by id, and pages of all of them. */
export function queriesOf<K extends CatalogKind>({ kind, listing }: EntityDescription<K>) {
  return listing === undefined ? {} : { [kind]: queryOf(kind), [listing.plural]: listOf(kind, listing) };
}

export const queryOf =
  (kind: CatalogKind) =>
  async (_root: unknown, { id }: { readonly id: string }, context: ApiContext) => {
    await context.catalogReached();
    return context.catalog.get(kind, id) ?? null;
  };

/** `now`: the time that entities carry. */
export type EntityDeps = Pick<MutationDeps, "now" | "recordsReferringTo">;

export const listOf =
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

/** `argument`: the name under which the input is given. */
export function mutationsOf<K extends CatalogKind>(
  description: EntityDescription<K>,
  { now, recordsReferringTo }: EntityDeps,
  argument: string = description.kind,
) {
  const { kind, name } = description;
  const fields = fieldsOf(description);
  const uniqueFields = fields.flatMap(([field, { unique }]) => (unique === true ? [field] : []));
  const nothing = Object.fromEntries(fields.map(([field]) => [field, null]));

  /** Writes the event, with `first` before it, and answers with the entity after it. */
  async function write(context: ApiContext, changed: Omit<AnyChanged, "at">, ...first: CatalogEvent[]) {
    const event = { ...changed, at: now() };
    const before = context.catalog.get(kind, event.id);
    const position = (await context.write([...first, catalogEvent(kind, event)])).at(-1);
    if (uniqueFields.some((field) => (Reflect.get(changed.set, field) ?? null) !== null)) {
      // Another instance may have been first: the log decides.
      await context.catalogReached();
      const refused = position && context.catalog.refusal(position.offset);
      if (refused !== undefined) throw new AppError("CONFLICT", `${name} ${event.id} is refused: ${refused}`);
    }
    const after = context.catalog.get(kind, event.id) ?? evolve<CatalogFields[K]>(before, event) ?? before;
    if (after === undefined) throw notFound(name, event.id);
    return after;
  }

  /** Throws what the rule of the kind says of the entity as it would become. */
  function checkRule(after: EntityOf<K> | undefined, { catalog }: ApiContext): void {
    const refused = after && description.rule?.(after, catalog);
    if (refused !== undefined) throw refusedAt([argument], refused);
  }

  const whole = (before: EntityOf<K> | undefined, changed: Omit<AnyChanged, "at">) =>
    evolve<CatalogFields[K]>(before, { ...changed, at: now() });

  function existing(context: ApiContext, id: string, path: readonly string[]): EntityOf<K> {
    const entity = context.catalog.get(kind, id);
    if (entity === undefined) throw notFound(name, id, path);
    return entity;
  }

  /** Throws NOT_FOUND, or CONFLICT with the ids of what refers to it. `parts`: ids of those that go with it. */
  async function checkRemovable(id: string, context: ApiContext, parts: readonly string[] = []) {
    const entity = existing(context, id, ["id"]);
    const others = context.catalog.referrers(kind, id).filter((each) => !parts.includes(each));
    const referrers = [...others, ...(await recordsReferringTo(kind, id))];
    if (referrers.length > 0) throw conflict(`${name} ${id}`, referrers);
    return entity;
  }

  return {
    /** The event of a creation that another kind's mutation writes with its own. */
    creation(input: Input & { readonly id: string }, context: ApiContext): CatalogEvent {
      const set = createdFields(fields, input, context, [argument]);
      return catalogEvent(kind, { id: input.id, change: "created", set, cleared: [], at: now() });
    },
    /** With an id, the client may repeat it: an existing entity stays as it is. `own`: what is created with it. */
    async create(input: Input, context: ApiContext, own?: Own): Promise<EntityOf<K>> {
      const isNamed = typeof input["id"] === "string";
      const id = isNamed ? acceptId(String(input["id"]), [argument, "id"]) : v7();
      // Before the checks: what it refers to may be gone by now.
      const before = context.catalog.get(kind, id);
      if (before !== undefined) return before;
      const set = { ...createdFields(fields, input, context, [argument]), ...own?.refersTo };
      const changed = { id, change: "created" as const, set, cleared: [] };
      checkRule(whole(undefined, changed), context);
      const created = await write(context, changed, ...(own?.events ?? []));
      if (!isNamed) return created;
      // Another instance may have created it first.
      await context.catalogReached();
      return context.catalog.get(kind, id) ?? created;
    },
    async update(input: Input, context: ApiContext): Promise<EntityOf<K>> {
      const before = existing(context, String(input["id"]), [argument, "id"]);
      const patch = updatedFields(fields, input, context, [argument]);
      if (saysNothing(patch)) return before;
      const changed = { id: before.id, change: "updated" as const, ...patch };
      checkRule(whole(before, changed), context);
      return write(context, changed);
    },
    checkRemovable,
    async remove(id: string, context: ApiContext, parts: readonly string[] = []): Promise<EntityOf<K>> {
      const before = await checkRemovable(id, context, parts);
      await write(context, { id, change: "deleted", set: nothing, cleared: [] });
      return before;
    },
  };
}

/** The root fields of the Mutation type that write the entities of a kind. `argument`: the name of the input. */
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
  json: parseJson,
  point: toPoint,
  region: toPolygon,
  bounds: (polygon: Polygon) => ({ polygon: toPolygon(polygon), height: null }),
  regions: toMultiPolygon,
};

/** Resolvers of the fields that differ from the stored form: places, JSON, and for `siteId` the `site`. */
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
 * The entity may be gone: deleted while the reference was written. A field that may be null then is, and another one shows
 * the entity as it last was.
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

/** The name of the kind's type in GraphQL. */
export const typeName = (kind: string): string => `${kind[0]?.toUpperCase()}${kind.slice(1)}`;

/** The kinds that callers see: those with a listing. */
export const listed = Object.values(entities).filter(({ listing }) => listing !== undefined);

/** What is created together with an entity: all of it is in the log, or nothing. */
interface Own {
  readonly events: readonly CatalogEvent[];
  /** The entity's references to it. */
  readonly refersTo: object;
}

export interface EntityMutations {
  create(input: Input, context: ApiContext): Promise<unknown>;
  update(input: Input, context: ApiContext): Promise<unknown>;
  /** Absent: nobody may delete one. */
  remove?(id: string, context: ApiContext): Promise<unknown>;
}

/** The table of kinds makes sure that kind and event belong together; the compiler cannot see it. */
const catalogEvent = (kind: CatalogKind, event: AnyChanged): CatalogEvent =>
  ({ type: `${typeName(kind)}Changed`, event }) as CatalogEvent;
