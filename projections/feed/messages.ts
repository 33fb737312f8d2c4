// What the log means to subscribers. Every message carries its place among those that its event can give, counted from
// the event alone: every instance, whatever it remembers, gives the same message the same place.
import type { MessageState } from "../../schemas/events.ts";
import type { DetectionRecord, IntersectionRecord } from "../history/queries/records.ts";
import type { ShownTrack } from "../track/header.ts";
import type { SeenSoFar } from "./seen-positions.ts";

export interface TrackMessage {
  readonly kind: "tracks";
  readonly index: number;
  readonly dataSourceId: string;
  readonly state: MessageState;
  readonly track: ShownTrack;
  /** Where the track has been, up to this event. */
  readonly seen: SeenSoFar;
}

export interface DetectionMessage {
  readonly kind: "detectionActivity";
  readonly index: number;
  readonly dataSourceId: string;
  readonly track: ShownTrack;
  readonly detection: DetectionRecord;
}

export interface IntersectionMessage {
  readonly kind: "zoneIntersections";
  readonly index: number;
  readonly dataSourceId: string;
  readonly state: MessageState;
  readonly intersection: IntersectionRecord;
}

export type FeedMessage = TrackMessage | DetectionMessage | IntersectionMessage;

/** The names of the subscription fields that a feed serves. */
export type FeedKind = FeedMessage["kind"];

/** Of the newest messages under one key only the last matters to whoever is behind; undefined = every one matters. */
export function mergeKeyOf(message: FeedMessage): string | undefined {
  switch (message.kind) {
    case "tracks":
      return message.state === "UPDATE" ? message.track.trackId : undefined;
    case "zoneIntersections":
      return message.state === "UPDATE" ? message.intersection.intersectionId : undefined;
    case "detectionActivity":
      return undefined;
    default:
      return message satisfies never;
  }
}
