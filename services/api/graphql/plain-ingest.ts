// Executes the mutations that pipelines send by the thousand, `createDetection` and `createDetections`, without
// graphql-js, which coerces, resolves and completes value by value: that costs as much as all else for one detection.
// The document must have been validated and executed before, and be plain: one mutation whose only argument is a
// variable, and which selects values of the detection itself. Inputs that graphql-js might refuse, and every other
// document, go through graphql-js. Both ways give the same answer. The benchmark is `ingest`.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isLeafType,
  isNonNullType,
  isObjectType,
  isScalarType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  print,
} from "graphql";
import { dropOldest } from "../../../projections/drop-oldest.ts";
import type { ApiContext } from "./context.ts";
import { readIngestBody } from "./ingest-body.ts";
import { memberCoercion } from "./ingest-inputs.ts";
import type { Operation } from "./operation.ts";

export interface PlainIngest {
  readonly document: DocumentNode;
  /** Resolves with what graphql-js gives for the same document and inputs. */
  execute(context: ApiContext): Promise<{ readonly data: object; readonly errors?: readonly GraphQLError[] }>;
}

export interface PlainIngests {
  /** Takes a document that graphql-js is about to execute. */
  learn(source: string, document: DocumentNode): void;
  /**
   * Reads a body whose document is known, and whose inputs have the usual form.
   * @returns undefined for every other body.
   */
  read(body: Buffer): Operation | undefined;
  /** @returns undefined when graphql-js must execute the operation. */
  find(asked: {
    readonly source: string;
    readonly variables: Readonly<Record<string, unknown>>;
    readonly operationName: string | undefined;
  }): PlainIngest | undefined;
}

interface Schemas {
  readonly schema: GraphQLSchema;
  /** The same schema, but inputs of detections are scalars in it. */
  readonly mutationSchema: GraphQLSchema;
}

/** The types that the variable must have, by mutation. */
const VARIABLES: Readonly<Record<string, string>> = {
  createDetection: "CreateDetectionInput!",
  createDetections: "[CreateDetectionInput!]!",
};
/** Fields of a detection that follow from it alone, and are never null. */
const FIELDS: ReadonlySet<string> = new Set(["id", "timestamp"]);

interface PlainDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly field: FieldNode;
  readonly variable: string;
  readonly isList: boolean;
  readonly resolve: PlainResolver;
  /** Throws when an input is wrong. */
  readonly coerce: (input: unknown) => unknown;
  readonly members: readonly Member[];
}

/** A member of the answer for each detection. */
interface Member {
  readonly name: string;
  of(detection: unknown, context: ApiContext): unknown;
}

/** In `mutationSchema`, inputs are scalars. At most `most` documents are kept. */
export function createPlainIngests({ schema, mutationSchema }: Schemas, most: number): PlainIngests {
  const known = new Map<string, PlainDocument>();
  const judged = new WeakMap<DocumentNode, PlainDocument | "other">();
  const input = mutationSchema.getType("CreateDetectionInput");
  const coerceMember = memberCoercion(schema, "CreateDetectionInput");

  function planOf(source: string, variable: string, operationName: string | undefined): PlainDocument | undefined {
    const plain = known.get(source);
    const isOther = operationName !== undefined && operationName !== plain?.operation.name?.value;
    return isOther || plain?.variable !== variable ? undefined : plain;
  }

  return {
    learn(source, document) {
      if (!isScalarType(input) || known.has(source)) return;
      const plain =
        judged.get(document) ?? plainDocument(document, mutationSchema, (value) => input.parseValue(value)) ?? "other";
      judged.set(document, plain);
      if (plain === "other") return;
      known.set(source, plain);
      dropOldest(known, most);
    },
    read(body) {
      const found = readIngestBody(body, coerceMember);
      if (found === undefined) return undefined;
      const { source, operationName, variable, isList, inputs } = found;
      const plain = planOf(source, variable, operationName);
      if (plain === undefined || plain.isList !== isList) return undefined;
      const { document } = plain;
      return {
        source,
        operationName,
        extensions: undefined,
        isLarge: false,
        readOnly: false,
        variables: { [variable]: isList ? inputs : inputs[0] },
        plain: { document, execute: (context) => execute(plain, inputs, context) },
      };
    },
    find({ source, variables, operationName }) {
      const plain = known.get(source);
      if (plain === undefined) return undefined;
      const { document, operation, variable, isList, coerce } = plain;
      if (operationName !== undefined && operationName !== operation.name?.value) return undefined;
      const given = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
      const inputs = isList ? given : [given];
      const coerced = Array.isArray(inputs) ? coerceAll(inputs, coerce) : undefined;
      return coerced && { document, execute: (context) => execute(plain, coerced, context) };
    },
  };
}

