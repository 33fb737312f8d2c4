import type { ClearableTrackField, TrackUpdated } from "../../../schemas/events.ts";
import { notFound } from "../../common/errors.ts";
import type { ApiContext } from "../context.ts";
import { updatedEvents } from "../track-events.ts";
import type { TrackHeader } from "../track-routing.ts";
import { checkEnd, toProperties } from "./create-track.ts";
import type { MutationDeps } from "./deps.ts";
import { parseDetection, parseMetadata } from "./detection.ts";
import type { UpdateTrackInput } from "./input-types.ts";
import { checkText } from "./text.ts";
import { checkInstant } from "./time.ts";

const clearable: readonly ClearableTrackField[] = ["endTime", "properties", "metadata"];

/** A field left out stays; `endTime`, `properties` and `metadata` given as null are cleared. */
export const updateTrack =
  ({ writer, routing, maxFutureMs, now }: MutationDeps) =>
  async (_root: unknown, { track }: { track: UpdateTrackInput }, context: ApiContext): Promise<TrackHeader> => {
    const header = routing.known(track.id) ?? (await routing.findForSure([track.id])).get(track.id);
    if (header === undefined) throw notFound("track", track.id, ["track", "id"]);
    const event = parse(track, header, now() + maxFutureMs);
    context.positions.push(...(await writer.cameraLog(updatedEvents(event))));
    const updated = lay(event, header);
    await routing.remember(updated);
    return updated;
  };

function parse(track: UpdateTrackInput, header: TrackHeader, latest: number): TrackUpdated {
  const bounds = { latest };
  const startTime = track.startTime ?? header.startTime;
  checkInstant(startTime, bounds, ["track", "startTime"]);
  checkEnd(startTime, track.endTime, latest);
  return {
    trackId: header.trackId,
    dataSourceId: header.dataSourceId,
    tag: track.tag == null ? null : checkText(track.tag, ["track", "tag"]),
    startTime: track.startTime ?? null,
    endTime: track.endTime ?? null,
    properties: toProperties(track.properties),
    metadata: parseMetadata(track.metadata, ["track", "metadata"]),
    cleared: clearable.filter((field) => track[field] === null),
    detections: (track.detections ?? []).map((detection, i) =>
      parseDetection(header.trackId, detection, startTime, bounds, ["track", "detections", i]),
    ),
  };
}

/** The header after the event. */
function lay(event: TrackUpdated, header: TrackHeader): TrackHeader {
  const cleared = new Set<string>(event.cleared);
  return {
    ...header,
    tag: event.tag ?? header.tag,
    startTime: event.startTime ?? header.startTime,
    endTime: cleared.has("endTime") ? null : (event.endTime ?? header.endTime),
    properties: cleared.has("properties") ? null : (event.properties ?? header.properties),
    metadata: cleared.has("metadata") ? null : (event.metadata ?? header.metadata),
  };
}
