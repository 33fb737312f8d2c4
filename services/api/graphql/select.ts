// Turns a subscription into a selection: checked, reduced to the part that must be executed for every message, and with
// a key that equal subscriptions share.
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from "graphql";
import { LRUCache } from "lru-cache";
import { stringify } from "safe-stable-stringify";
import type { FeedFilter, FeedMessage, RootDeps } from "../../../projections/feed/kind.ts";
import { feedKindOf } from "../../../projections/feed/kinds.ts";
import { type FilterLimits, readFilter } from "../../../projections/filters/read-filter.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Selection } from "../feed/selection.ts";
import { isLargerThan, tooLarge } from "./answer-size.ts";
import { createBudget } from "./budget.ts";
import type { ApiContext } from "./context.ts";
import { formatError } from "./errors.ts";
import { fragmentsOf } from "./limits.ts";
import type { Operation } from "./operation.ts";
import { createPlainSelections, type PlainMessages } from "./plain-messages.ts";
import { isLeftOut } from "./plain-selection.ts";

/** Takes a valid document whose variables can be coerced. Throws BAD_USER_INPUT. */
export type Select = (document: DocumentNode, operation: OperationDefinitionNode, asked: Operation) => Selected;

/** A selection without its caller. */
type Selected = Omit<Selection, "tokenId">;

export interface SelectOptions {
  readonly schema: GraphQLSchema;
  readonly filterLimits: FilterLimits;
  /** Context for the fields of messages: the same for all subscribers, because they share a payload. */
  readonly sharedContext: ApiContext;
  readonly rootDeps: RootDeps;
  readonly log: Log;
}

export function createSelect(options: SelectOptions): Select {
  const { schema, sharedContext, log } = options;
  const rootOf = createRootValues(options.rootDeps);
  const plainOf = createPlainSelections(schema);

  /** Returns JSON without the closing brace. */
  function toJson({ data, errors }: ExecutionResult, { budget, maxAnswerBytes }: ApiContext): string {
    if (isLargerThan(maxAnswerBytes, data)) return failed(tooLarge(maxAnswerBytes));
    const shown =
      errors === undefined ? "" : `"errors":${JSON.stringify(errors.map((each) => formatError(each, log)))},`;
    return `{${shown}"data":${JSON.stringify(budget.isSpent() ? null : (data ?? null))}`;
  }

  /** Returns the same form as toJson. JSON.parse accepts values that are nested too deeply for JSON.stringify. */
  const failed = (error: unknown): string => `{"errors":[${JSON.stringify(formatError(error, log))}],"data":null`;

  const newContext = (): ApiContext => ({ ...sharedContext, budget: createBudget(sharedContext.maxCost) });

  /** @returns undefined when graphql-js must execute the message. */
  function writtenAtOnce(plain: PlainMessages, message: FeedMessage): string | undefined {
    const context = newContext();
    const data = plain(rootOf(message), context);
    // A character has up to three bytes. Whether a longer answer is too large is counted after its execution.
    if (data === undefined || 3 * data.length > context.maxAnswerBytes || context.budget.isSpent()) return undefined;
    return `{"data":${data}`;
  }

  return (document, operation, { source, variables, operationName }) => {
    const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    if (coerced === undefined) throw badInput(errors[0]?.message ?? "the variables cannot be read", ["variables"]);
    const asked = filterOf(schema, document, operation, coerced, options.filterLimits);
    const request = {
      schema,
      document: withoutRootArguments(document, operationName, coerced),
      variableValues: variables,
    };
    const plain = plainOf(request.document, coerced);
    return {
      // The key uses the coerced variables: a null differs from the default of an absent variable, and undeclared ones
      // do not count.
      key: keyOf([operationName ?? null, coerced, source]),
      asked,
      filterKey: keyOf(asked.filter),
      // A message that cannot be rendered must not stop later messages or other subscribers.
      render: (message) => {
        try {
          const written = writtenAtOnce(plain, message);
          if (written !== undefined) return written;
          const contextValue = newContext();
          const result = execute({ ...request, contextValue, rootValue: rootOf(message) });
          if (!(result instanceof Promise)) return toJson(result as ExecutionResult, contextValue);
          return result.then((executed) => toJson(executed, contextValue)).catch(failed);
        } catch (error) {
          return failed(error);
        }
      },
    };
  };
}

/** Number of converted messages that are kept. One message of the log usually gives fewer. */
const ROOTS = 256;

/**
 * Converts messages for graphql-js, once for all selections that receive them at the same time. Only the newest
 * conversions are kept: with one for each message that the feed keeps, the messages would take twice the memory.
 */
function createRootValues(deps: RootDeps): (message: FeedMessage) => unknown {
  const roots = new LRUCache<FeedMessage, object>({ max: ROOTS });
  return (message) => {
    let root = roots.get(message);
    if (root === undefined) {
      root = { [message.kind]: feedKindOf(message.kind)?.rootValue(message, deps) };
      roots.set(message, root);
    }
    return root;
  };
}

/** Returns equal keys for equal values, whatever the order of their members; GraphQL's values are JSON values. */
const keyOf = (value: unknown): string => stringify(value) ?? "";

/** Throws BAD_USER_INPUT for a filter that cannot be evaluated, or a field that is not served. */
function filterOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  limits: FilterLimits,
): FeedFilter {
  const node = rootFieldOf(document, operation, variables);
  const field = node === undefined ? undefined : schema.getSubscriptionType()?.getFields()[node.name.value];
  if (node === undefined || field === undefined) throw badInput("the subscription selects nothing");
  const kind = feedKindOf(field.name);
  if (kind === undefined) throw badInput(`the subscription ${field.name} is not served yet`);
  // graphql-js has just coerced the value to the input type in the SDL.
  const filter = (getArgumentValues(field, node, variables)["filter"] ?? null) as FeedFilter["filter"];
  return { kind, filter: readFilter(filter, limits) };
}

type Variables = Readonly<Record<string, unknown>>;

/**
 * Returns the one field that a valid subscription selects.
 * @returns undefined when a directive leaves it out.
 */
function rootFieldOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): FieldNode | undefined {
  const fragments = fragmentsOf(document);
  function first(selections: SelectionSetNode | undefined): FieldNode | undefined {
    for (const selection of selections?.selections ?? []) {
      if (isLeftOut(selection, variables)) continue;
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
 * Returns the operation without the arguments of its root field, and without the variables that only those used: the
 * hub evaluates the filter, so it need not be coerced again for each message.
 */
export function withoutRootArguments(
  document: DocumentNode,
  operationName: string | undefined,
  variables: Variables,
): DocumentNode {
  const operation = getOperationAST(document, operationName);
  const root = operation == null ? undefined : rootFieldOf(document, operation, variables);
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
