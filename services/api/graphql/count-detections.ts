// Counts the detections that a mutation is to write, before any of them is written.
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from "graphql";
import { isJsonObject } from "../../../schemas/json.ts";
import { fragmentsOf } from "./limits.ts";
import type { Operation } from "./operation.ts";
import { rootFields } from "./payload-scope.ts";

type Variables = Operation["variables"];

/** The arguments with detections, by mutation, and the number of detections in such an argument. */
const WRITING: Readonly<Record<string, (value: unknown) => number>> = {
  createDetection: () => 1,
  createDetections: lengthOf,
  createTrack: (track) => (isJsonObject(track) ? lengthOf(track["detections"]) : 0),
};

interface WritingField {
  readonly count: (value: unknown) => number;
  readonly argument: ValueNode | undefined;
}

/** The fields with detections of the operations that are kept. */
const known = new WeakMap<OperationDefinitionNode, readonly WritingField[]>();

export function countDetections(document: DocumentNode, operation: OperationDefinitionNode, given: Variables): number {
  let fields = known.get(operation);
  if (fields === undefined) {
    fields = rootFields(operation.selectionSet, fragmentsOf(document)).flatMap(writingField);
    known.set(operation, fields);
  }
  let detections = 0;
  for (const { count, argument } of fields) detections += count(argumentOf(argument, operation, given));
  return detections;
}

function writingField({ name, arguments: given = [] }: FieldNode): WritingField[] {
  const count = WRITING[name.value];
  return count === undefined ? [] : [{ count, argument: given[0]?.value }];
}

/** The document is valid, so each of these mutations has its only argument. */
function argumentOf(node: ValueNode | undefined, operation: OperationDefinitionNode, given: Variables): unknown {
  if (node === undefined) return undefined;
  if (node.kind !== Kind.VARIABLE) return valueFromASTUntyped(node, withDefaults(operation, given));
  const name = node.name.value;
  // Variables may be large, so they are not copied.
  return Object.hasOwn(given, name) ? given[name] : withDefaults(operation, given)[name];
}

function withDefaults({ variableDefinitions = [] }: OperationDefinitionNode, given: Variables): Variables {
  const values: Record<string, unknown> = {};
  for (const { variable, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    if (Object.hasOwn(given, name)) values[name] = given[name];
    else if (defaultValue !== undefined) values[name] = valueFromASTUntyped(defaultValue);
  }
  return values;
}

/** GraphQL takes a single value for a list of one. */
function lengthOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return Array.isArray(value) ? value.length : 1;
}
