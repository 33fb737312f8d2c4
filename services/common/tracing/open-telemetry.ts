// Spans of OpenTelemetry, and the current one of asynchronous work.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Span as ApiSpan, Link } from "@opentelemetry/api";
import { parseTraceParent, type TraceParent, traceParentOf } from "../../../schemas/trace-parent.ts";
import type { TraceFields } from "../log.ts";
import type { OpenTelemetryPackages } from "./packages.ts";
import { createSpanQueue } from "./span-queue.ts";
import type { SpanAttributes, SpanStart, TraceSpan, Tracing } from "./tracing.ts";

export interface OpenTelemetryOptions {
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, string>>;
  /** URL to which spans are posted. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Share of the requests that begin a trace, 0 to 1. */
  readonly ratio: number;
  /** When true, a caller's `traceparent` is continued, with the caller's decision to record it. */
  readonly trustsCallers: boolean;
  readonly tellsReceivers: boolean;
  /** Called when the collector did not take spans, once until it takes some again. */
  readonly onTrouble: (error: Error | undefined) => void;
}

export interface StartedTracing extends Tracing {
  /** Sends the spans that wait. Resolves when the collector has them, or has refused them. */
  stop(): Promise<void>;
}

/** Links of one span; further causes of a batch are not named in it. */
const MOST_LINKS = 64;
/** Time for one request to the collector, with its repetitions. */
const EXPORT_TIMEOUT_MS = 5_000;

/** SpanStatusCode.ERROR of OpenTelemetry's API. */
const STATUS_ERROR = 2;

/** The causes of the work that is under way, and the span that is one of them. */
interface Current {
  readonly causes: readonly string[];
  readonly span?: RunningSpan;
}

const NONE: readonly string[] = [];
const NO_FIELDS: TraceFields = {};

export function createOpenTelemetry(packages: OpenTelemetryPackages, options: OpenTelemetryOptions): StartedTracing {
  const { ratio, trustsCallers, tellsReceivers } = options;
  const { trace, ROOT_CONTEXT, SpanKind } = packages.api;
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    producer: SpanKind.PRODUCER,
    consumer: SpanKind.CONSUMER,
  };
  const provider = createProvider(packages, options);
  const tracer = provider.getTracer("tracklog");
  const currents = new AsyncLocalStorage<Current>();

  function open({ name, kind, startedAt }: SpanStart, parent: TraceParent | undefined, links: Link[]): TraceSpan {
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent));
    const given = { kind: kinds[kind], links, ...(startedAt === undefined ? {} : { startTime: startedAt }) };
    return new RunningSpan(tracer.startSpan(name, given, context), currents);
  }

  /** A span that has ended is no cause any more: work that outlives it, such as a timer, belongs to nobody's trace. */
  function current(): Current | undefined {
    const found = currents.getStore();
    return found?.span?.isOver === true ? undefined : found;
  }

  return {
    tellsReceivers,

    begin(start, callersHeader) {
      const caller = parseTraceParent(callersHeader);
      if (caller !== undefined && trustsCallers) return caller.isSampled ? open(start, caller, []) : undefined;
      if (Math.random() >= ratio) return undefined;
      return open(start, undefined, caller === undefined ? [] : [{ context: contextOf(caller) }]);
    },

    follow(start, causes) {
      const parents = causes.slice(0, MOST_LINKS).flatMap((cause) => parseTraceParent(cause) ?? []);
      const [first] = parents;
      if (first === undefined) return undefined;
      if (parents.every(({ traceId }) => traceId === first.traceId)) return open(start, first, []);
      return open(
        start,
        undefined,
        parents.map((parent) => ({ context: contextOf(parent) })),
      );
    },

    causes: () => current()?.causes ?? NONE,
    within: (causes, work) => currents.run({ causes }, work),
    rename: (name) => current()?.span?.rename(name),

    logFields() {
      const cause = parseTraceParent(current()?.causes[0]);
      return cause === undefined ? NO_FIELDS : { trace_id: cause.traceId, span_id: cause.spanId };
    },

    stop: () => provider.shutdown(),
  };
}

function createProvider({ sdk, resources, exporter }: OpenTelemetryPackages, options: OpenTelemetryOptions) {
  const { url, headers, resource, onTrouble } = options;
  const otlp = new exporter.OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_TIMEOUT_MS });
  return new sdk.TracerProvider({
    resource: resources.resourceFromAttributes(resource),
    // `begin` samples. Spans below a recorded one are always recorded.
    sampler: new sdk.AlwaysOnSampler(),
    spanProcessors: [createSpanQueue(sdk, otlp, onTrouble)],
  });
}

const contextOf = ({ traceId, spanId, isSampled }: TraceParent) => ({
  traceId,
  spanId,
  traceFlags: isSampled ? 1 : 0,
  isRemote: true,
});

class RunningSpan implements TraceSpan {
  readonly traceParent: string;
  readonly #traceId: string;
  readonly #span: ApiSpan;
  readonly #currents: AsyncLocalStorage<Current>;
  #isOver = false;

  constructor(span: ApiSpan, currents: AsyncLocalStorage<Current>) {
    const { traceId, spanId } = span.spanContext();
    this.traceParent = traceParentOf(traceId, spanId);
    this.#traceId = traceId;
    this.#span = span;
    this.#currents = currents;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  after(cause: string): string {
    return parseTraceParent(cause)?.traceId === this.#traceId ? this.traceParent : cause;
  }

  run<T>(work: () => T): T {
    return this.#currents.run({ causes: [this.traceParent], span: this }, work);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  end(attributes: SpanAttributes = {}, failure?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#span.setAttributes({ ...attributes });
    if (failure !== undefined) {
      this.#span.setAttribute("error.type", failure);
      this.#span.setStatus({ code: STATUS_ERROR });
    }
    this.#span.end();
  }
}
