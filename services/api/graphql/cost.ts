// Estimates the cost of an operation: the number of objects that it may produce, lists within lists multiplied. It
// needs the variables, so it runs after validation and before execution.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { type AppError, badInput } from "../../../schemas/errors.ts";
import { fragmentsOf } from "./limits.ts";

/**
 * Cost of one field in ClickHouse, as a number of objects: a count reads every row that the filter accepts, a summary
 * groups them.
 */
const COUNT_COST = 10_000;
const SUMMARY_COST = 100_000;
/** A trial of a zone reads every detection of a range. */
const TRIAL_COST = 200_000;
/** Fields of a summary that need further queries. */
const SUMMARY_FIELDS: ReadonlySet<string> = new Set(["metadataKeys", "totalsByTag"]);
/** Signing a link takes as long as creating this number of objects. */
const LINK_COST = 20;
const LINK_FIELDS: ReadonlySet<string> = new Set(["url", "thumbnailUrl", "imageUrl"]);
/** Assumed length of a list without `first`; the store ends a query whose answer is larger than API_MAX_COST. */
const ASSUMED_LENGTH: Readonly<Record<string, number>> = { "Track.detections": 100 };
const OTHER_LENGTH = 10;

/** Costs of the operations whose cost does not depend on their variables. */
const costs = new WeakMap<OperationDefinitionNode, number>();

/**
 * The document must be valid.
 * @returns undefined when the cost is within the limit.
 */
export function checkCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Readonly<Record<string, unknown>>,
  maxCost: number,
): AppError | undefined {
  const operation = getOperationAST(document, operationName);
  const root = operation == null ? undefined : schema.getRootType(operation.operation);
  if (operation == null || root == null) return undefined;
  let cost = costs.get(operation);
  if (cost === undefined) {
    const variableUse: VariableUse = { values: withDefaults(operation, variables), wereUsed: false };
    cost = createMeter(schema, document, variableUse)(root.name, operation.selectionSet).each;
    if (!variableUse.wereUsed) costs.set(operation, cost);
  }
  return cost > maxCost
    ? badInput(`the operation may produce ${cost} objects, the limit is ${maxCost}: ask for fewer (first) or less deep`)
    : undefined;
}

interface Cost {
  /** Cost per entry of the list that the selections belong to. */
  readonly each: number;
  /** Cost of a connection as a whole. */
  readonly once: number;
}

/** Variables of the operation, and whether its cost depends on one of them. */
interface VariableUse {
  readonly values: Readonly<Record<string, unknown>>;
  wereUsed: boolean;
}

const FREE: Cost = { each: 0, once: 0 };

type Meter = (typeName: string, selections: SelectionSetNode | undefined) => Cost;

function createMeter(schema: GraphQLSchema, document: DocumentNode, variables: VariableUse): Meter {
  const fragments = fragmentsOf(document);
  const measured = new Map<string, Cost>();

  function ofFragment(name: string): Cost {
    const fragment = fragments.get(name);
    if (fragment === undefined) return FREE;
    let cost = measured.get(name);
    if (cost === undefined) {
      cost = meter(fragment.typeCondition.name.value, fragment.selectionSet);
      measured.set(name, cost);
    }
    return cost;
  }

  function ofField(typeName: string, node: FieldNode): Cost {
    const type = schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
    if (field === undefined) return FREE;
    const ownCost = fieldCost(typeName, field.name);
    const { name } = getNamedType(field.type);
    if (!isCompositeType(getNamedType(field.type))) return { each: 0, once: ownCost };
    const { each, once } = meter(name, node.selectionSet);
    const length = lengthOf(typeName, field, node, variables);
    const isConnection = name.endsWith("Connection");
    return { each: (isConnection ? (1 + each) * length + once : (1 + each + once) * length) + ownCost, once: 0 };
  }

  function meter(typeName: string, selections: SelectionSetNode | undefined): Cost {
    let { each, once } = FREE;
    for (const selection of selections?.selections ?? []) {
      const cost =
        selection.kind === Kind.FIELD
          ? ofField(typeName, selection)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? ofFragment(selection.name.value)
            : meter(selection.typeCondition?.name.value ?? typeName, selection.selectionSet);
      each += cost.each;
      once += cost.once;
    }
    return { each, once };
  }

  return meter;
}

function fieldCost(typeName: string, name: string): number {
  if (name === "totalCount") return COUNT_COST;
  if (LINK_FIELDS.has(name)) return LINK_COST;
  if (typeName === "Query" && name === "zoneTrial") return TRIAL_COST;
  const isSummary = typeName === "Query" && name.endsWith("Summary");
  return isSummary || SUMMARY_FIELDS.has(name) ? SUMMARY_COST : 0;
}

/** A connection counts `first` at its own field; its list of edges is not multiplied again. */
function lengthOf(
  typeName: string,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: VariableUse,
): number {
  if (field.args.some(({ name }) => name === "first")) {
    const first = firstOf(field, node, variables);
    if (first !== undefined) return Math.max(first, 1);
  }
  if (typeName.endsWith("Connection")) return 1;
  const bare = isNonNullType(field.type) ? field.type.ofType : field.type;
  return isListType(bare) ? (ASSUMED_LENGTH[`${typeName}.${field.name}`] ?? OTHER_LENGTH) : 1;
}

function firstOf(field: GraphQLField<unknown, unknown>, node: FieldNode, variables: VariableUse): number | undefined {
  const argument = field.args.find(({ name }) => name === "first");
  if (argument === undefined) return undefined;
  const given = node.arguments?.filter(({ name }) => name.value === "first") ?? [];
  if (given.some(({ value }) => value.kind === Kind.VARIABLE)) variables.wereUsed = true;
  try {
    // Coerces only this argument: the others may hold thousands of values, and execution checks them.
    const onlyFirst = { ...field, args: [argument] };
    const first = getArgumentValues(onlyFirst, { ...node, arguments: given }, variables.values)["first"];
    return typeof first === "number" ? first : undefined;
  } catch {
    return undefined;
  }
}

function withDefaults(
  operation: NonNullable<ReturnType<typeof getOperationAST>>,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const defaults: Record<string, unknown> = {};
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (defaultValue?.kind === Kind.INT) defaults[variable.name.value] = Number(defaultValue.value);
  }
  return { ...defaults, ...variables };
}
