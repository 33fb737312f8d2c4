// Whether an operation may be executed: by whom, over which transport, at what cost.
import { type DocumentNode, type GraphQLSchema, getOperationAST } from "graphql";
import { may } from "../../../projections/catalog/tokens.ts";
import type { FilterLimits } from "../../../projections/filters/read-filter.ts";
import { AppError, badInput } from "../../../schemas/errors.ts";
import type { Scope } from "../../../schemas/events.ts";
import type { Principal } from "./context.ts";
import { checkCost } from "./cost.ts";
import type { DocumentLimits } from "./limits.ts";

export interface AdmitOptions {
  readonly limits: DocumentLimits;
  readonly maxCost: number;
  readonly filterLimits: FilterLimits;
}

export interface Asked {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

const scopes: Readonly<Record<"query" | "mutation" | "subscription", Scope>> = {
  query: "read",
  mutation: "write",
  subscription: "read",
};

/** For queries and mutations. Throws FORBIDDEN or BAD_USER_INPUT. */
export function admit(
  schema: GraphQLSchema,
  document: DocumentNode,
  asked: Asked,
  principal: Principal,
  options: AdmitOptions,
): void {
  if (getOperationAST(document, asked.operationName)?.operation === "subscription") {
    throw badInput("subscriptions are served over graphql-transport-ws and Server-Sent Events", ["query"]);
  }
  admitAny(schema, document, asked, principal, options);
}

/** For any operation; the transports of subscriptions use it directly. Throws FORBIDDEN or BAD_USER_INPUT. */
export function admitAny(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variables, operationName }: Asked,
  principal: Principal,
  { maxCost }: AdmitOptions,
): void {
  const operation = getOperationAST(document, operationName)?.operation;
  // Without an operation of that name execution itself says so.
  if (operation === undefined) return;
  const scope = scopes[operation];
  if (!may(principal, scope)) throw new AppError("FORBIDDEN", `a ${operation} needs a token with the scope ${scope}`);
  const tooDear = checkCost(schema, document, operationName, variables, maxCost);
  if (tooDear !== undefined) throw tooDear;
}
