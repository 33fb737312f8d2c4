// The executable schema: the SDL with its resolvers. Every transport uses the same one.
import { buildSchema, type GraphQLFieldResolver, type GraphQLSchema, isObjectType, isScalarType } from "graphql";
import { typeDefs } from "../../schemas/graphql/sdl.ts";
import { scalars } from "./scalars.ts";

/** Written as a method so that a resolver may name the types of its source and arguments. */
type Resolver = (source: never, args: never, context: never, info: never) => unknown;

interface SubscriptionField {
  readonly subscribe: Resolver;
  readonly resolve?: Resolver;
}

export type ResolverMap = Readonly<Record<string, Readonly<Record<string, Resolver | SubscriptionField>>>>;

/** Throws when a resolver names a type or field that the SDL does not have. */
export function createSchema(resolvers: ResolverMap): GraphQLSchema {
  const schema = buildSchema(typeDefs);
  for (const [name, scalar] of Object.entries(scalars)) {
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

/** graphql-js hands over what the SDL's types promise; it cannot say so in TypeScript. */
const wire = (resolver: Resolver) => resolver as GraphQLFieldResolver<unknown, unknown>;