/** @returns undefined when an input is wrong: graphql-js then says how. */
function coerceAll(inputs: readonly unknown[], coerce: PlainDocument["coerce"]): unknown[] | undefined {
  try {
    return inputs.map((each) => {
      if (each === null || each === undefined) throw new Error("no input");
      return coerce(each);
    });
  } catch {
    return undefined;
  }
}

async function execute(
  { field, isList, resolve, members }: PlainDocument,
  inputs: readonly unknown[],
  context: ApiContext,
): ReturnType<PlainIngest["execute"]> {
  const name = field.name.value;
  const argument = field.arguments?.[0]?.name.value ?? "";
  const shown = (detection: unknown) => {
    const values: Record<string, unknown> = {};
    for (const { name: member, of } of members) values[member] = of(detection, context);
    return values;
  };
  try {
    const made: unknown = await resolve({}, { [argument]: isList ? inputs : inputs[0] }, context);
    return { data: { [name]: Array.isArray(made) ? made.map(shown) : shown(made) } };
  } catch (error) {
    return { data: { [name]: null }, errors: [locatedError(error, [field], [name])] };
  }
}

function plainDocument(
  document: DocumentNode,
  schema: GraphQLSchema,
  coerce: PlainDocument["coerce"],
): PlainDocument | undefined {
  const [operation, ...others] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return undefined;
  const [field, ...fields] = operation.selectionSet.selections;
  const [definition, ...definitions] = operation.variableDefinitions ?? [];
  if (operation.operation !== "mutation" || field?.kind !== Kind.FIELD || fields.length > 0) return undefined;
  if (definition === undefined || definitions.length > 0 || definition.defaultValue !== undefined) return undefined;
  if (VARIABLES[field.name.value] !== print(definition.type) || field.alias !== undefined) return undefined;
  if ([operation, field, definition].some(hasDirectives)) return undefined;
  const variable = definition.variable.name.value;
  const isGiven = field.arguments?.length === 1 && field.arguments[0]?.value.kind === Kind.VARIABLE;
  const mutation = schema.getMutationType()?.getFields()[field.name.value];
  const members = isGiven ? membersOf(field, schema) : undefined;
  if (mutation === undefined || members === undefined) return undefined;
  const isList = definition.type.kind === Kind.NON_NULL_TYPE && definition.type.type.kind === Kind.LIST_TYPE;
  return { document, operation, field, variable, isList, resolve: resolverOf(mutation), coerce, members };
}

const hasDirectives = ({ directives = [] }: Pick<FieldNode, "directives">): boolean => directives.length > 0;

/** @returns undefined when a selection is no plain field. */
function membersOf({ selectionSet }: FieldNode, schema: GraphQLSchema): Member[] | undefined {
  const members: Member[] = [];
  for (const selection of selectionSet?.selections ?? []) {
    if (selection.kind !== Kind.FIELD || selection.alias !== undefined || hasDirectives(selection)) return undefined;
    if (!FIELDS.has(selection.name.value)) return undefined;
    members.push({ name: selection.name.value, of: readerOf(schema, selection.name.value) });
  }
  return members;
}

function readerOf(schema: GraphQLSchema, name: string): Member["of"] {
  const type = schema.getType("Detection");
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  const leaf = isNonNullType(field?.type) ? field.type.ofType : field?.type;
  if (field === undefined || !isLeafType(leaf)) throw new Error(`a detection has no value ${name}`);
  const resolve = resolverOf(field);
  return (detection, context) => leaf.serialize(resolve(detection, {}, context));
}

type PlainResolver = (source: unknown, args: object, context: ApiContext) => unknown;

/** The resolvers of these fields read no more of `info` than the type. */
function resolverOf({ name, type: returnType, resolve }: GraphQLField<unknown, unknown>): PlainResolver {
  if (resolve === undefined) return (source) => (source as Readonly<Record<string, unknown>>)[name];
  const info = { returnType } as GraphQLResolveInfo;
  return (source, args, context) => resolve(source, args, context, info);
}
