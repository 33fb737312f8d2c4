// The traces of a process. `tracing` is undefined unless tracing is switched on, and then nothing of OpenTelemetry is
// loaded: the places that make spans cost one comparison. It is one for the process, as the metrics are, because most
// layers would otherwise pass it on without using it.
import type { TraceFields } from "../log.ts";

/** Values must be neither input of callers nor secrets: spans leave the system. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface TraceSpan {
  /** The `traceparent` with which others continue the trace. */
  readonly traceParent: string;
  /**
   * Returns the `traceparent` for whatever follows from this cause: the span's own, when the span belongs to the trace
   * of the cause. The span of a batch with several traces belongs to none of them; then it is that of the cause.
   */
  after(cause: string): string;
  /** Runs the work, and all that it starts, with this span as the current one. */
  run<T>(work: () => T): T;
  /** Only the first call counts. With a `failure`, a fixed word and no text of a caller, the span has failed. */
  end(attributes?: SpanAttributes, failure?: string): void;
}

export interface SpanStart {
  readonly name: string;
  readonly kind: "server" | "client" | "producer" | "consumer";
  /** Milliseconds since the epoch; by default now. */
  readonly startedAt?: number;
}

export interface Tracing {
  /** When true, `traceparent` is sent to receivers of webhooks. */
  readonly tellsReceivers: boolean;
  /**
   * Begins the span of work that no message caused.
   * @returns undefined when it is not sampled, which is decided before anything is built.
   */
  begin(start: SpanStart, callersHeader?: unknown): TraceSpan | undefined;
  /**
   * Begins a span for the work that follows from these, each the `traceparent` of a recorded trace. For one trace it is
   * a part of that trace; for several it begins a trace of its own with links to them.
   * @returns undefined when there are none.
   */
  follow(start: SpanStart, causes: readonly string[]): TraceSpan | undefined;
  /** Returns the causes of the current work; none when it is not traced. */
  causes(): readonly string[];
  /** Runs the work with these causes instead of the current ones. */
  within<T>(causes: readonly string[], work: () => T): T;
  /** Gives the current span a name that says more, if there is one. */
  rename(name: string): void;
  /** Returns the ids of the current span for a line of the log. */
  logFields(): TraceFields;
}

/** Causes of a batch beyond this number are not followed: their traces end where they were caused. */
export const MOST_CAUSES = 1_000;

export let tracing: Tracing | undefined;

/** Must be called before the parts of the process are made: some of them look for it only then. */
export function useTracing(started: Tracing | undefined): void {
  tracing = started;
}

/** Runs the work within the span, and ends the span with it. */
export async function traced<T>(
  span: TraceSpan | undefined,
  work: () => Promise<T>,
  attributes?: () => SpanAttributes,
): Promise<T> {
  if (span === undefined) return work();
  try {
    const result = await span.run(work);
    span.end(attributes?.());
    return result;
  } catch (error) {
    span.end(attributes?.(), "error");
    throw error;
  }
}
