import { v7 } from "uuid";
import type { TrackCreated, TrackProperties } from "../../../schemas/events.ts";
import { badInput, notFound } from "../../common/errors.ts";
import type { ApiContext } from "../context.ts";
import { createdEvents } from "../track-events.ts";
import type { TrackHeader } from "../track-routing.ts";
import type { MutationDeps } from "./deps.ts";
import { parseDetection, parseMetadata } from "./detection.ts";
import type { CreateTrackInput, TrackPropertiesInput } from "./input-types.ts";
import { checkId, checkText } from "./text.ts";
import { checkInstant } from "./time.ts";

/** Repeating it with the same id doubles nothing. */
export const createTrack =
  ({ writer, routing, maxFutureMs, now }: MutationDeps) =>
  async (_root: unknown, { track }: { track: CreateTrackInput }, context: ApiContext): Promise<TrackHeader> => {
    const event = parse(track, now() + maxFutureMs);
    const { trackId, dataSourceId } = event;
    if (context.catalog.dataSource(dataSourceId) === undefined) {
      throw notFound("data source", dataSourceId, ["track", "dataSourceId"]);
    }
    if (track.id != null) {
      // A courtesy to whoever mixes up cameras now; asking the history too would make every birth wait for it.
      const existing = await routing.recent(trackId);
      if (existing !== undefined && existing.dataSourceId !== dataSourceId) {
        throw badInput("the track exists under another data source", ["track", "id"]);
      }
    }
    const positions = await writer.cameraLog(createdEvents(event));
    context.positions.push(...positions);
    const [first] = positions;
    if (first === undefined) throw new Error("the log acknowledged nothing");
    const { detections: _detections, ...header } = event;
    return routing.created(header, first.offset);
  };

function parse(track: CreateTrackInput, latest: number): TrackCreated {
  const path = ["track"];
  const bounds = { latest };
  const trackId = track.id == null ? v7() : checkId(track.id, [...path, "id"]);
  checkInstant(track.startTime, bounds, [...path, "startTime"]);
  checkEnd(track.startTime, track.endTime, latest);
  return {
    trackId,
    dataSourceId: track.dataSourceId,
    tag: checkText(track.tag, [...path, "tag"]),
    startTime: track.startTime,
    endTime: track.endTime ?? null,
    modelId: null,
    properties: toProperties(track.properties),
    metadata: parseMetadata(track.metadata, [...path, "metadata"]),
    detections: track.detections.map((detection, i) =>
      parseDetection(trackId, detection, track.startTime, bounds, [...path, "detections", i]),
    ),
  };
}

export function checkEnd(startTime: number, endTime: number | null | undefined, latest: number): void {
  if (endTime == null) return;
  checkInstant(endTime, { latest }, ["track", "endTime"]);
  if (endTime < startTime) throw badInput("the end is before the start", ["track", "endTime"]);
}

export function toProperties(properties: TrackPropertiesInput | null | undefined): TrackProperties | null {
  if (properties == null) return null;
  return { identifier: properties.identifier ?? null, attributes: properties.attributes ?? null };
}
