// The subscription `zoneIntersections`: outputs of the state machine.
import type { IntersectionMessageState, ZoneIntersectionChanged } from "../../schemas/events.ts";
import type { FilterZoneIntersectionMessageInput } from "../../schemas/filters.ts";
import { logOf } from "../../schemas/headers.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { intersectionMessageFields } from "../filters/intersections.ts";
import { matches } from "../filters/match.ts";
import type { IntersectionRecord } from "../history/queries/records.ts";
import type { FeedFoldDeps, FeedKind, FeedMessage, TopicFold } from "./kind.ts";
import { type CauseMemory, type FeedOutput, foldCaused } from "./outputs.ts";

export interface IntersectionMessage extends FeedMessage {
  readonly kind: "zoneIntersections";
  readonly state: IntersectionMessageState;
  readonly intersection: IntersectionRecord;
}

export const zoneIntersectionsFeed: FeedKind<IntersectionMessage, FilterZoneIntersectionMessageInput> = {
  field: "zoneIntersections",
  topic: "zone-intersections",
  createFold,
  matches: (filter, { intersection: { zoneId, dataSourceId }, state }) =>
    matches(intersectionMessageFields, filter, { zoneId, dataSourceId, state }),
  mergeKey: ({ state, intersection }) => (state === "UPDATE" ? intersection.intersectionId : undefined),
  rootValue({ intersection, state }, { track }) {
    // The track comes from memory, because the history may lag behind the feed.
    const known = track(intersection);
    return { message: known === undefined ? intersection : { ...intersection, track: known }, state };
  },
};

function createFold({ codec }: FeedFoldDeps): TopicFold<FeedOutput<"ZoneIntersectionChanged">> {
  const causes: CauseMemory = new Map();
  return {
    read({ value, headers }) {
      const change = readMessage(codec, "zone-intersections", value);
      return change.ok ? { event: change.event, logId: logOf(headers) } : undefined;
    },
    fold: ({ event, logId }) => foldIntersection(causes, event, logId),
  };
}

export const foldIntersection = (
  causes: CauseMemory,
  event: ZoneIntersectionChanged,
  logId: string | undefined,
): IntersectionMessage[] => foldCaused(causes, { event, logId }, toMessage);

function toMessage({ state, cause: _, ...intersection }: ZoneIntersectionChanged): IntersectionMessage {
  const { dataSourceId, endTime } = intersection;
  return {
    kind: "zoneIntersections",
    index: 0,
    dataSourceId,
    state,
    intersection: { ...intersection, endTime: state === "END" ? endTime : null },
  };
}
