// The subscription `tracks`: a track begins, changes or ends.
import type { IntersectionMessageState } from "../../schemas/events.ts";
import type { FilterTrackMessageInput } from "../../schemas/filters.ts";
import { matches } from "../filters/match.ts";
import type { SeenSoFar } from "../filters/seen-positions.ts";
import { trackMessageFields } from "../filters/tracks.ts";
import { trackKeyOf } from "../history/queries/track-refs.ts";
import type { ShownTrack } from "../track/header.ts";
import { createCameraLogFold } from "./fold-camera-log.ts";
import { dataSourceOf, type FeedKind, type FeedMessage } from "./kind.ts";

export interface TrackMessage extends FeedMessage {
  readonly kind: "tracks";
  readonly state: IntersectionMessageState;
  readonly track: ShownTrack;
  readonly seen: SeenSoFar;
}

export const tracksFeed: FeedKind<TrackMessage, FilterTrackMessageInput> = {
  field: "tracks",
  topic: "camera-log",
  createFold: createCameraLogFold,
  matches(filter, { track, seen, state }, deps) {
    return matches(trackMessageFields, filter, {
      ...track,
      dataSource: dataSourceOf(track.dataSourceId, deps),
      seen,
      state,
    });
  },
  asksForPositions,
  mergeKey: ({ state, track }) => (state === "UPDATE" ? trackKeyOf(track) : undefined),
  rootValue: ({ track, state }) => ({ message: track, state }),
};

interface MayAsk {
  readonly position?: unknown;
  readonly and?: readonly MayAsk[] | null | undefined;
  readonly or?: readonly MayAsk[] | null | undefined;
  readonly not?: MayAsk | null | undefined;
}

function asksForPositions({ position, and, or, not }: MayAsk): boolean {
  if (position != null || (and ?? []).some(asksForPositions) || (or ?? []).some(asksForPositions)) return true;
  return not != null && asksForPositions(not);
}
