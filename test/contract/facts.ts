// Facts on which a client of a schema can rely, one for each coordinate: `Zone.name` -> `String!`.
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from "graphql";

/** Coordinates are those of the GraphQL specification: `Type`, `Type.field`, `Type.field(argument:)`, `@directive`. */
export type Facts = ReadonlyMap<string, string>;

export function factsOf(schema: GraphQLSchema): Facts {
  const facts = new Map<string, string>();
  for (const { name, args, locations } of schema.getDirectives().filter((found) => !isSpecifiedDirective(found))) {
    facts.set(`@${name}`, [...locations].sort().join(" | "));
    for (const argument of args) facts.set(`@${name}(${argument.name}:)`, input(argument));
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    facts.set(type.name, kind(type));
    for (const [coordinate, fact] of membersOf(type)) facts.set(`${type.name}.${coordinate}`, fact);
  }
  return facts;
}

function kind(type: GraphQLNamedType): string {
  const members = isUnionType(type)
    ? type
        .getTypes()
        .map(({ name }) => name)
        .sort()
        .join(" | ")
    : "";
  const oneOf = isInputObjectType(type) && type.isOneOf ? " @oneOf" : "";
  return `${type.constructor.name} ${members}${oneOf}${experimental(type)}`;
}

function membersOf(type: GraphQLNamedType): [string, string][] {
  if (isEnumType(type)) return type.getValues().map((value) => [value.name, `value${deprecated(value)}`]);
  if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => [field.name, input(field)]);
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field): [string, string][] => [
    [field.name, `${field.type}${deprecated(field)}${experimental(field)}`],
    ...field.args.map((argument): [string, string] => [`${field.name}(${argument.name}:)`, input(argument)]),
  ]);
}

function input(member: GraphQLArgument | GraphQLInputField): string {
  const { type, defaultValue } = member;
  const literal = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  const fallback = literal == null ? "" : ` = ${print(literal).replaceAll(/\s+/g, " ")}`;
  return `${type}${fallback}${deprecated(member)}${experimental(member)}`;
}

type Marked = GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField | GraphQLEnumValue;

const deprecated = ({ deprecationReason }: Marked) => (typeof deprecationReason === "string" ? " @deprecated" : "");

/** Not part of introspection: read from the SDL. */
const experimental = ({ astNode }: GraphQLNamedType | Marked) =>
  astNode?.directives?.some(({ name }) => name.value === "experimental") ? " @experimental" : "";

/** The reason of each deprecation. */
export function deprecationsOf(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  const note = (coordinate: string, { deprecationReason }: Marked) => {
    if (typeof deprecationReason === "string") reasons.set(coordinate, deprecationReason);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) note(`${type.name}.${field.name}`, field);
    if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      note(`${type.name}.${field.name}`, field);
      for (const argument of field.args) note(`${type.name}.${field.name}(${argument.name}:)`, argument);
    }
  }
  return reasons;
}
