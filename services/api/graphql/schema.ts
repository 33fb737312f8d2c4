// The executable schema: the SDL with its resolvers. Every transport uses the same one.
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  isScalarType,
  parse,
} from "graphql";
import { ingestScalars, withIngestScalars } from "./ingest-inputs.ts";
import { scalars } from "./scalars.ts";
import { typeDefs } from "./sdl.ts";

/** `never` lets a resolver name the types of its source and arguments. */
export type Resolver = (source: never, args: never, context: never, info: never) => unknown;

interface SubscriptionField {
  readonly subscribe: Resolver;
  readonly resolve?: Resolver;
}

export type ResolverMap = Readonly<Record<string, Readonly<Record<string, Resolver | SubscriptionField>>>>;

/** Throws when a resolver names a type or field that the SDL does not have. */
export function createSchema(resolvers: ResolverMap): GraphQLSchema {
  return build(parsed(), scalars, resolvers);
}

/**
 * Returns the schema for executing mutations, with the same resolvers: ingest inputs are scalars here (see
 * ingest-inputs.ts).
 */
export function createMutationSchema(full: GraphQLSchema, resolvers: ResolverMap): GraphQLSchema {
  return build(withIngestScalars(parsed()), { ...scalars, ...ingestScalars(full) }, resolvers);
}

/** Locations would take 2 MB, and nobody reads them. */
const parsed = (): DocumentNode => parse(typeDefs, { noLocation: true });

function build(document: DocumentNode, scalarParsers: Readonly<Record<string, object>>, resolvers: ResolverMap) {
  const schema = buildASTSchema(document);
  for (const [name, scalar] of Object.entries(scalarParsers)) {
    const type = schema.getType(name);
    if (!isScalarType(type)) throw new Error(`the schema has no scalar ${name}`);
    Object.assign(type, scalar);
  }
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = schema.getType(typeName);
    if (!isObjectType(type)) throw new Error(`the schema has no type ${typeName}`);
    for (const [fieldName, resolver] of Object.entries(fields)) {
      const field = type.getFields()[fieldName];
      if (field === undefined) throw new Error(`the schema has no field ${typeName}.${fieldName}`);
      if (typeof resolver === "function") field.resolve = wire(resolver);
      else {
        field.subscribe = wire(resolver.subscribe);
        if (resolver.resolve !== undefined) field.resolve = wire(resolver.resolve);
      }
    }
  }
  return schema;
}

/** graphql-js passes values of the types in the SDL, but its TypeScript types do not say so. */
const wire = (resolver: Resolver) => resolver as GraphQLFieldResolver<unknown, unknown>;
