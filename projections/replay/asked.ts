// The signals of a segment that a session asks for.
import type { TrackRef } from "../history/queries/records.ts";
import { trackKeyOf } from "../history/queries/track-refs.ts";
import type { EventWindow, OffsetSpan } from "./selection.ts";

/** A track is named with its data source, because another one may give a track the same id. */
export type TrackName = Pick<TrackRef, "dataSourceId" | "trackId">;

/** A part of the segment's partition, from its first offset up to the exclusive `to`. */
export type AskedSpan = Omit<OffsetSpan, "partition">;

/**
 * The signals of these tracks, those of detections with an event time in the window (and of the ends that follow them),
 * or those that the messages with these offsets raised. The offsets are those of the store from which the segment is
 * read.
 */
export type AskedSignals =
  | { readonly kind: "tracks"; readonly tracks: readonly TrackName[] }
  | ({ readonly kind: "window" } & EventWindow)
  | { readonly kind: "offsets"; readonly spans: readonly AskedSpan[] };

/** Joins what is asked of two segments of one partition. They are of the same selection. */
export function joinAsked(a: AskedSignals, b: AskedSignals): AskedSignals {
  if (a.kind === "tracks" && b.kind === "tracks") {
    const tracks = new Map([...a.tracks, ...b.tracks].map((track) => [trackKeyOf(track), track]));
    return { kind: "tracks", tracks: [...tracks.values()] };
  }
  if (a.kind === "offsets" && b.kind === "offsets") {
    return { kind: "offsets", spans: [...a.spans, ...b.spans].sort((one, other) => one.from - other.from) };
  }
  if (a.kind === "window" && b.kind === "window") {
    return { kind: "window", from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
  }
  throw new Error(`segments of ${a.kind} and ${b.kind} in one session`);
}
