// The subscription `zoneIntersections`: outputs of the state machine.
import type { Cause, MessageState, ZoneIntersectionChanged } from "../../schemas/events.ts";
import type { FilterZoneIntersectionMessageInput } from "../../schemas/filters.ts";
import { LOG_ID } from "../../schemas/headers.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { intersectionMessageFields } from "../filters/intersections.ts";
import { matches } from "../filters/match.ts";
import type { IntersectionRecord } from "../history/queries/records.ts";
import type { FeedKind, FeedMessage, FoldDeps, TopicFold } from "./kind.ts";

export interface IntersectionMessage extends FeedMessage {
  readonly kind: "zoneIntersections";
  readonly state: MessageState;
  readonly intersection: IntersectionRecord;
}

export const zoneIntersections: FeedKind<IntersectionMessage, FilterZoneIntersectionMessageInput> = {
  field: "zoneIntersections",
  topic: "zone-intersections",
  createFold,
  matches: (filter, { intersection: { zoneId, dataSourceId }, state }) =>
    matches(intersectionMessageFields, filter, { zoneId, dataSourceId, state }),
  mergeKey: ({ state, intersection }) => (state === "UPDATE" ? intersection.intersectionId : undefined),
  rootValue({ intersection, state }, { track }) {
    // Adds the track from memory, because the history may lag behind the feed.
    const known = track(intersection.trackId);
    return { message: known === undefined ? intersection : { ...intersection, track: known }, state };
  },
};

interface Output {
  readonly event: ZoneIntersectionChanged;
  readonly logId: string | undefined;
}

function createFold({ codec }: FoldDeps): TopicFold<Output> {
  const causes: CauseMemory = new Map();
  return {
    read({ value, headers }) {
      const change = readMessage(codec, "zone-intersections", value);
      return change.ok ? { event: change.event, logId: headers?.[LOG_ID]?.toString() } : undefined;
    },
    fold: ({ event, logId }) => foldIntersection(causes, event, logId),
  };
}

/** The newest cause seen of each camera-log partition, with the id of its log. */
export type CauseMemory = Map<number, Cause & { readonly logId: string | undefined }>;

/**
 * After a crash the state machine may write outputs again: the fold drops those whose cause is not beyond the last one
 * seen. Causes grow within a partition, because the state machine writes outputs in the order of the log. A log that
 * took the place of another begins anew.
 */
export function foldIntersection(
  causes: CauseMemory,
  event: ZoneIntersectionChanged,
  logId: string | undefined,
): IntersectionMessage[] {
  const { state, cause, ...intersection } = event;
  const last = causes.get(cause.partition);
  // An output without a log id counts to the same log as the last one: it is old, or an operator redrove it.
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
