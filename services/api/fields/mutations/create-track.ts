import { v7 } from "uuid";
import type { TrackHeader } from "../../../../projections/track/header.ts";
import { checkProperties } from "../../../../schemas/check-texts.ts";
import { badInput, refuse, taken } from "../../../../schemas/errors.ts";
import type { TrackCreated, TrackProperties } from "../../../../schemas/events.ts";
import type { CreateTrackInput, TrackPropertiesInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { answered } from "../../graphql/payload-scope.ts";
import { requireDataSource } from "../../read/require-data-source.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { parseMetadata, toDetections } from "../../write/detection.ts";
import { acceptId, checkText } from "../../write/text.ts";
import { checkInstant, doorBounds, type TimeBounds } from "../../write/time.ts";
import { createdEvents } from "../../write/track-events.ts";

/** A client may repeat the mutation with the same id: nothing is created twice. */
export const createTrack =
  (deps: MutationDeps) =>
  async (_root: unknown, { track }: { track: CreateTrackInput }, context: ApiContext): Promise<TrackHeader> => {
    const { routing } = deps;
    const event = await parse(track, doorBounds(deps), context);
    const { trackId, dataSourceId } = event;
    requireDataSource(context, dataSourceId, ["track", "dataSourceId"]);
    if (track.id != null) {
      const existing = await routing.ifKnown(trackId);
      if (existing !== undefined && existing.dataSourceId !== dataSourceId) {
        throw taken("track", trackId, "another data source has a track with this id", ["track", "id"]);
      }
    }
    await deps.tags.use(event.tag, context);
    const [first] = await context.write(createdEvents(event));
    if (first === undefined) throw new Error("the log acknowledged nothing");
    context.noteTraffic(dataSourceId);
    const { detections: _detections, ...header } = event;
    return answered(context, await routing.created(header, first.offset), header);
  };

async function parse(track: CreateTrackInput, bounds: TimeBounds, { locate }: ApiContext): Promise<TrackCreated> {
  const path = ["track"];
  const pathOf = (i: number) => [...path, "detections", i];
  const { dataSourceId, startTime } = track;
  const trackId = track.id == null ? v7() : acceptId(track.id, [...path, "id"]);
  checkInstant(track.startTime, bounds, [...path, "startTime"]);
  checkEnd(track.startTime, track.endTime, bounds);
  return {
    trackId,
    dataSourceId: track.dataSourceId,
    tag: checkText(track.tag, [...path, "tag"]),
    startTime: track.startTime,
    endTime: track.endTime ?? null,
    modelId: null,
    properties: toProperties(track.properties),
    metadata: parseMetadata(track.metadata, [...path, "metadata"]),
    detections: await toDetections(track.detections, { trackId, dataSourceId, startTime }, { bounds, pathOf, locate }),
  };
}

export function checkEnd(startTime: number, endTime: number | null | undefined, bounds: TimeBounds): void {
  if (endTime == null) return;
  checkInstant(endTime, bounds, ["track", "endTime"]);
  if (endTime < startTime) throw badInput("the end is before the start", ["track", "endTime"]);
}

export function toProperties(properties: TrackPropertiesInput | null | undefined): TrackProperties | null {
  if (properties == null) return null;
  const { identifier = null, attributes = null } = properties;
  const checked = { identifier, attributes };
  refuse(checkProperties(checked), ["track", "properties"]);
  return checked;
}
