// Finds the tracks that already existed when a segment of the log begins. The log has their creations before the
// segment, so their headers are read from the history.
import {
  headersFromBefore,
  MOST_EARLIER_TRACKS,
  type StoredHeader,
} from "../../projections/history/queries/replay-headers.ts";
import type { QueryClient } from "../../projections/history/queries/run.ts";
import { trackKeyOf } from "../../projections/history/queries/track-refs.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { CameraLogEvent } from "../../schemas/events.ts";
import { type AwayOptions, whileAway } from "./while-away.ts";

export interface EarlierTracksDeps extends AwayOptions {
  readonly history: QueryClient;
  readonly trackTtlMs: number;
  /** Time for which live state remembers an ended track, ms. */
  readonly forgetAfterMs: number;
}

/**
 * Resolves with a function from a message to the creations of earlier tracks that this message is the first to name. A
 * created track has the last tag that the history knows.
 */
export async function findTracksFromBefore(
  { dataSourceIds, lastAt }: Segment,
  before: number,
  { history, trackTtlMs, forgetAfterMs, ...away }: EarlierTracksDeps,
): Promise<(message: CameraLogEvent) => CameraLogEvent[]> {
  // A track that is live at the beginning rests within trackTtlMs, and is then forgotten after forgetAfterMs. If it is
  // seen later, live state has neither its tag nor its start either.
  const until = Math.min(lastAt, before + forgetAfterMs) + trackTtlMs;
  const asked = { dataSourceIds, before, until };
  const headers = await whileAway(() => headersFromBefore(history, asked), away);
  if (headers.length === MOST_EARLIER_TRACKS) {
    away.log.warn({ before, tracks: headers.length }, "replay: further tracks from before have no tag and no start");
  }
  const waiting = new Map(headers.map((header) => [trackKeyOf(header), header]));
  return (message) => {
    const named: CameraLogEvent[] = [];
    for (const ref of waiting.size === 0 ? [] : tracksIn(message)) {
      const key = trackKeyOf(ref);
      const header = waiting.get(key);
      if (header === undefined) continue;
      waiting.delete(key);
      named.push(creationOf(header));
    }
    return named;
  };
}

function tracksIn({ event }: CameraLogEvent): { readonly dataSourceId: string; readonly trackId: string }[] {
  if (!("dataSourceId" in event)) return [];
  const { dataSourceId } = event;
  const ids = "detections" in event ? event.detections.map(({ trackId }) => trackId) : [];
  if ("trackId" in event) ids.push(event.trackId);
  return ids.map((trackId) => ({ dataSourceId, trackId }));
}

export const creationOf = ({ trackId, dataSourceId, tag, startTime }: StoredHeader): CameraLogEvent => ({
  type: "TrackCreated",
  event: {
    trackId,
    dataSourceId,
    tag,
    startTime,
    endTime: null,
    modelId: null,
    properties: null,
    metadata: null,
    detections: [],
  },
});
