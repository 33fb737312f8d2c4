// The fold of one detection in zones that all lie over it.
import {
  apply,
  createGeofences,
  createPartition,
  type LiveSettings,
  noOutputs,
} from "../../../projections/live/partition.ts";
import type { CameraLogEvent, Zone } from "../../../schemas/events.ts";
import { type Comparison, median } from "../measure.ts";
import { busyMs } from "./busy-time.ts";
import { boundsRow, isAsked } from "./row.ts";
import { columns, layers, seeded, star, turned } from "./shapes.ts";

const OUTLINE_VERTICES = 256;
/** These zones fill a data source: the fold gets as many edges from them as from fewer and larger ones. */
const FOLDED = { zones: 8, vertices: 8_000 };
const SIZE = 1_000;
const ROUNDS = 5;
const NAME = "one detection folded";

const settings: LiveSettings = {
  ...{ trackTtlMs: 15_000, reorderMs: 0, updateIntervalMs: 1_000, forgetAfterMs: 3_600_000 },
  rememberedTracks: 50_000,
  maxSourceVertices: FOLDED.vertices * FOLDED.zones,
  geofences: createGeofences(),
  listener: undefined,
};

/** The worst known combination counts: every zone over all of the detection, most of their edges crossing. */
export function benchFold(): Comparison[] {
  const shapes: Readonly<Record<string, (vertices: number) => number[]>> = {
    layers: (vertices) => layers(vertices, SIZE),
    columns: (vertices) => columns(vertices, SIZE),
    rising: (vertices) => turned(layers(vertices, SIZE), SIZE, Math.PI / 4, 0.7),
    falling: (vertices) => turned(layers(vertices, SIZE), SIZE, -Math.PI / 4, 0.7),
    tilted: (vertices) => turned(layers(vertices, SIZE), SIZE, 0.1, 1.3),
    star: (vertices) => star(vertices, SIZE, seeded()),
  };
  let worst = { name: "", ms: 0 };
  if (!isAsked(NAME)) return [];
  for (const [zone, ofZone] of Object.entries(shapes)) {
    for (const [outline, ofOutline] of Object.entries(shapes)) {
      const ms = foldMs(ofZone(FOLDED.vertices), ofOutline(OUTLINE_VERTICES));
      process.stderr.write(`  ${outline} in ${FOLDED.zones} zones of ${zone}: ${ms.toFixed(1)} ms\n`);
      if (ms > worst.ms) worst = { name: `${outline} in ${zone}`, ms };
    }
  }
  return [boundsRow(`${NAME} (${worst.name})`, worst.ms, "< 100 ms")];
}

function foldMs(zoneRing: readonly number[], outline: readonly number[]): number {
  const state = createPartition(0);
  let offset = 0;
  const fold = (message: CameraLogEvent): number => {
    const out = noOutputs();
    const began = busyMs();
    apply(state, { offset: offset++, recordedAt: 0, message }, settings, out);
    return busyMs() - began;
  };
  for (let i = 0; i < FOLDED.zones; i++) {
    fold({
      type: "ZoneCreated",
      event: {
        zone: zoneOf(
          `z${i}`,
          zoneRing.map((value) => value + i * 1e-3),
        ),
      },
    });
  }
  const times = Array.from({ length: ROUNDS + 1 }, (_, timestamp) => {
    const polygon = { rings: [outline], crs: null };
    const detection = { trackId: "t", timestamp, polygon, position: null, direction: null, metadata: null };
    return fold({ type: "DetectionsRecorded", event: { dataSourceId: "cam", detections: [detection] } });
  });
  return median(times.slice(1));
}

const zoneOf = (zoneId: string, ring: readonly number[]): Zone => ({
  ...{ zoneId, dataSourceId: "cam", name: zoneId, active: true, createdAt: 0, updatedAt: 0 },
  ...{ polygon: { rings: [ring], crs: null }, anchor: "area", enterDetections: 1, exitDelayMs: 0 },
});
