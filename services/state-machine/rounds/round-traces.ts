// The traces of a partition's messages, from the fold of a message to the messages that follow from it. Traces are in
// headers only: keys, ids and values are the same with and without them.
import type { KafkaMessage } from "kafkajs";
import { traceParentIn } from "../../../schemas/trace-parent.ts";
import { MOST_CAUSES, type TraceSpan, tracing } from "../../common/tracing/tracing.ts";

/** @returns the `traceparent` of the outputs whose cause is at this offset of the camera-log, if it is traced. */
export type TraceOf = (offset: number) => string | undefined;

export interface TracedRound {
  readonly span: TraceSpan;
  readonly traceOf: TraceOf;
}

export class RoundTraces {
  /** The `traceparent` of the traced messages since the last whole round, by offset. */
  #causes = new Map<number, string>();

  /** Must be called for each message before it is folded. */
  note(offset: number, headers: KafkaMessage["headers"]): void {
    if (tracing === undefined || headers === undefined || this.#causes.size >= MOST_CAUSES) return;
    const cause = traceParentIn(headers);
    if (cause !== undefined) this.#causes.set(offset, cause);
  }

  /** Begins the span of a round. @returns undefined when none of its messages is traced. */
  begin(startedAt: number): TracedRound | undefined {
    const causes = this.#causes;
    if (causes.size === 0) return undefined;
    const span = tracing?.follow({ name: "fold camera-log", kind: "consumer", startedAt }, [...causes.values()]);
    if (span === undefined) return undefined;
    return {
      span,
      traceOf(offset) {
        const cause = causes.get(offset);
        return cause === undefined ? undefined : span.after(cause);
      },
    };
  }

  /** Must be called when a round has whole messages. */
  forget(): void {
    if (this.#causes.size > 0) this.#causes = new Map();
  }
}
