// Finds the path of a value in the input, for `extensions.path` of a BAD_USER_INPUT: argument names, field names and
// list indexes, e.g. ["track", "detections", 0, "timestamp"].

import {
  type ASTNode,
  BREAK,
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  isInputType,
  Kind,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
  visit,
} from "graphql";
import type { InputPath } from "../../../schemas/errors.ts";

/**
 * Maximum number of reported errors of one document or its values: each one takes a walk through the whole document.
 */
const MAX_ERRORS = 20;

/**
 * Returns the path of an AST node inside the arguments of a field. The node may come from another parsing of the same
 * text.
 * @returns undefined when the node is outside of arguments.
 */
function pathOfNode(document: DocumentNode, { kind, loc }: ASTNode): InputPath | undefined {
  if (loc === undefined) return undefined;
  return findPath(
    document,
    (node) => node.kind === kind && node.loc?.start === loc.start && node.loc.end === loc.end,
    (node) => node.loc !== undefined && node.loc.start <= loc.start && loc.end <= node.loc.end,
  );
}

function findPath(
  document: DocumentNode,
  isTarget: (node: ASTNode) => boolean,
  mayHold: (node: ASTNode) => boolean = () => true,
): InputPath | undefined {
  let found: InputPath | undefined;
  const path: (string | number)[] = [];
  const steps: number[] = [];
  visit(document, {
    enter(node, key, parent) {
      if (!mayHold(node)) return false;
      const before = path.length;
      if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) path.push(node.name.value);
      else if (Array.isArray(parent) && typeof key === "number" && isValue(node) && path.length > 0) path.push(key);
      steps.push(before);
      // Outside arguments a variable is only defined, not used.
      if (path.length === 0 || !isTarget(node)) return undefined;
      found = [...path];
      return BREAK;
    },
    leave() {
      path.length = steps.pop() ?? 0;
    },
  });
  return found;
}

const isValue = (node: ASTNode): boolean => node.kind.endsWith("Value") || node.kind === Kind.VARIABLE;

/** Gives validation errors of argument values the path of that value. */
export function withInputPaths(document: DocumentNode, errors: readonly GraphQLError[]): GraphQLError[] {
  return errors.slice(0, MAX_ERRORS).map((error) => {
    const node = error.nodes?.[0];
    const path = "path" in error.extensions || node === undefined ? undefined : pathOfNode(document, node);
    return path === undefined ? error : withPath(error, path);
  });
}

/** Returns the errors in the values of variables. Each has the path at the first field that uses the variable. */
export function variableErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Readonly<Record<string, unknown>>,
): GraphQLError[] {
  const operation = getOperationAST(document, operationName);
  const errors: GraphQLError[] = [];
  for (const definition of operation?.variableDefinitions ?? []) {
    errors.push(...errorsOfVariable(schema, document, definition, variables));
    if (errors.length >= MAX_ERRORS) break;
  }
  return errors;
}

function errorsOfVariable(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: VariableDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): GraphQLError[] {
  const type = typeFromAST(schema, definition.type);
  if (!isInputType(type)) return [];
  const name = definition.variable.name.value;
  const given = Object.hasOwn(variables, name);
  const value = given ? variables[name] : defaultOf(definition, type);
  if (value === undefined && definition.type.kind !== Kind.NON_NULL_TYPE) return [];
  const errors: GraphQLError[] = [];
  if (value === undefined) {
    const required = new GraphQLError(`Variable "$${name}" of type "${type}" is required.`, { nodes: definition });
    errors.push(withPath(required, usePath(document, name)));
  } else if (given) {
    let base: InputPath | undefined;
    coerceInputValue(value, type, (path, _invalid, error) => {
      if (errors.length >= MAX_ERRORS) return;
      const message = `Variable "$${name}": ${error.message}`;
      // Only a wrong value needs its path: finding it takes a walk through the document.
      base ??= usePath(document, name);
      const full = [...base, ...path];
      errors.push(new GraphQLError(message, { nodes: definition, originalError: error, extensions: { path: full } }));
    });
  }
  return errors;
}

function defaultOf(definition: VariableDefinitionNode, type: Parameters<typeof valueFromAST>[1]): unknown {
  return definition.defaultValue === undefined ? undefined : valueFromAST(definition.defaultValue, type);
}

function usePath(document: DocumentNode, name: string): InputPath {
  const isUse = (node: ASTNode) => node.kind === Kind.VARIABLE && node.name.value === name;
  return findPath(document, isUse) ?? [name];
}

function withPath(error: GraphQLError, path: InputPath): GraphQLError {
  const { nodes, source, positions, originalError } = error;
  return new GraphQLError(error.message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    originalError: originalError ?? null,
    extensions: { ...error.extensions, path },
  });
}
