// Executes a selection whose values are all at hand, straight to JSON: a message of a subscription usually is one, and
// graphql-js takes ten times as long for it. What does not succeed at once has to be executed by graphql-js, which then
// says what is wrong, or waits.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getOperationAST,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import type { ApiContext } from "./context.ts";
import { fragmentsOf } from "./limits.ts";

export interface PlainSelection {
  /** Returns the data of the answer as JSON. Throws for a promise, and what graphql-js would report. */
  write(root: unknown, context: ApiContext): string;
  /** Number of fields, with those of fragments wherever they are spread. Each takes half a kilobyte of memory. */
  readonly fields: number;
}

type Write = (value: unknown, context: ApiContext) => string;

interface Compiling {
  fields: number;
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * `variables` are coerced ones. The document must be valid.
 * @throws a GraphQLError when something is selected that is left to graphql-js.
 */
export function compileSelection(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Compiling["variables"],
): PlainSelection {
  const operation = getOperationAST(document);
  const type = operation == null ? undefined : schema.getRootType(operation.operation);
  if (operation == null || type == null) throw new GraphQLError("there is no such operation");
  const compiling: Compiling = { fields: 0, schema, fragments: fragmentsOf(document), variables };
  const write = writerOfObject(type, [operation.selectionSet], compiling);
  return { write, fields: compiling.fields };
}

function writerOf(type: GraphQLOutputType, nodes: readonly FieldNode[], deps: Compiling): Write {
  if (isNonNullType(type)) {
    const write = writerOfPresent(type.ofType, nodes, deps);
    return (value, context) => {
      if (value == null) throw new TypeError("null where the schema has none");
      return write(value, context);
    };
  }
  const write = writerOfPresent(type, nodes, deps);
  return (value, context) => (value == null ? "null" : write(value, context));
}

function writerOfPresent(type: GraphQLOutputType, nodes: readonly FieldNode[], deps: Compiling): Write {
  if (isListType(type)) return writerOfList(writerOf(type.ofType, nodes, deps));
  if (isLeafType(type)) return (value) => textOf(type.serialize(value));
  if (isObjectType(type))
    return writerOfObject(type, nodes.map(({ selectionSet }) => selectionSet).filter(isSet), deps);
  throw new GraphQLError("a type that is known with the value only");
}

const isSet = (selections: SelectionSetNode | undefined): selections is SelectionSetNode => selections !== undefined;

/** Throws a TypeError for what JSON does not have. */
function textOf(value: unknown): string {
  const text: unknown = value === null ? undefined : JSON.stringify(value);
  if (typeof text !== "string") throw new TypeError("a value that cannot be written");
  return text;
}

function writerOfList(write: Write): Write {
  return (value, context) => {
    if (!Array.isArray(value)) throw new TypeError("no list");
    let text = "[";
    for (let i = 0; i < value.length; i++) {
      if (i > 0) text += ",";
      text += write(atHand(value[i]), context);
    }
    return `${text}]`;
  };
}

function writerOfObject(type: GraphQLObjectType, sets: readonly SelectionSetNode[], deps: Compiling): Write {
  if (type.isTypeOf != null) throw new GraphQLError("a type that tests its values");
  const fields = new Map<string, FieldNode[]>();
  const seen = new Set<string>();
  for (const set of sets) collect(type, set, fields, seen, deps);
  const members = Array.from(fields, ([key, nodes], i) => {
    const before = `${i === 0 ? "" : ","}${JSON.stringify(key)}:`;
    return { before, write: writerOfField(type, nodes, deps) };
  });
  return (value, context) => {
    let text = "{";
    for (const { before, write } of members) text += before + write(value, context);
    return `${text}}`;
  };
}

/** The result takes the parent of the field. */
function writerOfField(parent: GraphQLObjectType, nodes: readonly FieldNode[], deps: Compiling): Write {
  const [node] = nodes;
  deps.fields += 1;
  if (node === undefined) throw new GraphQLError("no field");
  if (node.name.value === "__typename") return () => JSON.stringify(parent.name);
  const field = parent.getFields()[node.name.value];
  if (field === undefined) throw new GraphQLError(`no field ${node.name.value}`);
  // A compiled selection outlives its subscription, and arguments may be as large as a caller wants.
  if ((node.arguments?.length ?? 0) > 0) throw new GraphQLError("a field with arguments");
  const write = writerOf(field.type, nodes, deps);
  const read = readerOf(parent, field, getArgumentValues(field, node, deps.variables));
  return (value, context) => write(atHand(read(value, context)), context);
}

function readerOf(
  parentType: GraphQLObjectType,
  { name, resolve, type: returnType }: GraphQLField<unknown, unknown>,
  args: Record<string, unknown>,
): (parent: unknown, context: ApiContext) => unknown {
  if (resolve === undefined) return (parent) => memberOf(parent, name);
  // Our resolvers read nothing else of it.
  const info = { fieldName: name, parentType, returnType } as GraphQLResolveInfo;
  const resolveAtOnce: GraphQLFieldResolver<unknown, ApiContext> = resolve;
  return (parent, context) => resolveAtOnce(parent, args, context, info);
}

function memberOf(parent: unknown, name: string): unknown {
  const value = (parent as Readonly<Record<string, unknown>>)[name];
  if (typeof value === "function") throw new TypeError("a member that has to be called");
  return value;
}

/** Throws for a promise. */
function atHand(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) throw value;
  if (!("then" in value)) return value;
  // graphql-js executes the selection again, and reports the error.
  Promise.resolve(value).catch(() => {});
  throw new Error("a promise");
}

/**
 * Adds the fields of an object by the names that they have in the answer, in the order of GraphQL. `seen` has the names
 * of fragments: each counts once, so that fragments in fragments cannot make this explode.
 */
function collect(
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  fields: Map<string, FieldNode[]>,
  seen: Set<string>,
  deps: Compiling,
): void {
  for (const selection of selections) {
    if (isLeftOut(selection, deps.variables)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      const nodes = fields.get(key);
      if (nodes === undefined) fields.set(key, [selection]);
      else nodes.push(selection);
      continue;
    }
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : newFragment(selection.name.value, seen, deps);
    const condition = fragment?.typeCondition?.name.value;
    if (fragment === undefined || (condition !== undefined && !appliesTo(type, condition, deps))) continue;
    collect(type, fragment.selectionSet, fields, seen, deps);
  }
}

/** @returns undefined when it was seen before. */
function newFragment(name: string, seen: Set<string>, { fragments }: Compiling): FragmentDefinitionNode | undefined {
  if (seen.has(name)) return undefined;
  seen.add(name);
  return fragments.get(name);
}

function appliesTo(type: GraphQLObjectType, condition: string, { schema }: Compiling): boolean {
  const named = schema.getType(condition);
  return named === type || (isAbstractType(named) && schema.isSubType(named, type));
}

/** @returns whether a directive leaves the selection out. */
export const isLeftOut = (selection: SelectionNode, variables: Readonly<Record<string, unknown>>): boolean =>
  getDirectiveValues(GraphQLSkipDirective, selection, variables)?.["if"] === true ||
  getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.["if"] === false;
