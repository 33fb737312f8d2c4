import { z } from "zod";
import { closestFrame } from "../../../projections/snapshot/snapshot.ts";
import { neighbours } from "../../../projections/snapshot/spot.ts";
import { notFound } from "../../../schemas/errors.ts";
import { id, instant, isoTime } from "../../../schemas/rest/pieces.ts";
import type { ReadTracks } from "../detections/read-tracks.ts";
import { type SourceOf, sourceHeaders } from "../detections/source-of.ts";
import { type Route, route } from "../http/route.ts";

export interface ClosestFrameOptions {
  readonly tracks: ReadTracks;
  readonly sourceOf: SourceOf;
}

const frame = z.object({
  track_id: z.string(),
  timestamp: isoTime.meta({ description: "of the detection" }),
  offset_ms: z.number(),
  position: z.object({
    pix: z.object({ x: z.number(), y: z.number() }).nullable(),
    geo: z.object({ lon: z.number(), lat: z.number() }).nullable(),
  }),
  polygon: z.array(z.tuple([z.number(), z.number()])).nullable(),
});

export const closestFrameRoutes = ({ tracks, sourceOf }: ClosestFrameOptions): readonly Route[] => [
  route({
    method: "GET",
    path: "/api/tracks/closest-frame",
    summary: "The detection of a track that is closest to an instant",
    scope: "read",
    headers: sourceHeaders,
    query: z.object({ track_id: id, timestamp: instant }),
    answers: { 200: { description: "Of two at the same distance the earlier one", schema: frame } },
    handle: async ({ query: { track_id: trackId, timestamp: at }, headers, gone }) => {
      const track = await tracks.closest(trackId, at, sourceOf(headers, gone()));
      const closest = track && closestFrame(trackId, neighbours(track.spots, at), at);
      if (closest === undefined) throw notFound("a detection of the track", trackId);
      return { status: 200, body: closest };
    },
  }),
];
