// What a client asks over any of the transports of subscriptions: checked, and made ready to be followed or executed.
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
} from "graphql";
import { stringify } from "safe-stable-stringify";
import type { FeedFilter, FeedMessage } from "../../../projections/feed/kind.ts";
import { kindOf } from "../../../projections/feed/kinds.ts";
import { type FilterLimits, readFilter } from "../../../projections/filters/read-filter.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Selection } from "../feed/selection.ts";
import { type AdmitOptions, admitAny } from "../graphql/admit.ts";
import type { ApiContext, Principal } from "../graphql/context.ts";
import type { CreateContext } from "../graphql/create-context.ts";
import type { Operation } from "../graphql/engine.ts";
import { formatError } from "../graphql/errors.ts";
import { variableErrors } from "../graphql/input-path.ts";
import { formatPosition } from "../read/position.ts";
import { createDocuments, rootFieldOf, withoutRootArguments } from "./documents.ts";

export interface OperationsOptions {
  readonly schema: GraphQLSchema;
  readonly admission: AdmitOptions;
  readonly createContext: CreateContext;
  /** For the fields of messages: the same for all, because a payload is computed once for all. */
  readonly sharedContext: ApiContext;
  readonly rootValue: (message: FeedMessage) => unknown;
  readonly log: Log;
}

export type Prepared =
  | { readonly type: "subscription"; readonly selection: Selection }
  /** A query or mutation; resolves with its result in JSON. The signal ends work that nobody waits for any more. */
  | { readonly type: "query" | "mutation"; readonly run: (signal: AbortSignal) => Promise<string> }
  | { readonly type: "refused"; readonly errors: readonly GraphQLFormattedError[] };

export interface Operations {
  /** Whether the document asks for a subscription; false for an invalid document. */
  isSubscription(operation: Operation): boolean;
  prepare(operation: Operation, principal: Principal): Prepared;
}

export function createOperations(options: OperationsOptions): Operations {
  const { schema, admission, log } = options;
  const read = createDocuments(schema, admission.limits);

  function prepare(asked: Operation, principal: Principal): Prepared {
    const found = read(asked.source);
    if (!found.ok) return refused(found.errors);
    const { document } = found;
    const operation = getOperationAST(document, asked.operationName);
    if (operation == null) throw badInput("the document has no operation of that name", ["operationName"]);
    admitAny(schema, document, asked, principal, admission);
    const { errors, coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], asked.variables);
    if (errors !== undefined) {
      const located = variableErrors(schema, document, asked.operationName, asked.variables);
      return refused(located.length > 0 ? located : errors);
    }
    if (operation.operation !== "subscription") {
      return { type: operation.operation, run: (signal) => runOnce(document, asked, principal, signal) };
    }
    return { type: "subscription", selection: select(document, operation, asked, coerced) };
  }

  function select(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    { source, variables, operationName }: Operation,
    coerced: Record<string, unknown>,
  ): Selection {
    const asked = filterOf(schema, document, operation, coerced, admission.filterLimits);
    const request = {
      schema,
      document: withoutRootArguments(document, operationName),
      variableValues: variables,
      contextValue: options.sharedContext,
    };
    return {
      // After coercion: a null differs from the default of a variable that is left out, and undeclared ones do not count.
      key: keyOf([operationName ?? null, coerced, source]),
      asked,
      filterKey: keyOf(asked.filter),
      // Whatever a message holds, it is one message: those behind it, and the other subscribers, go on.
      render: (message) => {
        try {
          const result = execute({ ...request, rootValue: options.rootValue(message) });
          return result instanceof Promise ? result.then(toJson).catch(failed) : toJson(result as ExecutionResult);
        } catch (error) {
          return failed(error);
        }
      },
    };
  }

  async function runOnce(
    document: DocumentNode,
    asked: Operation,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<string> {
    const contextValue = options.createContext(principal, [], () => signal);
    const { variables: variableValues, operationName } = asked;
    const result = await execute({
      schema,
      document,
      variableValues,
      operationName: operationName ?? null,
      contextValue,
    });
    const position = formatPosition(contextValue.positions);
    return `${toJson(result)}${position === undefined ? "" : `,"extensions":{"position":"${position}"}`}}`;
  }

  /** Without the closing brace. */
  function toJson({ data, errors }: ExecutionResult): string {
    const shown =
      errors === undefined ? "" : `"errors":${JSON.stringify(errors.map((each) => formatError(each, log)))},`;
    return `{${shown}"data":${JSON.stringify(data ?? null)}`;
  }

  /** As toJson. JSON may be read that is too deep to be written again. */
  const failed = (error: unknown): string => `{"errors":[${JSON.stringify(formatError(error, log))}],"data":null`;

  const refused = (errors: readonly unknown[]): Prepared => ({
    type: "refused",
    errors: errors.map((error) => formatError(error, log)),
  });

  return {
    isSubscription({ source, operationName }) {
      try {
        const found = read(source);
        return found.ok && getOperationAST(found.document, operationName)?.operation === "subscription";
      } catch {
        // `prepare` says why it cannot be read.
        return false;
      }
    },
    prepare(operation, principal) {
      try {
        return prepare(operation, principal);
      } catch (error) {
        return refused([error]);
      }
    },
  };
}

/** Equal for equal values, whatever the order of their members; GraphQL's values are JSON values. */
const keyOf = (value: unknown): string => stringify(value) ?? "";

/** Throws BAD_USER_INPUT for a filter that cannot be evaluated, or a field that is not served. */
function filterOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  limits: FilterLimits,
): FeedFilter {
  const node = rootFieldOf(document, operation);
  const field = node === undefined ? undefined : schema.getSubscriptionType()?.getFields()[node.name.value];
  if (node === undefined || field === undefined) throw badInput("the subscription selects nothing");
  const kind = kindOf(field.name);
  if (kind === undefined) throw badInput(`the subscription ${field.name} is not served yet`);
  // graphql-js has just coerced it to the input type that the SDL names.
  const filter = (getArgumentValues(field, node, variables)["filter"] ?? null) as FeedFilter["filter"];
  return { kind, filter: readFilter(filter, limits) };
}
