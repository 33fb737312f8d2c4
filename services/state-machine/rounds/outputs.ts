// Turns the outputs of the fold into messages of their topics.
import type { Outputs } from "../../../projections/live/partition.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { Typed } from "../../../schemas/events.ts";
import { headersOf, LOG_ID, LOST_END } from "../../../schemas/headers.ts";
import { type OutputEvent, type OutputTopic, outputRow, outputTopics, perOutput } from "../../../schemas/outputs.ts";
import { keyOf, topicName, topics } from "../../../schemas/topics.ts";
import { TRACE_PARENT } from "../../../schemas/trace-parent.ts";
import type { OutMessage } from "../../common/kafka/write/publisher.ts";
import { isBeyond, type PublishedOutputs } from "../take-over/published-outputs.ts";
import { createLogMessages, STATE_MACHINE } from "./log-messages.ts";
import type { TraceOf } from "./round-traces.ts";

export function createOutputs(codec: Codec, namespace: string, cameraLog = topicName(namespace, "camera-log")) {
  const names = perOutput((topic) => topicName(namespace, topic));
  return {
    /** Names on the broker. */
    topics: { cameraLog, outputs: names },
    toMessages: (out: Outputs, written: PublishedOutputs, nowMs: number, traceOf?: TraceOf): OutMessage[] =>
      outputTopics.flatMap((topic) =>
        outputMessages(topic, out.lists[topic], { codec, name: names[topic], written, nowMs, traceOf }),
      ),
    ...createLogMessages(codec, cameraLog),
  };
}

interface Writing {
  readonly codec: Codec;
  /** Name of the topic on the broker. */
  readonly name: string;
  readonly written: PublishedOutputs;
  readonly nowMs: number;
  /** Undefined when the round is not traced. */
  readonly traceOf: TraceOf | undefined;
}

function outputMessages<T extends OutputTopic>(
  topic: T,
  events: readonly OutputEvent<T>[],
  { codec, name, written, nowMs, traceOf }: Writing,
): OutMessage[] {
  if (events.length === 0) return [];
  const { cause, id, aligned } = outputRow(topic);
  const newest = written.newest[topic];
  const [type] = topics[topic].records;
  // Within a batch all headers but the id are the same.
  const headers = {
    ...headersOf({ id: "", type, source: STATE_MACHINE, timeMs: nowMs }),
    [LOG_ID]: written.logId,
    ...lostEndOf(written),
  };
  return events.flatMap((event) => {
    const at = cause(event);
    if (!isBeyond(at, newest)) return [];
    const trace = traceOf?.(at.offset);
    return {
      topic: name,
      key: keyOf({ type, event } as Typed),
      ...(aligned === null ? {} : { partition: at.partition }),
      value: codec.encode(type, event as never),
      headers:
        trace === undefined
          ? { ...headers, ce_id: id(event) }
          : { ...headers, ce_id: id(event), [TRACE_PARENT]: trace },
    };
  });
}

const lostEndOf = ({ lostEnd }: PublishedOutputs) => (lostEnd === undefined ? {} : { [LOST_END]: lostEnd });
