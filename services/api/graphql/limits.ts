// Limits of a document. They are checked before execution, and before GraphQL's own rules: one of those takes quadratic
// time in the number of selections.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  type SelectionSetNode,
  specifiedRules,
  validate,
} from "graphql";
import { badInput } from "../../../schemas/errors.ts";

export interface DocumentLimits {
  /** Bytes of the text, checked before it is parsed. */
  readonly maxBytes: number;
  /** Names, values and signs: they determine the time and memory that parsing takes. */
  readonly maxTokens: number;
  /** Depth of fields within fields. Introspection is exempt, because graphql-js limits it itself. */
  readonly maxDepth: number;
  readonly maxAliases: number;
  readonly maxRootFields: number;
  /** Selections after all fragments are expanded. */
  readonly maxFields: number;
}

interface Size {
  readonly depth: number;
  readonly aliases: number;
  readonly fields: number;
}

/** Maximum number of mistakes that are reported for one document, which may have thousands. */
export const MAX_ERRORS = 20;

const NOTHING: Size = { depth: 0, aliases: 0, fields: 0 };

/** Throws BAD_USER_INPUT for a text that is too long or too deep, GraphQLError for too many tokens or a mistake. */
export function parseDocument(source: string, { maxBytes, maxTokens }: DocumentLimits): DocumentNode {
  checkDocumentLength(source, maxBytes);
  return unlessTooDeep(() => parse(source, { maxTokens }));
}

/**
 * Runs a parsing or measuring. Both recurse as deep as the document, so the stack may overflow within the limit on
 * tokens.
 */
function unlessTooDeep<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw badInput("the document is nested too deeply", ["query"]);
    throw error;
  }
}

/** Throws BAD_USER_INPUT for a text that is too long. */
export function checkDocumentLength(source: string, maxBytes: number): void {
  if (source.length <= maxBytes && Buffer.byteLength(source) <= maxBytes) return;
  throw badInput(`the document is longer than ${maxBytes} bytes: send its values as variables`, ["query"]);
}

/** Throws BAD_USER_INPUT for a document that is nested too deeply to be parsed, measured or validated. */
export function checkDocument(schema: GraphQLSchema, source: string, limits: DocumentLimits): void {
  const document = parseDocument(source, limits);
  unlessTooDeep(() => {
    checkLimits(document, limits);
    validate(schema, document, specifiedRules, { maxErrors: MAX_ERRORS });
  });
}

export function checkLimits(document: DocumentNode, limits: DocumentLimits): readonly GraphQLError[] {
  const sizeOf = createSizer(document);
  const errors: GraphQLError[] = [];
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    if (errors.length >= MAX_ERRORS) break;
    const { depth, aliases, fields } = sizeOf(operation.selectionSet);
    const rootFields = rootFieldsOf(operation.selectionSet, document);
    const asked: readonly [string, number, number][] = [
      ["depth", depth, limits.maxDepth],
      ["number of aliases", aliases, limits.maxAliases],
      ["number of fields", fields, limits.maxFields],
      ["number of root fields", rootFields, limits.maxRootFields],
    ];
    for (const [what, is, limit] of asked) {
      if (is > limit) {
        const originalError = badInput(`the ${what} of the operation is ${is}, the limit is ${limit}`);
        errors.push(new GraphQLError(originalError.message, { nodes: operation, originalError }));
      }
    }
  }
  return errors;
}

/** Each fragment is measured once, so that fragments in fragments cannot make the measuring itself explode. */
function createSizer(document: DocumentNode): (selections: SelectionSetNode | undefined) => Size {
  const fragments = fragmentsOf(document);
  const measured = new Map<string, Size>();

  function fragmentSize(name: string): Size {
    const known = measured.get(name);
    if (known !== undefined) return known;
    // GraphQL's own rules refuse cycles later; until then they count as empty.
    measured.set(name, NOTHING);
    const size = sizeOf(fragments.get(name)?.selectionSet);
    measured.set(name, size);
    return size;
  }

  function fieldSize(field: FieldNode): Size {
    const inner = sizeOf(field.selectionSet);
    const isMeta = field.name.value.startsWith("__");
    return {
      depth: isMeta ? 0 : inner.depth + 1,
      aliases: inner.aliases + (field.alias === undefined ? 0 : 1),
      fields: inner.fields + 1,
    };
  }

  function sizeOf(selections: SelectionSetNode | undefined): Size {
    let { depth, aliases, fields } = NOTHING;
    for (const selection of selections?.selections ?? []) {
      const size =
        selection.kind === Kind.FIELD
          ? fieldSize(selection)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? sizeOf(selection.selectionSet)
            : fragmentSize(selection.name.value);
      depth = Math.max(depth, size.depth);
      aliases += size.aliases;
      fields += size.fields;
    }
    return { depth, aliases, fields };
  }

  return sizeOf;
}

function rootFieldsOf(root: SelectionSetNode, document: DocumentNode): number {
  const fragments = fragmentsOf(document);
  const seen = new Map<string, number>();
  function count(selections: SelectionSetNode | undefined): number {
    let fields = 0;
    for (const selection of selections?.selections ?? []) {
      if (selection.kind === Kind.FIELD) fields += 1;
      else if (selection.kind === Kind.INLINE_FRAGMENT) fields += count(selection.selectionSet);
      else fields += ofFragment(selection.name.value);
    }
    return fields;
  }
  function ofFragment(name: string): number {
    const known = seen.get(name);
    if (known !== undefined) return known;
    seen.set(name, 0);
    const fields = count(fragments.get(name)?.selectionSet);
    seen.set(name, fields);
    return fields;
  }
  return count(root);
}

export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}
