// Drops repeated outputs: after a crash the state machine may write outputs again.
import type { Cause, Events } from "../../schemas/events.ts";
import type { FeedMessage } from "./kind.ts";

export interface FeedOutput<T extends "ZoneIntersectionChanged" | "GeofenceIntersectionChanged"> {
  readonly event: Events[T];
  readonly logId: string | undefined;
}

/** The newest cause seen of each camera-log partition, with the id of its log. */
export type CauseMemory = Map<number, Cause & { readonly logId: string | undefined }>;

/**
 * Drops an output whose cause is not later than that of the last output. Causes grow within a partition, because the
 * state machine writes outputs in the order of the log. In a log that replaced another, they start again.
 */
export function foldCaused<Event extends { readonly cause: Cause }, Message extends FeedMessage>(
  causes: CauseMemory,
  { event, logId }: { readonly event: Event; readonly logId: string | undefined },
  toMessage: (event: Event) => Message,
): Message[] {
  const { cause } = event;
  const last = causes.get(cause.partition);
  // An output without a log id is compared as one of the same log as the last output: it is old, or an operator redrove
  // it.
  const sameLog = logId === undefined || logId === last?.logId;
  if (last !== undefined && sameLog && !isBeyond(cause, last)) return [];
  causes.set(cause.partition, { ...cause, logId: logId ?? last?.logId });
  return [toMessage(event)];
}

function isBeyond(cause: Cause, last: Cause): boolean {
  return cause.offset > last.offset || (cause.offset === last.offset && cause.index > last.index);
}
