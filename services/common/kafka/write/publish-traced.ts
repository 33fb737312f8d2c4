// The span of a publish, and the header with which the readers of its messages continue the trace.
import { TRACE_PARENT } from "../../../../schemas/trace-parent.ts";
import { type Tracing, traced } from "../../tracing/tracing.ts";
import type { Acknowledged, OutMessage } from "./topic-messages.ts";

type Publish = (messages: readonly OutMessage[]) => Promise<Acknowledged[]>;

/** Calls `publish` at once, so that the order of calls stays the order in the log. */
export function publishTraced(
  messages: readonly OutMessage[],
  publish: Publish,
  tracing: Tracing,
): Promise<Acknowledged[]> {
  const causes = tracing.causes();
  const [first] = messages;
  if (causes.length === 0 || first === undefined) return publish(messages);
  const span = tracing.follow({ name: `publish ${first.topic}`, kind: "producer" }, causes);
  if (span === undefined) return publish(messages);
  const header = { [TRACE_PARENT]: span.traceParent };
  const sent = messages.map((message) => ({ ...message, headers: { ...message.headers, ...header } }));
  const attributes = {
    "messaging.system": "kafka",
    "messaging.destination.name": first.topic,
    "messaging.batch.message_count": messages.length,
  };
  return traced(
    span,
    () => publish(sent),
    () => attributes,
  );
}
