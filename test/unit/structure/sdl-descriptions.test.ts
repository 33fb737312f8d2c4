// The descriptions of the public schema (schemas/graphql), which explorers and code generators show to callers. A field
// or argument whose type is an object, an input or an enumeration is explained by the description of that type.
import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
} from "graphql";
import { expect, test } from "vitest";
import { typeDefs } from "../../../services/api/graphql/sdl.ts";

/** Names that explain a field or argument with a scalar in every type. */
const SELF_EXPLAINING: readonly string[] = ["createdAt", "cursor", "eq", "id", "name", "updatedAt"];

/** Words that tell a caller nothing. */
const FILLERS: readonly string[] = "a an and as at by for from in is it its of on or that the this to which with".split(
  " ",
);

interface Element {
  /** A coordinate of the GraphQL specification: `Type`, `Type.field`, `Type.field(argument:)`, `@directive`. */
  readonly coordinate: string;
  readonly description: string;
  /** False when the name or the type is enough. */
  readonly needsWords: boolean;
  /** The name of a field or argument with a scalar. */
  readonly scalar?: string;
}

interface Described {
  readonly description?: string | null | undefined;
}

interface Member extends Described {
  readonly name: string;
  readonly type: GraphQLType;
}

const schema = buildSchema(typeDefs);
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const elements: readonly Element[] = [
  ...schema
    .getDirectives()
    .filter((directive) => !isSpecifiedDirective(directive))
    .map((directive) => always(`@${directive.name}`, directive)),
  ...Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .flatMap((type) => [always(type.name, type), ...membersOf(type)]),
];

test("every root field, type, enum value and scalar without a self-explaining name has a description", () => {
  const missing = elements.filter(({ description, needsWords }) => needsWords && description === "");

  expect(elements.length).toBeGreaterThan(1_000);
  expect(missing.map(({ coordinate }) => coordinate)).toEqual([]);
});

test("a description says more than the names of its element", () => {
  const empty = elements.filter(({ description, coordinate }) => description !== "" && !adds(description, coordinate));

  expect(empty.map(({ coordinate, description }) => `${coordinate}: ${description}`)).toEqual([]);
});

test("no name is on the list of self-explaining ones in vain", () => {
  const bare = new Set(elements.flatMap(({ description, scalar }) => (description === "" ? [scalar] : [])));

  expect(SELF_EXPLAINING.filter((name) => !bare.has(name))).toEqual([]);
});

function membersOf(type: GraphQLNamedType): readonly Element[] {
  if (isEnumType(type)) return type.getValues().map((value) => always(`${type.name}.${value.name}`, value));
  if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => ifScalar(type.name, field));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const isRoot = roots.some((root) => root === type);
  return Object.values(type.getFields()).flatMap((field) => {
    const coordinate = `${type.name}.${field.name}`;
    const own = isRoot ? always(coordinate, field) : ifScalar(type.name, field);
    return [own, ...field.args.map((argument) => ifScalar(type.name, argument, `${coordinate}(${argument.name}:)`))];
  });
}

function always(coordinate: string, { description }: Described): Element {
  return { coordinate, description: description ?? "", needsWords: true };
}

function ifScalar(owner: string, { name, type, description }: Member, coordinate = `${owner}.${name}`): Element {
  const element = { coordinate, description: description ?? "", needsWords: false };
  if (!isScalarType(getNamedType(type))) return element;
  return { ...element, needsWords: !SELF_EXPLAINING.includes(name), scalar: name };
}

/** True when the description has a word that is neither a filler nor in the coordinate, whatever its ending. */
function adds(description: string, coordinate: string): boolean {
  const names = new Set(wordsIn(coordinate.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ")).map(stemOf));
  return wordsIn(description).some((word) => !FILLERS.includes(word) && !names.has(stemOf(word)));
}

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

const stemOf = (word: string): string => word.replace(/(?:e?[sd])+$|e$/, "");
