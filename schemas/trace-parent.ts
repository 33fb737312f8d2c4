// The header `traceparent` of W3C Trace Context (https://www.w3.org/TR/trace-context), in HTTP and in messages of the
// log. It names the trace and the span that caused a request or a message, and never has an effect on results.

export const TRACE_PARENT = "traceparent";

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** True when the sender records the trace. */
  readonly isSampled: boolean;
}

const LENGTH = 55;
const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const ZEROS = /^0+$/;
const SAMPLED = 1;

/** @returns undefined for every value that is not exactly one header of version 00: the senders are not trusted. */
export function parseTraceParent(value: unknown): TraceParent | undefined {
  if (typeof value !== "string" || value.length !== LENGTH) return undefined;
  const [, traceId = "", spanId = "", flags = ""] = FORM.exec(value) ?? [];
  if (traceId === "" || ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export const traceParentOf = (traceId: string, spanId: string): string => `00-${traceId}-${spanId}-01`;

/**
 * Returns the `traceparent` of a message whose trace is recorded. Any other value is ignored, also a very long one and
 * a repeated header.
 */
export function traceParentIn(headers: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const value = headers?.[TRACE_PARENT];
  if (value === undefined) return undefined;
  const text = Buffer.isBuffer(value) && value.length === LENGTH ? value.toString("latin1") : value;
  return typeof text === "string" && parseTraceParent(text)?.isSampled === true ? text : undefined;
}
