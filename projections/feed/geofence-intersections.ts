// The subscription `geofenceIntersections`: outputs of the state machine.
import type { IntersectionMessageState } from "../../schemas/events.ts";
import type { FilterGeofenceIntersectionMessageInput } from "../../schemas/filters.ts";
import { logOf } from "../../schemas/headers.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { geofenceIntersectionMessageFields } from "../filters/intersections.ts";
import { matches } from "../filters/match.ts";
import type { GeofenceIntersectionRecord } from "../history/queries/records.ts";
import type { FeedFoldDeps, FeedKind, FeedMessage, TopicFold } from "./kind.ts";
import { type CauseMemory, type FeedOutput, foldCaused } from "./outputs.ts";

export interface GeofenceIntersectionMessage extends FeedMessage {
  readonly kind: "geofenceIntersections";
  readonly state: IntersectionMessageState;
  readonly intersection: GeofenceIntersectionRecord;
}

export const geofenceIntersectionsFeed: FeedKind<GeofenceIntersectionMessage, FilterGeofenceIntersectionMessageInput> =
  {
    field: "geofenceIntersections",
    topic: "geofence-intersections",
    createFold,
    matches: (filter, { intersection: { geofenceId, tag, dataSourceId }, state }) =>
      matches(geofenceIntersectionMessageFields, filter, { geofenceId, tag, dataSourceId, state }),
    mergeKey: ({ state, intersection }) => (state === "UPDATE" ? intersection.intersectionId : undefined),
    rootValue({ intersection, state }, { track }) {
      // The track comes from memory, because the history may lag behind the feed.
      const known = track(intersection);
      return { message: known === undefined ? intersection : { ...intersection, track: known }, state };
    },
  };

type GeofenceOutput = FeedOutput<"GeofenceIntersectionChanged">;

function createFold({ codec }: FeedFoldDeps): TopicFold<GeofenceOutput> {
  const causes: CauseMemory = new Map();
  return {
    read({ value, headers }) {
      const change = readMessage(codec, "geofence-intersections", value);
      return change.ok ? { event: change.event, logId: logOf(headers) } : undefined;
    },
    fold: (output) => foldCaused(causes, output, toMessage),
  };
}

function toMessage({ state, cause: _, ...intersection }: GeofenceOutput["event"]): GeofenceIntersectionMessage {
  const { dataSourceId, endTime } = intersection;
  return {
    kind: "geofenceIntersections",
    index: 0,
    dataSourceId,
    state,
    intersection: { ...intersection, endTime: state === "END" ? endTime : null },
  };
}
