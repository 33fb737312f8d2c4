import type { TrackHeader } from "../../../../projections/track/header.ts";
import { patchHeader, patchOf, setFieldsOf } from "../../../../projections/track/patch.ts";
import { badInput, notFound } from "../../../../schemas/errors.ts";
import type { ClearableTrackField, TrackUpdated } from "../../../../schemas/events.ts";
import type { UpdateTrackInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { type DetectionIntake, parseMetadata, toDetections } from "../../write/detection.ts";
import { checkText } from "../../write/text.ts";
import { checkInstant, doorBounds } from "../../write/time.ts";
import { updatedEvents } from "../../write/track-events.ts";
import { checkEnd, toProperties } from "./create-track.ts";

const clearable: readonly ClearableTrackField[] = ["endTime", "properties", "metadata"];

/** Fields that always have a value, so null cannot clear them. */
const lasting = ["tag", "startTime", "detections"] as const;

/** An absent field stays unchanged; null clears `endTime`, `properties` and `metadata`. */
export const updateTrack =
  (deps: MutationDeps) =>
  async (_root: unknown, { track }: { track: UpdateTrackInput }, context: ApiContext): Promise<TrackHeader> => {
    const { routing } = deps;
    for (const field of lasting) if (track[field] === null) throw badInput("it may not be null", ["track", field]);
    const header = await headerOf(routing, track);
    const event = await parse(track, header, { bounds: doorBounds(deps), pathOf, locate: context.locate });
    if (event.tag !== null) await deps.tags.use(event.tag, context);
    const [first] = await context.write(updatedEvents(event));
    if (first === undefined) throw new Error("the log acknowledged nothing");
    context.noteTraffic(event.dataSourceId);
    const patch = patchOf(event);
    return routing.updated(patchHeader(header, patch), new Set(setFieldsOf(patch)), first.offset);
  };

async function headerOf(routing: MutationDeps["routing"], track: UpdateTrackInput): Promise<TrackHeader> {
  const header = routing.known(track.id) ?? (await routing.findForSure([track.id])).get(track.id);
  if (header === undefined) throw notFound("track", track.id, ["track", "id"]);
  if (track.startTime != null) return header;
  const earliest = (track.detections ?? []).reduce(
    (least, { timestamp }) => Math.min(least, timestamp),
    track.endTime ?? Number.POSITIVE_INFINITY,
  );
  if (earliest >= header.startTime) return header;
  return (await routing.askAgain(new Map([[track.id, earliest]]))).get(track.id) ?? header;
}

const pathOf = (i: number) => ["track", "detections", i];

async function parse(track: UpdateTrackInput, header: TrackHeader, door: DetectionIntake): Promise<TrackUpdated> {
  const startTime = track.startTime ?? header.startTime;
  checkInstant(startTime, door.bounds, ["track", "startTime"]);
  checkEnd(startTime, track.endTime, door.bounds);
  return {
    trackId: header.trackId,
    dataSourceId: header.dataSourceId,
    tag: track.tag == null ? null : checkText(track.tag, ["track", "tag"]),
    startTime: track.startTime ?? null,
    endTime: track.endTime ?? null,
    properties: toProperties(track.properties),
    metadata: parseMetadata(track.metadata, ["track", "metadata"]),
    cleared: clearable.filter((field) => track[field] === null),
    detections: await toDetections(track.detections ?? [], { ...header, startTime }, door),
  };
}
