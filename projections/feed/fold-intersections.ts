// What subscribers of `zoneIntersections` hear of an output of the state machine.
import type { Cause, ZoneIntersectionChanged } from "../../schemas/events.ts";
import type { IntersectionMessage } from "./messages.ts";

/** The newest cause seen of each camera-log partition. */
export type CauseMemory = Map<number, Cause>;

/**
 * After a crash the state machine may write outputs again: those whose cause is not beyond the last one seen are dropped.
 * The cause grows within a partition, because outputs are written in the order of the log.
 */
export function foldIntersection(causes: CauseMemory, event: ZoneIntersectionChanged): IntersectionMessage[] {
  const { state, cause, ...intersection } = event;
  const last = causes.get(cause.partition);
  if (last !== undefined && !isBeyond(cause, last)) return [];
  causes.set(cause.partition, cause);
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
