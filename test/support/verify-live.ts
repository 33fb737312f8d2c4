// Live states of a recording at every hundredth detection, in a system of their own: the wall clock must end no track.
import { join } from "node:path";
import type { Delivery, SceneDetection } from "../../services/cli/demo/scene/types.ts";
import { compareLive } from "./compare-live.ts";
import { openInspector } from "./final-state-inspector.ts";
import { launchSystem } from "./launch-system.ts";
import { createStage } from "./play-scene.ts";
import { BASE_FRAME, readRecording, type Sighting } from "./recording.ts";
import { askAt } from "./rest-client.ts";
import { startStateApi } from "./state-api.ts";
import { pictureOf, type Recorded, START } from "./verify-recording.ts";
import { zonesForBoxes } from "./zones-for.ts";

const TAG = "object";

/** Resolves with the number of compared states; rejects with the first difference. */
export async function verifyLive(
  stores: Readonly<Record<string, string>>,
  namespace: string,
  recorded: Recorded,
  from: string,
): Promise<number> {
  const sightings = await readRecording(join(from, recorded.name), recorded.format);
  const picture = pictureOf(sightings);
  const zones = zonesForBoxes(
    sightings.map(({ box }) => box),
    picture,
  );
  const { system, stop } = await launchSystem(stores, namespace, { TRACK_TTL: "86400" });
  const inspector = await openInspector(system);
  try {
    const { id, value } = system.token;
    const ask = askAt(await startStateApi(system), { "x-token-id": id, "x-token-value": value });
    const get = async (path: string) => {
      const { status, body } = await ask("GET", path);
      if (status !== 200) throw new Error(`${path} answers ${status} ${JSON.stringify(body)}`);
      return body;
    };
    const deliveries = [...deliveriesOf(sightings, recorded)];
    const camera = { name: recorded.name, ...picture, zones, tracks: [], detections: [], deliveries };
    const [stage] = await createStage(system.client, { cameras: [camera] });
    if (stage === undefined) throw new Error("no stage");
    const { dataSourceId, zoneIds } = stage;
    const played = zones.map(({ name, rings }) => ({ zoneId: zoneIds.get(name) ?? name, name, rings }));
    return await compareLive(system, inspector, get, { dataSourceId, zones: played, deliveries });
  } finally {
    await inspector.close();
    await stop();
  }
}

/** A message per frame, after the tracks that begin in it. */
function* deliveriesOf(sightings: readonly Sighting[], { format, fps }: Recorded): Generator<Delivery> {
  const known = new Set<string>();
  for (const [frame, seen] of Map.groupBy(sightings, (sighting) => sighting.frame)) {
    const timestamp = Date.parse(START) + Math.round(((frame - BASE_FRAME[format]) * 1_000) / fps);
    const detections = seen.map(({ fileId, box }): SceneDetection => ({ trackId: `track-${fileId}`, timestamp, box }));
    for (const { trackId } of detections) {
      if (known.has(trackId)) continue;
      known.add(trackId);
      yield { type: "trackStarted", deliverAt: timestamp, trackId, tag: TAG, startTime: timestamp, detections: [] };
    }
    yield { type: "detectionsSeen", deliverAt: timestamp, detections };
  }
}
