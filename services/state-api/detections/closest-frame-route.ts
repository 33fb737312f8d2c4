import { closestFrame } from "../../../projections/snapshot/snapshot.ts";
import { neighbours } from "../../../projections/snapshot/spot.ts";
import { notFound } from "../../../schemas/errors.ts";
import { closestFrameAnswer, closestFrameQuery, sourceHeaders } from "../../../schemas/rest/detections.ts";
import { type Route, route } from "../http/route.ts";
import type { ReadTracks } from "./read-tracks.ts";
import { absentSource, failedSource, refusedSource } from "./refusals.ts";
import type { SourceOf } from "./source-of.ts";

export interface ClosestFrameOptions {
  readonly tracks: ReadTracks;
  readonly sourceOf: SourceOf;
}

export const closestFrameRoutes = ({ tracks, sourceOf }: ClosestFrameOptions): readonly Route[] => [
  route({
    method: "GET",
    path: "/api/tracks/closest-frame",
    summary: "Returns the detection of a track that is nearest to an instant",
    description: "Of two detections at the same distance the earlier one is returned.",
    scope: "read",
    headers: sourceHeaders,
    query: closestFrameQuery,
    answers: {
      200: { description: "The detection.", schema: closestFrameAnswer },
      400: refusedSource,
      404: { description: "The track is unknown, or has no detection." },
      502: failedSource,
      503: absentSource,
    },
    handle: async ({ query: { track_id: trackId, timestamp: at }, headers, gone }) => {
      const track = await tracks.closest(trackId, at, sourceOf(headers, gone()));
      const closest = track && closestFrame(trackId, neighbours(track.spots, at), at);
      if (closest === undefined) throw notFound("a detection of the track", trackId);
      return { status: 200, body: closest };
    },
  }),
];
