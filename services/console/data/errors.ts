import { MINUTE_MS } from "../../../schemas/units.ts";

/** A refusal by one of the interfaces, or an answer that did not come. */
export class ApiError extends Error {
  /** Code of the interface, such as NOT_FOUND; UNREACHABLE when there was no answer. */
  readonly code: string;
  /** Place in the arguments, such as `zone.polygon`, when the interface named one. */
  readonly path: string | undefined;
  /** Milliseconds after which the same request may succeed. */
  readonly retryAfterMs: number | undefined;
  /** Values at fault, as the REST interface names them. */
  readonly faults: readonly Fault[];

  constructor(
    code: string,
    message: string,
    more: { path?: string | undefined; retryAfterMs?: number | undefined; faults?: readonly Fault[] } = {},
  ) {
    super(message);
    this.code = code;
    this.path = more.path;
    this.retryAfterMs = more.retryAfterMs;
    this.faults = more.faults ?? [];
  }
}

/** `pointer` is a JSON pointer into the body, such as #/filters/tags. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** An error of GraphQL as it is in an answer. */
export interface GraphqlError {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly path?: unknown; readonly retryAfterMs?: number };
}

export function errorOf({ message, extensions = {} }: GraphqlError): ApiError {
  const { code = "INTERNAL", path, retryAfterMs } = extensions;
  return new ApiError(code, message, { path: Array.isArray(path) ? path.join(".") : textOf(path), retryAfterMs });
}

/** @param error whatever was thrown; the network throws errors without a code. */
export const shownError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError("UNREACHABLE", "The server did not answer.");

/** Codes of refusals after which the same question may be answered. */
const TEMPORARY: ReadonlySet<string> = new Set(["UNAVAILABLE", "TOO_MANY_REQUESTS", "UNREACHABLE"]);
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = MINUTE_MS;

export const isTemporary = ({ code }: ApiError): boolean => TEMPORARY.has(code);

/**
 * How long to wait until the same request is repeated: twice as long after each failure, and at least as long as the
 * server asks for.
 * @param failures how often it has failed in a row, from 1.
 */
export const waitMsAfter = ({ retryAfterMs = 0 }: ApiError, failures: number): number =>
  Math.max(retryAfterMs, Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS));

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
