// The messages for the live state at a moment, from the log where it reaches back far enough, else from the history.
import type { StoredHeader } from "../../projections/history/queries/replay-headers.ts";
import type { TimedEvent } from "../../projections/replay/fold-moment.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { CameraLogEvent } from "../../schemas/events.ts";
import { readCameraLog } from "../../schemas/read-message.ts";
import type { SegmentZones } from "./find-zones.ts";
import { readHistory } from "./read-history.ts";
import { readMessages } from "./read-messages.ts";
import type { ReadDeps } from "./read-segment.ts";
import { readZoneVersions } from "./read-zones.ts";
import { creationOf, findTracksFromBefore } from "./tracks-from-before.ts";

export interface ReadMoment {
  readonly segment: Segment;
  readonly zones: SegmentZones;
  /** Undefined when all tracks of the data source are asked. */
  readonly track: AskedTrack | undefined;
}

export interface AskedTrack {
  readonly trackId: string;
  /** Undefined when the segment begins with the creation of the track. */
  readonly header: StoredHeader | undefined;
  /** False when the fold of the track depends on other detections of the data source. */
  readonly isAlone: boolean;
}

type MomentReadDeps = Omit<ReadDeps, "settings">;

/** Yields the messages that were recorded until the end of the segment. */
export const readMoment = (asked: ReadMoment, deps: MomentReadDeps): AsyncGenerator<TimedEvent, void> =>
  asked.segment.log === "topic" ? fromTopic(asked, deps) : fromHistory(asked, deps);

async function* fromTopic({ segment, track }: ReadMoment, deps: MomentReadDeps): AsyncGenerator<TimedEvent, void> {
  const { codec, topic, bounds } = deps;
  const { partition, begin, end, beginAt, dataSourceIds } = segment;
  // A value contains the id of its data source as it is, so most messages of other data sources need no decoding.
  const ids = dataSourceIds.map((id) => Buffer.from(id));
  let introduce: Awaited<ReturnType<typeof findTracksFromBefore>> | undefined;
  if (track?.header !== undefined) yield { offset: begin, recordedAt: beginAt, message: creationOf(track.header) };
  for await (const { offset: place, value, timestamp } of readMessages({ topic, partition, begin, end }, deps)) {
    const [offset, recordedAt] = [Number(place), Number(timestamp)];
    if (track === undefined) introduce ??= await findTracksFromBefore(segment, recordedAt, deps);
    const isOurs = value !== null && ids.some((id) => value.includes(id));
    const read = isOurs ? readCameraLog(codec, { value, recordedAt, partition, bounds }) : undefined;
    const message = read?.ok === true ? concerning(read.message, track) : undefined;
    const earlier = message === undefined ? [] : (introduce?.(message) ?? []);
    for (const creation of earlier) yield { offset, recordedAt, message: creation };
    yield { offset, recordedAt, message };
  }
}

async function* fromHistory(
  { segment, zones, track }: ReadMoment,
  deps: MomentReadDeps,
): AsyncGenerator<TimedEvent, void> {
  const versions = readZoneVersions(segment.dataSourceIds, deps, zones.changes);
  const nextZone = async () => (await versions.next()).value;
  for await (const { message, ...place } of readHistory(segment, { ...deps, nextZone })) {
    if (place.recordedAt <= segment.lastAt) yield { ...place, message: concerning(message, track) };
    // Ends and zones of that time may come after it, but no detection does.
    else if (message.type === "DetectionsRecorded") return;
  }
}

/** @returns the part of the message that the fold needs; undefined when it is only the time. */
function concerning(message: CameraLogEvent, track: AskedTrack | undefined): CameraLogEvent | undefined {
  switch (message.type) {
    case "GeofencesAdvanced":
      // Geofences change nothing that is shown, so they are not followed here.
      return undefined;
    case "ZoneCreated":
    case "ZoneUpdated":
    case "ZoneDeleted":
      return message;
    case "DetectionsRecorded": {
      if (track?.isAlone !== true) return message;
      const { dataSourceId, detections } = message.event;
      const own = detections.filter(({ trackId }) => trackId === track.trackId);
      return own.length === 0 ? undefined : { type: message.type, event: { dataSourceId, detections: own } };
    }
    case "TrackCreated":
    case "TrackUpdated":
    case "TrackExpired":
      return track?.isAlone !== true || message.event.trackId === track.trackId ? message : undefined;
    default:
      return message satisfies never;
  }
}
