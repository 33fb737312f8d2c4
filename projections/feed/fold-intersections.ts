// What subscribers of `zoneIntersections` hear of an output of the state machine.
import type { Cause, ZoneIntersectionChanged } from "../../schemas/events.ts";
import type { IntersectionMessage } from "./messages.ts";

/** The newest cause seen of each camera-log partition, and of which log it is. */
export type CauseMemory = Map<number, Cause & { readonly logId: string | undefined }>;

/**
 * After a crash the state machine may write outputs again: those whose cause is not beyond the last one seen are dropped.
 * The cause grows within a partition, because outputs are written in the order of the log; a log that took the place of
 * another begins anew.
 */
export function foldIntersection(
  causes: CauseMemory,
  event: ZoneIntersectionChanged,
  logId: string | undefined,
): IntersectionMessage[] {
  const { state, cause, ...intersection } = event;
  const last = causes.get(cause.partition);
  // An output without a log id belongs to the log before it: it is old, or an operator redrove it.
  const sameLog = logId === undefined || logId === last?.logId;
  if (last !== undefined && sameLog && !isBeyond(cause, last)) return [];
  causes.set(cause.partition, { ...cause, logId: logId ?? last?.logId });
  const { dataSourceId, endTime } = event;
  return [
    {
      kind: "zoneIntersections",
      index: 0,
      dataSourceId,
      state,
      intersection: { ...intersection, endTime: state === "END" ? endTime : null },
    },
  ];
}

function isBeyond(cause: Cause, last: Cause): boolean {
  return cause.offset > last.offset || (cause.offset === last.offset && cause.index > last.index);
}
