// Ended tracks of a crowd, which live state remembers so that late detections change nothing.
import type { Inspector } from "../../support/clients/final-state-inspector.ts";
import { produce, type Reported } from "../../support/scenes/produce.ts";

const DATA_SOURCES = 24;
const START = Date.parse("2026-01-01T00:00:00.000Z");
const BOX = [-9_010, -9_010, -9_000, -9_010, -9_000, -9_000, -9_010, -9_000, -9_010, -9_010];

export function rememberTracks(inspector: Inspector, tracks: number): Promise<void> {
  return produce(
    inspector,
    Array.from({ length: tracks }, (_, i) => cameAndWent(i)),
  );
}

function cameAndWent(i: number): Reported {
  const dataSourceId = `crowd-${i % DATA_SOURCES}`;
  const trackId = `crowd-track-${i}`;
  const polygon = { rings: [BOX], crs: null };
  const detection = { trackId, timestamp: START, polygon, position: null, direction: null, metadata: null };
  return {
    key: dataSourceId,
    type: "TrackCreated",
    event: {
      ...{ trackId, dataSourceId, tag: "crowd", startTime: START, endTime: START },
      ...{ modelId: null, properties: null, metadata: null, detections: [detection] },
    },
  };
}
