// Snapshots at random moments of a generated scene against a plain computation.
import { expect, test } from "vitest";
import { boxOf } from "../../../../projections/geometry/box.ts";
import { snapshotOf } from "../../../../projections/snapshot/snapshot.ts";
import { inOrder, type Spot } from "../../../../projections/snapshot/spot.ts";
import { createRandom } from "../../../../services/cli/demo/scene/random.ts";
import { boxRing, createScene } from "../../../../services/cli/demo/scene/scene.ts";
import { expectedIntersections, type OracleDetection } from "../../../support/oracles/oracle.ts";
import { snapshotDifference } from "../../../support/oracles/snapshot-oracle.ts";

const scene = createScene({
  seed: 5,
  cameras: 1,
  walkersPerCamera: 8,
  seconds: 90,
  fps: 5,
  start: Date.UTC(2026, 0, 1),
  duplicateShare: 0,
  maxLateMs: 0,
});

test("position, motion, membership and dwell are those of a plain computation", () => {
  const random = createRandom(6);
  const methods = new Map<string, number>();
  for (const camera of scene.cameras) {
    const zones = camera.zones.map(({ name, rings }) => ({ zoneId: name, rings }));
    for (const { trackId, detections: seen } of camera.tracks) {
      const detections = seen.map(
        (each): OracleDetection => ({ trackId, timestamp: each.timestamp, ring: boxRing(each) }),
      );
      const stays = expectedIntersections({ detections, zones });
      const spots = inOrder(detections.map(spotOf));
      for (let i = 0; i < 40; i++) {
        const any = detections[random.below(detections.length)]?.timestamp ?? 0;
        const at = any + (random.chance(0.25) ? 0 : Math.round(random.between(-12_000, 12_000)));
        const windowMs = random.below(10_000);

        const snapshot = snapshotOf({
          ...{ trackId, tag: "person", timestamp: "", at, windowSeconds: windowMs / 1_000, spots, stays },
          zonesAt: () => ({ zones: zones.map(zoneOf), asOf: 0 }),
        });

        expect(snapshotDifference(snapshot, { detections, zones, stays }, { at, windowMs })).toBeUndefined();
        const method = snapshot?.position.method ?? "none";
        methods.set(method, (methods.get(method) ?? 0) + 1);
      }
    }
  }
  expect([...methods.keys()].sort()).toEqual([
    "backward_extrapolation",
    "forward_extrapolation",
    "linear",
    "none",
    "real",
  ]);
});

const spotOf = ({ timestamp, ring }: OracleDetection): Spot => ({
  at: timestamp,
  box: boxOf([ring.flat()]) ?? null,
  place: null,
  recordedAt: null,
});

const zoneOf = ({
  zoneId,
  rings,
}: {
  readonly zoneId: string;
  readonly rings: readonly (readonly (readonly number[])[])[];
}) => ({
  zoneId,
  name: zoneId,
  polygon: { rings: rings.map((ring) => ring.flat()), crs: null },
  anchor: "area" as const,
});
