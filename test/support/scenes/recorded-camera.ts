// A recording as the camera of a scene: zones for its boxes, and the messages that a pipeline would send of it.
import { join } from "node:path";
import type { CameraDelivery, SceneCamera, SceneDetection } from "../../../services/cli/demo/scene/types.ts";
import { BASE_FRAME, type RecordingFormat, readRecording, type Sighting } from "./recording.ts";
import { type TestZone, zonesForBoxes } from "./zones-for.ts";

export interface Recorded {
  readonly name: string;
  readonly format: RecordingFormat;
  readonly fps: number;
}

export const START = "2026-01-01T00:00:00.000Z";
const TAG = "object";

/** `from`: the folder. */
export async function readCamera(recorded: Recorded, from: string): Promise<SceneCamera> {
  const { name, format } = recorded;
  const sightings = await readRecording(join(from, name), format);
  const deliveries = [...deliveriesOf(sightings, recorded)];
  const picture = pictureOf(sightings);
  return { name, ...picture, zones: recordedZones(sightings), tracks: [], detections: [], deliveries };
}

export const recordedZones = (sightings: readonly Sighting[]): TestZone[] =>
  zonesForBoxes(
    sightings.map(({ box }) => box),
    pictureOf(sightings),
  );

/** Frame f of the recording is at its start plus (f - base) / fps; ms. */
export const timeOf = ({ frame }: Sighting, { format, fps }: Recorded): number =>
  Date.parse(START) + Math.round(((frame - BASE_FRAME[format]) * 1_000) / fps);

/**
 * A message per frame, between the tracks that begin in it and those that end. Every other track just stops being
 * seen.
 */
function* deliveriesOf(sightings: readonly Sighting[], recorded: Recorded): Generator<CameraDelivery> {
  const trackOf = ({ fileId }: Sighting): string => `track-${fileId}`;
  const newest = new Map(sightings.map((sighting) => [trackOf(sighting), sighting]));
  const known = new Set<string>();
  for (const seen of Map.groupBy(sightings, ({ frame }) => frame).values()) {
    const detections = seen.map((sighting): SceneDetection => {
      return { trackId: trackOf(sighting), timestamp: timeOf(sighting, recorded), box: sighting.box };
    });
    const timestamp = detections[0]?.timestamp ?? 0;
    for (const { trackId } of detections) {
      if (known.has(trackId)) continue;
      known.add(trackId);
      yield { type: "trackStarted", deliverAt: timestamp, trackId, tag: TAG, startTime: timestamp, detections: [] };
    }
    yield { type: "detectionsSeen", deliverAt: timestamp, detections };
    for (const sighting of seen) {
      const trackId = trackOf(sighting);
      if (newest.get(trackId) !== sighting || sighting.fileId % 2 === 0) continue;
      yield { type: "trackExpired", deliverAt: timestamp, trackId, endTime: timestamp, detections: [] };
    }
  }
}

/** From the origin to the outermost corner. */
function pictureOf(sightings: readonly Sighting[]) {
  let [width, height] = [1, 1];
  for (const { box } of sightings) {
    width = Math.max(width, Math.ceil(box[2]));
    height = Math.max(height, Math.ceil(box[3]));
  }
  return { width, height };
}
