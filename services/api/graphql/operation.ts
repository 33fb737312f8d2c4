// An operation in the form in which clients send it: the same JSON object on every transport.
import { badInput } from "../../../schemas/errors.ts";
import { isJsonObject } from "../../../schemas/json.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { POSITION_HEADER, parsePositions } from "../read/position.ts";
import type { PlainIngest } from "./plain-ingest.ts";

export interface Operation {
  readonly source: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
  readonly extensions: unknown;
  /** When true, the variables are checked with pauses before they are coerced. */
  readonly isLarge: boolean;
  /** When true, mutations are refused. */
  readonly readOnly: boolean;
  /** The plan of an operation whose inputs are coerced already. */
  readonly plain?: PlainIngest;
}

/** A body that was read as an operation at once. */
export class OperationBody {
  readonly operation: Operation;

  constructor(operation: Operation) {
    this.operation = operation;
  }
}

/** Throws BAD_USER_INPUT when the body is not an operation. */
export function readOperation(body: unknown, isLarge: boolean): Operation {
  if (body instanceof OperationBody) return body.operation;
  if (!isJsonObject(body)) throw badInput("the body is a JSON object with the member query");
  const { query, variables, operationName, extensions } = body;
  if (typeof query !== "string" || query === "") throw badInput("query is a GraphQL document", ["query"]);
  if (variables != null && !isJsonObject(variables)) throw badInput("variables is an object", ["variables"]);
  if (operationName != null && typeof operationName !== "string") {
    throw badInput("operationName is a string", ["operationName"]);
  }
  if (extensions != null && !isJsonObject(extensions)) throw badInput("extensions is an object", ["extensions"]);
  return {
    source: query,
    variables: variables ?? {},
    operationName: operationName ?? undefined,
    extensions,
    isLarge,
    readOnly: false,
  };
}

/**
 * Returns the client's minimum positions, from the request's header, or else from `extensions`. Throws BAD_USER_INPUT.
 */
export function minPositionOf({ extensions }: Operation, header?: unknown): readonly LogPosition[] {
  const text = typeof header === "string" && header !== "" ? header : extensionOf(extensions, POSITION_HEADER);
  return typeof text === "string" && text !== "" ? parsePositions(text) : NOWHERE;
}

const NOWHERE: readonly LogPosition[] = [];

export const cursorOf = ({ extensions }: Operation): unknown => extensionOf(extensions, "cursor");

const extensionOf = (extensions: unknown, name: string): unknown =>
  isJsonObject(extensions) ? extensions[name] : undefined;
