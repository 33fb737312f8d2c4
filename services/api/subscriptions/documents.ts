// Documents of subscribers: parsed and validated once, and cut down to what has to be executed for every message.
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from "graphql";
import { LRUCache } from "lru-cache";
import { withInputPaths } from "../graphql/input-path.ts";
import { type DocumentLimits, fragmentsOf, parseDocument, validateDocument } from "../graphql/limits.ts";

export type Read =
  | { readonly ok: true; readonly document: DocumentNode }
  | { readonly ok: false; readonly errors: readonly GraphQLError[] };

const KEPT_DOCUMENTS = 500;
/** A longer one has its data written into it, and comes only once. */
const KEPT_LENGTH = 8_192;

export function createDocuments(schema: GraphQLSchema, limits: DocumentLimits): (source: string) => Read {
  const kept = new LRUCache<string, Read>({ max: KEPT_DOCUMENTS });

  function read(source: string): Read {
    try {
      const document = parseDocument(source, limits);
      const errors = validateDocument(schema, document, limits);
      return errors.length === 0 ? { ok: true, document } : { ok: false, errors: withInputPaths(document, errors) };
    } catch (error) {
      if (error instanceof GraphQLError) return { ok: false, errors: [error] };
      throw error;
    }
  }

  return (source) => {
    const known = kept.get(source);
    if (known !== undefined) return known;
    const result = read(source);
    if (source.length <= KEPT_LENGTH) kept.set(source, result);
    return result;
  };
}

/** The one field that a valid subscription selects; undefined when a directive leaves it out. */
export function rootFieldOf(document: DocumentNode, operation: OperationDefinitionNode): FieldNode | undefined {
  const fragments = fragmentsOf(document);
  function first(selections: SelectionSetNode | undefined): FieldNode | undefined {
    for (const selection of selections?.selections ?? []) {
      const field =
        selection.kind === Kind.FIELD
          ? selection
          : first(
              selection.kind === Kind.INLINE_FRAGMENT
                ? selection.selectionSet
                : fragments.get(selection.name.value)?.selectionSet,
            );
      if (field !== undefined) return field;
    }
    return undefined;
  }
  return first(operation.selectionSet);
}

/**
 * The operation without the arguments of its root field, and without the variables that only those used: the filter is
 * evaluated elsewhere, and need not be coerced anew for each message.
 */
export function withoutRootArguments(document: DocumentNode, operationName: string | undefined): DocumentNode {
  const operation = getOperationAST(document, operationName);
  const root = operation == null ? undefined : rootFieldOf(document, operation);
  const definitions = document.definitions.filter(
    (each) => each === operation || each.kind === Kind.FRAGMENT_DEFINITION,
  );
  const bare: DocumentNode = visit(
    { ...document, definitions },
    { Field: (node) => (node === root ? { ...node, arguments: [] } : undefined) },
  );
  const used = new Set<string>();
  visit(bare, {
    VariableDefinition: () => false,
    Variable: (node) => {
      used.add(node.name.value);
    },
  });
  return visit(bare, {
    VariableDefinition: (node) => (used.has(node.variable.name.value) ? undefined : null),
  });
}
