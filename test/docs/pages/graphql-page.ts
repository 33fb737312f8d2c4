// The reference of the GraphQL schema.
import {
  astFromValue,
  buildSchema,
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from "graphql";
import { type Html, html, mark, prose, referencePage, table } from "./html.ts";

const ROOTS = ["Query", "Mutation", "Subscription"] as const;

/** Groups of the other types, in the order of the page. */
const GROUPS: readonly (readonly [string, (type: GraphQLNamedType) => boolean])[] = [
  ["Types", (type) => isObjectType(type) || isUnionType(type)],
  ["Inputs", isInputObjectType],
  ["Enumerations", isEnumType],
  ["Scalars", isScalarType],
];

type Marked = GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField | GraphQLEnumValue;

export function graphqlPage(sdl: string): string {
  const types = Object.values(buildSchema(sdl).getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
  const roots = ROOTS.flatMap((name) => types.filter((type) => type.name === name).filter(isObjectType));
  const groups = GROUPS.map(([title, belongs]) => ({
    title,
    types: types.filter((type) => !(ROOTS as readonly string[]).includes(type.name) && belongs(type)),
  }));
  return referencePage({
    title: "tracklog: GraphQL API",
    introduction:
      "Queries, mutations and subscriptions, and the types of their arguments and answers. Made from `schema.graphql`.",
    navigation: [
      ...roots.map((root) => ({
        title: root.name,
        links: Object.keys(root.getFields()).map((name) => [`${root.name}.${name}`, name] as const),
      })),
      ...groups.map(({ title, types: own }) => ({ title, links: own.map(({ name }) => [name, name] as const) })),
    ],
    body: [
      ...roots.map(
        (root) => html`<h2 id="${root.name}">${root.name}</h2>
${prose(root.description ?? "")}
${Object.values(root.getFields()).map((field) => rootField(root.name, field))}`,
      ),
      ...groups.map(
        ({ title, types: own }) => html`<h2>${title}</h2>
${own.map(typeEntry)}`,
      ),
    ],
  });
}

const rootField = (root: string, field: GraphQLField<unknown, unknown>): Html => html`
<h3 id="${root}.${field.name}">${field.name}: ${link(field.type)}${marksOf(field)}</h3>
${prose(field.description ?? "")}
${table(["argument", "type", ""], field.args.map(inputRow))}`;

const typeEntry = (type: GraphQLNamedType): Html => html`
<h3 id="${type.name}">${type.name}${marksOf(type)}</h3>
${prose(type.description ?? "")}
${membersOf(type)}`;

function membersOf(type: GraphQLNamedType): Html {
  if (isEnumType(type)) return table(["value", ""], type.getValues().map(valueRow));
  if (isInputObjectType(type)) return table(["member", "type", ""], Object.values(type.getFields()).map(inputRow));
  if (isUnionType(type)) return html`<p>One of ${type.getTypes().map((each) => html` ${link(each)}`)}</p>`;
  return isObjectType(type) ? table(["field", "type", ""], Object.values(type.getFields()).map(fieldRow)) : html``;
}

const valueRow = (value: GraphQLEnumValue) => [
  html`<code>${value.name}</code>${marksOf(value)}`,
  html`${prose(value.description ?? "")}${deprecationOf(value)}`,
];

const inputRow = (input: GraphQLArgument | GraphQLInputField) => {
  const { name, type, defaultValue, description } = input;
  const literal = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  const fallback = literal == null ? html`` : html` = <code>${print(literal).replaceAll(/\s+/g, " ")}</code>`;
  return [
    html`<code>${name}</code>${marksOf(input)}`,
    html`${link(type)}${fallback}`,
    html`${prose(description ?? "")}${deprecationOf(input)}`,
  ];
};

const fieldRow = (field: GraphQLField<unknown, unknown>) => [
  html`<code>${field.name}</code>${marksOf(field)}`,
  link(field.type),
  html`${prose(field.description ?? "")}${deprecationOf(field)}${
    field.args.length === 0 ? "" : table(["argument", "type", ""], field.args.map(inputRow))
  }`,
];

function link(type: GraphQLInputType | GraphQLOutputType): Html {
  const { name } = getNamedType(type);
  const [before = "", after = ""] = String(type).split(name);
  const linked = isSpecifiedScalarType(getNamedType(type)) ? html`${name}` : html`<a href="#${name}">${name}</a>`;
  return html`<code>${before}${linked}${after}</code>`;
}

/** `@experimental` is not part of the built schema: it is read from the SDL. */
function marksOf(marked: Marked | GraphQLNamedType): readonly Html[] {
  const isDeprecated = "deprecationReason" in marked && typeof marked.deprecationReason === "string";
  const isExperimental = marked.astNode?.directives?.some(({ name }) => name.value === "experimental") === true;
  return [...(isDeprecated ? [mark("deprecated")] : []), ...(isExperimental ? [mark("experimental")] : [])];
}

const deprecationOf = ({ deprecationReason }: Marked): Html => prose(deprecationReason ?? "");
